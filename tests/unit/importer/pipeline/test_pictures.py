"""Fetching a card's pictures: what is asked, what is kept, and how a run goes on after it was cut off."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from formats.errors import DomainError
from importer.pipeline import pictures
from importer.pipeline.picture_report import FILE, PictureReport, candidates, read_report
from importer.pipeline.pictures import BATCH, fetch_pictures
from net.download import MISSING, UNREACHABLE, Fetched, NotFetched
from tests.support.internet import GOOD, Asked, Internet, answer, moved
from tests.support.pictures import picture, with_text
from worlds.store.folder import ItemFolder
from worlds.store.paths import DataFolder, new_item_id
from worlds.store.pictures import PictureLibrary
from worlds.store.shelf import Shelf

SITE = "https://pictures.example"


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(DataFolder(tmp_path / "data"), "ana", "worlds")


@pytest.fixture
def world(shelf: Shelf) -> ItemFolder:
    return shelf.create(
        new_item_id("Fog Harbour"), {"world.json": b"{}", ".import/picture.png": picture(900)}
    )


class Web:
    """Answers by address; remembers who was asked and how many at once."""

    def __init__(self, answers: dict[str, Fetched | NotFetched | bytes]) -> None:
        self.answers = answers
        self.asked: list[str] = []
        self.running = self.most = 0
        self.held: asyncio.Event | None = None

    async def fetch(self, url: str) -> Fetched | NotFetched:
        self.asked.append(url)
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            await (self.held.wait() if self.held else asyncio.sleep(0))
            found = self.answers[url]
            return Fetched(found, url) if isinstance(found, bytes) else found
        finally:
            self.running -= 1


def site(count: int) -> dict[str, Fetched | NotFetched | bytes]:
    return {f"{SITE}/{number}.png": picture(number) for number in range(count)}


async def ignore(done: int, total: int) -> None:
    pass


async def run(
    world: ItemFolder,
    web: Web,
    addresses: Iterable[str] | None = None,
    *,
    quota_left: Callable[[], int | None] = lambda: None,
    on_progress: pictures.OnProgress = ignore,
    stopped: Callable[[], bool] = lambda: False,
    again: bool = False,
) -> PictureReport:
    return await fetch_pictures(
        world,
        list(web.answers) if addresses is None else addresses,
        web,
        by="ana",
        quota_left=quota_left,
        on_progress=on_progress,
        stopped=stopped,
        again=again,
    )


def results(report: PictureReport) -> dict[str, str]:
    return {result.address.removeprefix(f"{SITE}/"): result.result for result in report.pictures}


@pytest.mark.req("PIC-1")
async def test_only_addresses_that_may_be_pictures_are_asked_each_once(world: ItemFolder) -> None:
    wanted = [f"{SITE}/{name}" for name in ("a.png", "b.JPG", "c.jpeg", "d.webp", "e.gif", "f", "g?x=1")]
    others = [f"{SITE}/{name}" for name in ("a.js", "b.css", "c.mp3", "d.svg", "e.html")]
    assert candidates([*wanted, *others, *wanted]) == wanted
    web = Web(dict.fromkeys(wanted, MISSING))
    await run(world, web, [*others, *wanted, *wanted])
    assert sorted(web.asked) == sorted(wanted)


@pytest.mark.req("PIC-1", "PIC-2")
async def test_pictures_are_kept_and_every_address_is_accounted_for(world: ItemFolder) -> None:
    web = Web({**site(2), f"{SITE}/gone.png": MISSING, f"{SITE}/html.png": b"<html>" * 500})
    report = await run(world, web)
    assert results(report) == {"0.png": "kept", "1.png": "kept", "gone.png": "failed", "html.png": "failed"}
    assert read_report(world) == report
    assert report.ended is None
    files = [result.file for result in report.pictures if result.result == "kept"]
    assert [world.read(file) for file in files] == [picture(0), picture(1)]
    library = {listed.file: listed.origin for listed in PictureLibrary(world).pictures()}
    assert library[files[0]].kind == "downloaded"
    assert library[files[0]].address == f"{SITE}/0.png"
    assert library[files[0]].original_name == "0.png"
    told = {failed.code: failed.message for failed in report.failed()}
    assert set(told) == {"gone", "picture.not-a-picture"}
    assert all(message.endswith(".") for message in told.values())


@pytest.mark.req("PIC-5")
async def test_copies_of_the_card_of_the_library_and_of_each_other(world: ItemFolder) -> None:
    web = Web(
        {
            f"{SITE}/card.png": with_text(900, "the portrait, from elsewhere"),
            f"{SITE}/one.png": picture(1),
            f"{SITE}/same.png": with_text(1, "again"),
        }
    )
    report = await run(world, web)
    assert results(report) == {"card.png": "copy", "one.png": "kept", "same.png": "copy"}
    card, one, same = report.pictures
    assert card.file == ".import/picture.png"
    assert same.file == one.file
    later = await run(world, Web({f"{SITE}/later.png": picture(1)}))
    assert later.pictures[-1].result == "copy"
    assert len(PictureLibrary(world).pictures()) == 1


@pytest.mark.req("PIC-4")
async def test_at_most_eight_at_once_and_no_limit_on_their_number(world: ItemFolder) -> None:
    web = Web(dict.fromkeys((f"{SITE}/{number}.png" for number in range(300)), MISSING))
    report = await run(world, web)
    assert web.most == 8
    assert len(report.pictures) == len(web.asked) == 300


@pytest.mark.req("PIC-1")
async def test_results_are_stored_in_batches_before_they_are_told(world: ItemFolder) -> None:
    told: list[tuple[int, int]] = []

    async def progress(done: int, total: int) -> None:
        assert len(read_report(world).pictures) == done, "stored first, then told"
        told.append((done, total))

    await run(world, Web(site(BATCH + 4)), on_progress=progress)
    assert told == [(0, BATCH + 4), (BATCH, BATCH + 4), (BATCH + 4, BATCH + 4)]
    assert [record.what for record in world.history()] == ["add-pictures"] * 2
    assert all(FILE not in record.files for record in world.history())


@pytest.mark.req("PIC-1")
async def test_run_again_asks_only_what_is_missing_or_failed_for_a_passing_reason(world: ItemFolder) -> None:
    web = Web({**site(2), f"{SITE}/gone.png": MISSING, f"{SITE}/asleep.png": UNREACHABLE})
    await run(world, web)
    web.asked.clear()
    web.answers |= {f"{SITE}/asleep.png": picture(7), f"{SITE}/new.png": picture(8)}
    report = await run(world, web)
    assert sorted(web.asked) == [f"{SITE}/asleep.png", f"{SITE}/new.png"]
    assert results(report) == {
        "0.png": "kept",
        "1.png": "kept",
        "gone.png": "failed",
        "asleep.png": "kept",
        "new.png": "kept",
    }
    web.asked.clear()
    web.answers[f"{SITE}/gone.png"] = picture(9)
    assert results(await run(world, web)) == results(report)
    assert web.asked == []
    report = await run(world, web, [f"{SITE}/gone.png"], again=True)
    assert web.asked == [f"{SITE}/gone.png"]
    assert results(report)["gone.png"] == "kept"
    assert len(report.pictures) == 5


@pytest.mark.req("PIC-1")
async def test_run_cut_off_between_the_pictures_and_the_report(world: ItemFolder) -> None:
    await run(world, Web(site(3)))
    with world.change(by="test", what="cut", history=False) as change:
        change.remove(FILE)
    report = await run(world, Web({**site(3), f"{SITE}/copy.png": picture(2)}))
    assert results(report) == {"0.png": "kept", "1.png": "kept", "2.png": "kept", "copy.png": "copy"}
    assert len(PictureLibrary(world).pictures()) == 3


@pytest.mark.req("PIC-1")
async def test_cancelled_run_leaves_nothing_running_and_goes_on_later(world: ItemFolder) -> None:
    web = Web(site(BATCH + 8))

    async def hold(done: int, total: int) -> None:
        if done:
            web.held = asyncio.Event()

    task = asyncio.ensure_future(run(world, web, on_progress=hold))
    while not (web.held and web.running):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert web.running == 0
    assert len(read_report(world).pictures) == BATCH
    web.held = None
    web.asked.clear()
    assert set(results(await run(world, web)).values()) == {"kept"}
    assert len(web.asked) == 8


async def test_stopped_run_keeps_what_came(world: ItemFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "LOOK_SECONDS", 0.01)
    web = Web(site(40))
    looks = iter([False, False])
    report = await run(world, web, stopped=lambda: next(looks, True))
    assert web.running == 0
    assert 0 < len(report.pictures) < 40
    assert read_report(world) == report
    assert report.ended is None
    assert len((await run(world, web)).pictures) == 40


async def test_job_that_ends_the_run_drops_its_downloads(world: ItemFolder) -> None:
    web = Web(site(BATCH + 8))

    async def progress(done: int, total: int) -> None:
        if done:
            raise RuntimeError("the job was stopped")

    with pytest.raises(RuntimeError):
        await run(world, web, on_progress=progress)
    assert web.running == 0
    assert len(read_report(world).pictures) == BATCH


async def test_full_account_ends_the_run_with_a_note(world: ItemFolder) -> None:
    web = Web(site(BATCH * 3))
    room = len(picture(0)) * 5 + 100

    def left() -> int:
        return room - sum(listed.size for listed in PictureLibrary(world).pictures())

    report = await run(world, web, quota_left=left)
    assert report.ended is not None
    assert report.ended.code == "pictures.quota"
    assert set(results(report).values()) == {"kept"}
    assert 4 <= len(report.pictures) <= 6
    assert read_report(world) == report
    assert len(web.asked) < BATCH * 3
    report = await run(world, web)
    assert report.ended is None
    assert len(report.pictures) == BATCH * 3


async def test_failing_store_ends_the_run_with_its_sentence(
    world: ItemFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise DomainError("full", "disk-full", message="The disk of the server is full.")

    with monkeypatch.context() as broken:
        broken.setattr(PictureLibrary, "add", full)
        report = await run(world, Web(site(40)))
    assert report.ended is not None
    assert (report.ended.code, report.pictures) == ("disk-full", [])
    assert len((await run(world, Web(site(40)))).pictures) == 40


async def test_world_that_goes_to_the_trash_meanwhile(shelf: Shelf, world: ItemFolder) -> None:
    async def bin_it(done: int, total: int) -> None:
        if world.exists():
            shelf.to_trash(world.id)

    report = await run(world, Web(site(3)), on_progress=bin_it)
    assert report.ended is not None
    assert report.ended.code == "no-such-item"
    with pytest.raises(DomainError) as refusal:
        await run(world, Web(site(3)))
    assert refusal.value.kind == "not-found"


@pytest.mark.parametrize("content", [b"", b"[]", b'{"schema": "roleplay-import-pictures/v2"}', b"[1"])
async def test_damaged_report_is_left_as_it_is(world: ItemFolder, content: bytes) -> None:
    with world.change(by="test", what="damage", history=False) as change:
        change.write(FILE, content)
    web = Web(site(2))
    with pytest.raises(DomainError) as refusal:
        await run(world, web)
    assert refusal.value.kind == "invalid"
    assert world.read(FILE) == content
    assert web.asked == []


@pytest.mark.req("PIC-1", "PIC-3", "PIC-4", "PIC-5")
async def test_the_whole_way_over_the_guarded_door(world: ItemFolder) -> None:
    internet = Internet(names={"pictures.example": [[GOOD]], "inner.example": [["10.0.0.8"]]})

    def serve(asked: Asked) -> list[bytes]:
        parts = {
            "/moved": moved("/a.png"),
            "/a.png": answer(body=picture(1), kind=None),
            "/b": answer(body=picture(2, "JPEG"), kind="image/png"),
            "/page": answer(body=b"<html>", kind="text/html"),
            "/dot.gif": answer(body=picture(3, "GIF", (1, 1))),
        }.get(asked.target, answer(404))
        return parts[:1] if asked.method == "HEAD" else parts

    internet.server = serve
    names = ("moved", "a.png", "b", "page", "dot.gif", "missing.png")
    addresses = [*(f"http://pictures.example/{name}" for name in names), "http://inner.example/x.png"]
    addresses += ["http://127.0.0.1/x.png", "http://u:p@pictures.example/a.png"]
    async with internet.downloader() as downloader:
        report = await fetch_pictures(
            world,
            addresses,
            downloader,
            by="ana",
            quota_left=lambda: None,
            on_progress=ignore,
            stopped=lambda: False,
        )
    told = {result.address.rpartition("//")[2]: result.code or result.result for result in report.pictures}
    assert sorted((told.pop("pictures.example/moved"), told.pop("pictures.example/a.png"))) == [
        "copy",
        "kept",
    ]
    assert told == {
        "pictures.example/b": "kept",
        "pictures.example/page": "not-a-picture",
        "pictures.example/dot.gif": "picture.too-small",
        "pictures.example/missing.png": "gone",
        "inner.example/x.png": "unreachable",
        "127.0.0.1/x.png": "address-not-allowed",
        "u:p@pictures.example/a.png": "address-not-allowed",
    }
    assert set(internet.dialled) == {GOOD}
    kinds = sorted(file.rpartition(".")[2] for file in world.paths("images/library"))
    assert kinds == ["jpg", "png"], "the declared type is not believed"
