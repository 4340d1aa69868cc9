"""What leaves a world and what comes in, in parts: large files cost no memory, a lost one costs no others."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from django.test import RequestFactory
from django.urls import reverse

from tests.support.people import People, client_of
from tests.support.worlds import PIXEL
from worlds import actions
from worlds.downloads import file_response, made_response, zip_of
from worlds.kinds import element_kind
from worlds.models import World
from worlds.queries import folder_of
from worlds.store.pictures import Kept, PictureLibrary

MB = 1024 * 1024


def peak(work: Callable[[], object]) -> float:
    """The most memory that was taken meanwhile, in MB."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / MB
    finally:
        tracemalloc.stop()


def test_a_file_deleted_while_the_zip_is_made_is_named_and_costs_no_other(
    people: People, fog_harbour: World
) -> None:
    names = folder_of(fog_harbour).published_paths()
    parts = zip_of(folder_of(fog_harbour), "雾港")
    actions.delete_element(actor=people.ana, world=fog_harbour, kind=element_kind("lore"), key="沉船")
    with zipfile.ZipFile(io.BytesIO(b"".join(parts))) as archive:
        assert archive.testzip() is None
        assert set(archive.namelist()) == {f"雾港/{name}" for name in names if name != "lore/沉船.json"} | {
            "雾港.left-out.txt"
        }
        told = archive.read("雾港.left-out.txt").decode()
    assert told.splitlines()[2:] == ["lore/沉船.json"]
    assert "deleted" in told


def test_a_large_file_is_zipped_in_parts(saltmarsh: World) -> None:
    large(saltmarsh, "images/library/map.gif", 24 * MB, PIXEL)

    def send() -> None:
        for _part in zip_of(folder_of(saltmarsh), "x"):
            pass

    assert peak(send) < 6


def large(world: World, path: str, size: int, head: bytes = b"") -> Path:
    """A file of a world with as many bytes, zeros after its head."""
    file = folder_of(world).path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(head)
    with file.open("r+b") as opened:
        opened.truncate(size)
    return file


def test_the_viewer_reads_no_more_than_it_shows(people: People, saltmarsh: World) -> None:
    large(saltmarsh, "prompts/en/roleplay/style.md", 24 * MB, "夜".encode() * 1000)
    client = client_of(people.ana)
    address = reverse("worlds:file", args=[saltmarsh.pk, "images/library/map.gif"])
    large(saltmarsh, "images/library/map.gif", 24 * MB, b"\xff\xfe")
    client.get(address)  # the index is brought up to date once
    assert peak(lambda: client.get(address)) < 8
    page = client.get(address)
    assert (page.context["size"], page.context["text"], page.context["cut"]) == (24 * MB, None, True)
    text = client.get(reverse("worlds:file", args=[saltmarsh.pk, "prompts/en/roleplay/style.md"]))
    assert text.context["text"].startswith("夜夜")


def test_files_and_pictures_are_sent_in_parts(people: People, saltmarsh: World) -> None:
    large(saltmarsh, "images/library/map.gif", 24 * MB, PIXEL)
    client = client_of(people.ana)
    for address, kind in (
        (reverse("worlds:picture", args=[saltmarsh.pk, "library/map.gif"]), "image/gif"),
        (
            reverse("worlds:file", args=[saltmarsh.pk, "images/library/map.gif"]) + "?download",
            "application/octet-stream",
        ),
    ):
        answer = client.get(address)
        assert answer.streaming
        assert answer["Content-Type"] == kind
        assert answer["Content-Length"] == str(24 * MB)
        sizes = [len(part) for part in answer]
        assert (sum(sizes), max(sizes) < MB) == (24 * MB, True)
        assert client.get(address, headers={"If-None-Match": answer["ETag"]}).status_code == 304

    def send() -> None:
        opened = folder_of(saltmarsh).open("images/library/map.gif")
        for _part in file_response(RequestFactory().get("/"), opened, "map.gif", as_picture=True):
            pass

    assert peak(send) < 3


def test_an_empty_file_is_no_picture(people: People, saltmarsh: World) -> None:
    large(saltmarsh, "images/empty.png", 0)
    answer = client_of(people.ana).get(reverse("worlds:picture", args=[saltmarsh.pk, "empty.png"]))
    assert (answer.getvalue(), answer["Content-Type"]) == (b"", "application/octet-stream")


def test_uploads_are_taken_one_after_the_other(people: People, saltmarsh: World) -> None:
    def uploads() -> Iterator[tuple[str, bytes]]:
        for number in range(8):
            yield f"{number}.gif", PIXEL + bytes([number]) * (3 * MB)

    def add() -> None:
        results = actions.add_picture(actor=people.ana, world=saltmarsh, uploads=uploads())
        assert all(isinstance(result, Kept) for result in results)

    assert peak(add) < 14
    assert len(PictureLibrary(folder_of(saltmarsh)).pictures()) == 8


def test_a_text_made_for_the_answer_is_saved_and_never_shown() -> None:
    answer = made_response("<script>x</script>", "text/html", "雾港 “a”.html")
    assert answer.headers["Content-Disposition"].startswith("attachment; filename")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "private" in answer.headers["Cache-Control"]
