"""A draft: told by its headline, mended on the spot, kept or discarded (DRAFT-2, DRAFT-4, DRAFT-5)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from importer.queries import draft_problems
from portal.models import Job
from tests.support.cards import english_card, v3
from tests.support.importing import imported, ready, started
from tests.support.people import People, client_of, share
from tests.support.worlds import small_world
from worlds.actions import delete_element, index_world
from worlds.kinds import element_kind
from worlds.models import Element, World
from worlds.overview import info_of
from worlds.queries import folder_of, shelf_of
from worlds.store.paths import new_item_id

pytestmark = pytest.mark.usefixtures("data_root")
FRAGMENT = {"HX-Request": "true"}


@pytest.fixture
def ana(people: People) -> Client:
    return client_of(people.ana)


@pytest.fixture
def silent(people: People) -> World:
    """A draft without an opening."""
    return imported(people.ana, v3(first_mes="", alternate_greetings=[]))


def mend(client: Client, world: World, value: str, where: str = "world.json: opening") -> Any:
    data = {"code": "write-opening", "where": where, "value": value}
    return client.post(f"/w/{world.pk}/repair/mend/", data, follow=True)


@pytest.mark.req("DRAFT-2", "DRAFT-6")
def test_the_result_says_that_it_is_a_draft(ana: Client, silent: World) -> None:
    assert (silent.stage, silent.draft) == ("repair", True)
    page = ana.get(f"/import/{silent.pk}/result/").content.decode()
    assert "Draft: one thing to fix" in page
    assert f'href="/w/{silent.pk}/repair/"' in page


def test_a_problem_is_told_with_its_place_its_fix_and_its_editor(ana: Client, silent: World) -> None:
    page = ana.get(f"/w/{silent.pk}/repair/").content.decode()
    for words in (
        "One thing left",
        "has no opening",
        "world.json: opening",
        "Write an opening",
        "Edit it yourself",
    ):
        assert words in page
    assert f"/w/{silent.pk}/edit/openings/" in page


@pytest.mark.req("DRAFT-4")
def test_the_smallest_fix_makes_it_an_ordinary_world(ana: Client, silent: World) -> None:
    here = f"/w/{silent.pk}/repair/"
    seen = ana.get(here).context["seen"]
    assert ana.get(here, {"seen": seen}, headers=FRAGMENT).status_code == 204
    answer = mend(ana, silent, "The lamp goes out.\r\n\r\nSomebody is on the stairs.")
    page = answer.content.decode()
    assert "Mended. Nobody can be played yet." in page
    assert "Nothing is left to mend, but nobody can be played yet" in page
    assert f'href="/w/{silent.pk}/elements/characters/' in page
    silent.refresh_from_db()
    assert (silent.stage, silent.draft) == ("done", False)
    assert info_of(silent)["opening"] == "The lamp goes out.\n\nSomebody is on the stairs."
    green = ana.get(here, {"seen": seen}, headers=FRAGMENT)  # a page that was open turns green by itself
    assert "Nothing is left to mend" in green.content.decode()


@pytest.mark.req("DRAFT-4")
def test_without_people_whoever_plays_brings_a_character(ana: Client, silent: World) -> None:
    key = Element.objects.get(world=silent, kind="character").key
    delete_element(actor=silent.owner, world=silent, kind=element_kind("characters"), key=key)
    page = mend(ana, silent, "The lamp goes out.").content.decode()
    assert "Mended. A story can start." in page
    assert "Whoever plays brings a character of their own." in page


def test_an_empty_answer_is_told_beside_its_problem(ana: Client, silent: World) -> None:
    answer = mend(ana, silent, "   ")
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Please write something. Nothing was changed." in page.partition('id="mend-1"')[2]
    assert silent.draft


def test_a_fix_that_is_not_offered_any_more_changes_nothing(ana: Client, silent: World) -> None:
    answer = mend(ana, silent, "x", where="world.json: starting_location")
    assert answer.status_code == 422
    assert "not there any more" in answer.content.decode()
    assert len(draft_problems(silent)) == 1


@pytest.mark.req("DRAFT-5")
def test_keeping_asks_no_more_and_the_mark_stays(ana: Client, silent: World) -> None:
    answer = ana.post(f"/w/{silent.pk}/repair/keep/", follow=True)
    assert "Kept as a draft" in answer.content.decode()
    silent.refresh_from_db()
    assert silent.draft
    mend(ana, silent, "Now it begins.")
    silent.refresh_from_db()
    assert not silent.draft


@pytest.mark.req("DRAFT-5")
def test_discarding_moves_it_to_the_trash_and_undo_brings_it_back(ana: Client, silent: World) -> None:
    answer = ana.post(f"/w/{silent.pk}/repair/discard/", follow=True)
    page = answer.content.decode()
    assert "is in the trash for 30 days" in page
    assert not World.objects.filter(pk=silent.pk).exists()
    undo = page.partition('action="/trash/')[2].partition('"')[0]
    ana.post(f"/trash/{undo}")
    assert World.objects.get(pk=silent.pk).draft


def test_a_world_that_is_no_draft_can_neither_be_kept_nor_discarded(ana: Client, people: People) -> None:
    world = imported(people.ana, english_card())
    assert ana.post(f"/w/{world.pk}/repair/keep/").status_code == 422
    assert ana.post(f"/w/{world.pk}/repair/discard/").status_code == 422
    assert World.objects.filter(pk=world.pk).exists()


def test_a_world_from_nothing_is_mended_the_same_way(ana: Client, people: People) -> None:
    world_id = new_item_id("broken")
    shelf_of(people.ana).create(world_id, small_world())
    world = index_world(owner=people.ana, world_id=world_id)
    assert world is not None
    with folder_of(world).change(by="ana", what="edit") as change:
        value = change.read_json("world.json")
        change.write("world.json", json.dumps({**value, "opening": ""}).encode())
    page = ana.get(f"/w/{world_id}/repair/").content.decode()
    assert "has no opening" in page
    assert "Keep as a draft" not in page  # it is nobody's draft: no import made it


@pytest.mark.req("DRAFT-2")
def test_the_passages_of_the_card_stand_below_a_problem(ana: Client, people: People) -> None:
    world = imported(people.ana, english_card())
    with folder_of(world).change(by="ana", what="edit") as change:
        value = change.read_json("world.json")
        others = value["alternate_openings"]
        change.write("world.json", json.dumps({**value, "opening": ""}).encode())
    page = ana.get(f"/w/{world.pk}/repair/").content.decode()
    assert "What the card says" in page
    assert "The door slams." in page
    assert len(others) == 2
    assert page.count("<option") == 2  # one of the other openings can take its place


def test_an_import_that_runs_has_no_repair_page_yet(ana: Client, people: People) -> None:
    world = started(ready(people.ana, english_card()))
    answer = ana.get(f"/w/{world.pk}/repair/")
    assert answer.headers["Location"] == f"/import/{world.pk}/run/"


def test_what_other_pages_show_of_it(ana: Client, people: People, silent: World) -> None:
    waits = ready(people.ana, v3(name="Waits"))
    runs = started(ready(people.ana, v3(name="Runs")))
    home = ana.get("/").content.decode()
    assert "data-drop" in home
    for address in (f"/import/{runs.pk}/run/", f"/w/{silent.pk}/repair/", f"/import/{waits.pk}/"):
        assert f'href="{address}"' in home
    overview = ana.get(f"/w/{silent.pk}/").content.decode()
    for words in ("From the card", "card.json", f"/import/{silent.pk}/result/", "This world is a draft"):
        assert words in overview
    assert "See how far it is" in ana.get(f"/w/{runs.pk}/").content.decode()
    share(people.ben, "world", silent.pk, "read")
    readers = client_of(people.ben).get(f"/w/{silent.pk}/").content.decode()
    assert "From the card" not in readers
    assert "/repair/" not in readers
    jobs = ana.get("/jobs/").content.decode()
    assert f'href="/import/{runs.pk}/"' in jobs
    assert Job.objects.filter(kind="read-upload", subject=waits.pk).exists()


def test_the_first_pages_offer_a_sample_in_each_language(people: People) -> None:
    host = client_of(people.hal)
    for address in ("/welcome/", "/", "/import/"):
        page = host.get(address).content.decode()
        assert "/import/sample/en/" in page
        assert "/import/sample/zh-hans/" in page
