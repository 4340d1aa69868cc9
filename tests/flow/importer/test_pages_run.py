"""While an import runs, and what it gives: progress from what is stored, account, report (OUT-1, RUN-3)."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from django.test import Client

from importer.queries import piece_rows, totals_of
from importer.words import OUTCOMES
from portal.models import Job
from tests.support.cards import book, chinese_card, english_card, entry, v3
from tests.support.importing import imported, ran, ready, started
from tests.support.people import People, client_of, share
from worlds.models import World
from worlds.queries import folder_of

pytestmark = pytest.mark.usefixtures("data_root")
FRAGMENT = {"HX-Request": "true"}


@pytest.fixture
def ana(people: People) -> Client:
    return client_of(people.ana)


@pytest.fixture
def running(people: People) -> World:
    """An import whose job is taken up, at its first stage."""
    world = started(ready(people.ana, english_card()))
    Job.objects.filter(subject=world.pk).update(state=Job.State.RUNNING, attempts=1)
    return world


def page_of(client: Client, world: World) -> str:
    return client.get(f"/import/{world.pk}/run/").content.decode()


def states(page: str) -> list[str]:
    """The marks of the four steps."""
    return re.findall(r'<li data-s="(\w+)"', page)


@pytest.mark.req("RUN-3")
def test_each_stage_is_told_in_words_from_what_is_stored(ana: Client, running: World) -> None:
    page = page_of(ana, running)
    assert states(page) == ["done", "run", "wait", "wait"]
    for words in ("Read the card", "Sort every piece", "1 of 4 steps", "You can close this page"):
        assert words in page
    assert "<title>25 % · Mira Oakes" in page
    ran(running, until="surveyed")
    page = page_of(ana, running)
    assert states(page) == ["done", "done", "run", "wait"]
    assert f"{len(piece_rows(running))} pieces" in page
    ran(running, until="built")
    page = page_of(ana, running)
    assert states(page) == ["done", "done", "done", "run"]
    assert "The bell" in page.partition("Just finished")[2]


def test_a_page_that_shows_the_state_gets_nothing_and_then_moves_on(ana: Client, running: World) -> None:
    here = f"/import/{running.pk}/run/"
    page = ana.get(here)
    seen = page.context["progress"].seen
    assert ana.get(here, {"seen": seen}, headers=FRAGMENT).status_code == 204
    ran(running, until="surveyed")
    part = ana.get(here, {"seen": seen}, headers=FRAGMENT)
    assert part.status_code == 200
    assert part.content.decode().lstrip().startswith('<div id="run"')
    ran(running)
    moved = ana.get(here, {"seen": seen}, headers=FRAGMENT)
    assert moved.headers["HX-Redirect"] == f"/import/{running.pk}/result/"
    assert ana.get(here).headers["Location"] == f"/import/{running.pk}/result/"
    assert ana.get(f"/import/{running.pk}/").headers["Location"] == f"/import/{running.pk}/result/"


@pytest.mark.parametrize(
    ("fields", "words", "buttons"),
    [
        ({"state": "queued"}, ["Waiting for its turn"], ["Stop"]),
        ({"state": "running", "stop_asked": True}, ["Stopping…"], []),
        ({"state": "running", "attempts": 2}, ["The server was interrupted", "nothing was lost"], ["Stop"]),
        ({"state": "stopped"}, ["Stopped", "You can go on at any time"], ["Go on", "Move to trash"]),
        (
            {
                "state": "failed",
                "error": "The disk is {how}.",
                "error_args": {"how": "full"},
                "error_hint": "Free some.",
            },
            ["It did not get to the end", "The disk is full.", "Free some.", "finished step are kept"],
            ["Try again"],
        ),
    ],
)
def test_every_standing_has_its_words_and_its_ways(
    ana: Client, running: World, fields: dict[str, object], words: list[str], buttons: list[str]
) -> None:
    Job.objects.filter(subject=running.pk).update(**fields)
    page = page_of(ana, running)
    for expected in [*words, *buttons]:
        assert expected in page
    assert ('hx-trigger="every 2s' in page.partition('id="run"')[2]) == (
        fields["state"] in ("queued", "running")
    )


def test_others_before_it_are_counted(ana: Client, people: People) -> None:
    started(ready(people.ana, v3(name="First")))
    Job.objects.filter(kind="read-upload").delete()
    second = started(ready(people.ana, v3(name="Second")))
    Job.objects.filter(kind="read-upload").delete()
    assert "One job is before it." in page_of(ana, second)


def test_stop_and_go_on(ana: Client, people: People) -> None:
    world = started(ready(people.ana, english_card()))
    job = Job.objects.get(subject=world.pk)
    ana.post(f"/import/{world.pk}/run/stop/")
    job.refresh_from_db()
    assert job.state == "stopped"
    answer = ana.post(f"/import/{world.pk}/run/go-on/")
    assert answer.headers["Location"] == f"/import/{world.pk}/run/"
    assert Job.objects.filter(subject=world.pk, state="queued").count() == 1
    assert ana.post(f"/import/{world.pk}/run/go-on/").status_code == 422  # it runs already


def test_a_stop_that_comes_too_late_is_no_error(ana: Client, running: World) -> None:
    ran(running)
    Job.objects.filter(subject=running.pk).update(state="done")
    answer = ana.post(f"/import/{running.pk}/run/stop/", follow=True)
    assert answer.redirect_chain[-1][0] == f"/import/{running.pk}/result/"
    assert "had ended already" in answer.content.decode()


def test_an_editor_sees_the_import_and_cannot_stop_the_owners_job(people: People, running: World) -> None:
    share(people.ben, "world", running.pk, "edit")
    ben = client_of(people.ben)
    assert "Stop keeps" not in page_of(ben, running)
    assert ben.post(f"/import/{running.pk}/run/stop/").status_code == 404
    assert ben.get(f"/import/{ran(running).pk}/result/").status_code == 200


@pytest.mark.req("OUT-1")
@pytest.mark.parametrize("card", [english_card, chinese_card], ids=["english", "chinese"])
def test_every_number_opens_a_list_of_that_many_rows(ana: Client, people: People, card: object) -> None:
    assert callable(card)
    world = imported(people.ana, card())
    here = f"/import/{world.pk}/result/"
    page = ana.get(here).content.decode()
    numbers = {
        name: int(count) for name, count in re.findall(r'href="\?outcome=(\w+)#pieces"[^>]*>(\d+)</a>', page)
    }
    assert numbers == {name: count for name, count in totals_of(world).items() if count}
    assert sum(numbers.values()) == len(piece_rows(world))
    for name, count in numbers.items():
        listed = ana.get(here, {"outcome": name}).content.decode()
        assert listed.count('class="card piece"') == min(count, 20)
        assert f"{OUTCOMES[name][0]} <small>{count}</small>" in listed


def test_long_lists_are_paged(ana: Client, people: People) -> None:
    world = imported(people.ana, v3(character_book=book(*(entry(n) for n in range(45)))))
    here = f"/import/{world.pk}/result/"
    total = totals_of(world)["carried"]
    seen = sum(
        ana.get(here, {"outcome": "carried", "page": page}).content.decode().count('class="card piece"')
        for page in (1, 2, 3)
    )
    assert seen == total > 40


@pytest.mark.req("OUT-1")
def test_a_passage_stands_beside_what_became_of_it(ana: Client, people: People) -> None:
    world = imported(people.ana, english_card())
    here = f"/import/{world.pk}/result/"
    lore = ana.get(here, {"outcome": "carried"}).content.decode()
    assert lore.count("The lamp burns whale oil and must be fed at dusk.") == 2
    assert f"/w/{world.pk}/elements/lore/" in lore
    person = ana.get(here, {"outcome": "converted"}).content.decode()
    assert "{{char}} keeps the lighthouse" in person
    assert "Mira Oakes keeps the lighthouse" in person
    assert f"/w/{world.pk}/elements/characters/" in person
    style = ana.get(here, {"outcome": "guidance"}).content.decode()
    assert "Narration style" in style or "(en)" in style
    left = ana.get(here, {"outcome": "omitted"}).content.decode()
    assert "You switched it off, or the card had." in left


def test_a_result_that_was_removed_since_says_so(ana: Client, people: People) -> None:
    world = imported(people.ana, english_card())
    path = next(row.made[0].path for row in piece_rows(world, "carried") if row.record.title == "The lamp")
    with folder_of(world).change(by="ana", what="edit") as change:
        change.remove(path)
    page = ana.get(f"/import/{world.pk}/result/", {"outcome": "carried"})
    assert page.status_code == 200
    assert "has been removed since" in page.content.decode()


@pytest.mark.req("OUT-2")
def test_what_was_left_out_is_named(ana: Client, people: People) -> None:
    page = ana.get(f"/import/{imported(people.ana, chinese_card()).pk}/result/").content.decode()
    for words in ("Left out or kept as written", "Regex scripts", "Helper scripts", "not run"):
        assert words in page


@pytest.mark.req("OUT-1", "OUT-2")
def test_the_headline_says_no_more_than_is_true(ana: Client, people: People) -> None:
    page = ana.get(f"/import/{imported(people.ana, chinese_card()).pk}/result/").content.decode()
    assert re.search(r'outcome=omitted#pieces">(One was|\d+ were) left out', page)
    assert "Nothing was left out" not in page
    kept, _mark, brought = page.partition("Brought over in another form")
    assert "become variables" in brought
    assert "become variables" not in kept
    plain = imported(people.ana, v3(description="Keeps the lamp.", character_book=None))
    page = ana.get(f"/import/{plain.pk}/result/").content.decode()
    assert "Imported: nobody can be played yet" in page
    assert "Nothing was left out." in page


def test_the_report_can_be_kept(ana: Client, people: People) -> None:
    card = v3(character_book=book(entry(0, comment="=HYPERLINK(1)")))
    world = imported(people.ana, card)
    answer = ana.get(f"/import/{world.pk}/report.json")
    report = json.loads(answer.content)
    assert "attachment" in answer.headers["Content-Disposition"]
    assert len(report["account"]) == sum(report["pieces"].values()) == len(piece_rows(world))
    assert report["leftOut"]["dialect"]
    table = ana.get(f"/import/{world.pk}/report.csv").content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(table)))
    assert rows[0] == ["piece", "title", "characters", "outcome", "reason", "became"]
    assert len(rows) == len(piece_rows(world)) + 1
    assert ["entry:0", "'=HYPERLINK(1)"] in [row[:2] for row in rows]


def test_a_world_that_lost_its_record_still_has_its_pages(ana: Client, people: People) -> None:
    world = imported(people.ana, english_card())
    (folder_of(world).path / ".import" / "preview.json").unlink()
    assert ana.get(f"/import/{world.pk}/result/").status_code == 200
    (folder_of(world).path / ".import" / "card.json").unlink()
    assert ana.get(f"/import/{world.pk}/result/").status_code in (200, 404)
    (folder_of(world).path / ".import" / "state.json").write_text("{}")
    assert ana.get(f"/w/{world.pk}/").status_code == 200


@pytest.mark.req("PIC-1")
def test_the_pictures_have_a_line_that_follows_them(ana: Client, people: People) -> None:
    world = imported(people.ana, english_card())
    here = f"/import/{world.pk}/result/pictures/"
    assert "names no picture" in ana.get(here).content.decode()
    job = Job.objects.create(
        owner=people.ana,
        kind="import-pictures",
        subject=world.pk,
        title="x",
        state="running",
        done=3,
        total=8,
    )
    live = ana.get(here)
    assert "3 of 8 addresses asked" in live.content.decode()
    seen = live.context["pictures"].seen
    assert ana.get(here, {"seen": seen}, headers=FRAGMENT).status_code == 204
    stored = {
        "schema": "roleplay-import-pictures/v1",
        "pictures": [
            {
                "address": "https://pictures.example/a.png",
                "result": "kept",
                "at": "",
                "file": "images/library/a.png",
            },
            {
                "address": "https://pictures.example/b.png",
                "result": "failed",
                "at": "",
                "message": "Nobody answered.",
            },
        ],
    }
    (folder_of(world).path / ".import" / "pictures.json").write_text(json.dumps(stored))
    Job.objects.filter(pk=job.pk).update(state="done", version=5)
    done = ana.get(here, {"seen": seen}, headers=FRAGMENT).content.decode()
    for words in ("1 of 8 fetched", "1 gave no picture", "Nobody answered.", "Ask for them again"):
        assert words in done
    ana.post(here)
    assert Job.objects.filter(kind="import-pictures", state="queued", data={"again": True}).count() == 1


@pytest.mark.req("PIC-1")
def test_the_images_page_tells_which_pictures_could_not_be_fetched(ana: Client, people: People) -> None:
    world = imported(people.ana, english_card())
    images = f"/w/{world.pk}/images/"
    assert "by their address" not in ana.get(images).content.decode()
    failed = {"address": "https://pictures.example/b.png", "result": "failed", "message": "Nobody answered."}
    stored = {"schema": "roleplay-import-pictures/v1", "pictures": [failed]}
    (folder_of(world).path / ".import" / "pictures.json").write_text(json.dumps(stored))
    page = ana.get(images).content.decode()
    for words in ("by their address", "1 gave no picture", "Nobody answered.", "Ask for them again"):
        assert words in page
    answer = ana.post(f"/import/{world.pk}/result/pictures/", {"beside": "pictures"})
    assert answer.headers["Location"] == images
    share(people.ben, "world", world.pk, "read")
    assert "pictures.example" not in client_of(people.ben).get(images).content.decode()


def test_the_list_of_jobs_says_what_came_of_an_import(ana: Client, people: People) -> None:
    silent = imported(people.ana, v3(name="Mute", first_mes="", alternate_greetings=[]))
    mira = imported(people.ana, english_card())
    stored = {"pictures": [{"result": "kept"}, {"result": "failed"}, {"result": "copy"}]}
    (folder_of(mira).path / ".import" / "pictures.json").write_text(json.dumps(stored))
    Job.objects.create(owner=people.ana, kind="import-pictures", subject=mira.pk, title="x", state="done")
    Job.objects.filter(owner=people.ana).update(state="done")
    page = ana.get("/jobs/").content.decode()
    for words in (
        "“Mute” is a draft: 1 thing to fix.",
        "“Mira Oakes” is there; nobody can be played yet.",
        "2 of 3 pictures are there.",
        "<p>Imported</p>",
    ):
        assert words in page
    assert f'href="/import/{silent.pk}/"' in page
