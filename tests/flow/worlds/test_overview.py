"""The overview: what is missing and where to put it right, editing in place, openings."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.flow.worlds.conftest import MakeWorld
from tests.support.form_filling import untouched
from tests.support.people import People, client_of, share
from tests.support.worlds import small_world
from worlds import actions
from worlds.actions.info import fields_etag
from worlds.models import World
from worlds.overview import ABOUT, address_of
from worlds.queries import folder_of
from worlds.rules.documents import Location
from worlds.rules.write import blank_world


def at(name: str, world: World, *parts: object) -> str:
    return reverse(f"worlds:{name}", args=[world.pk, *parts])


def world_json(world: World) -> dict[str, object]:
    value = folder_of(world).read_json("world.json")
    assert isinstance(value, dict)
    return value


def test_a_world_that_can_start_says_so(people: People, saltmarsh: World) -> None:
    page = client_of(people.ana).get(at("overview", saltmarsh)).content.decode()
    assert "A story can start." in page


@pytest.mark.req("DRAFT-2")
def test_a_draft_says_what_is_missing_with_the_way_there(people: People, make_world: MakeWorld) -> None:
    files = {path: data for path, data in small_world().items() if not path.startswith("locations/")}
    world = make_world(files)
    assert world.draft
    client = client_of(people.ana)
    page = client.get(at("overview", world))
    assert "A story can start." not in page.content.decode()
    addresses = [told.address for told in page.context["blocking"]]
    assert addresses
    for address in addresses:
        assert client.get(address).status_code == 200
    assert "Draft" in client.get("/").content.decode()


def test_nobody_to_play_is_told_and_is_no_draft(people: People, saltmarsh: World) -> None:
    folder = folder_of(saltmarsh)
    [path] = folder.paths("characters")
    with folder.change(by="test", what="edit") as change:
        change.write_json(path, {**change.read_json(path), "playable": False})
    answer = client_of(people.ana).get(at("overview", saltmarsh))
    assert "Nobody to play yet" in answer.content.decode()
    assert not answer.context["world"].draft


@pytest.mark.req("DRAFT-4")
def test_writing_an_opening_makes_a_draft_an_ordinary_world(people: People, data_root: object) -> None:
    world = actions.create_world(actor=people.ana, name="Marsh", language="en")
    assert world.draft
    client = client_of(people.ana)
    page = client.get(at("edit", world, "openings"))
    data = {**untouched(page.context["form"]).dict(), "etag": page.context["etag"], "opening": "Fog."}
    answer = client.post(at("edit", world, "openings"), data, follow=True)
    assert "A story can start." in answer.content.decode()
    world.refresh_from_db()
    assert not world.draft


@pytest.mark.req("WORLD-2")
def test_two_people_change_different_parts_and_both_stand(people: People, fog_harbour: World) -> None:
    share(people.ben, "world", fog_harbour.pk, "edit")
    ana, ben = client_of(people.ana), client_of(people.ben)
    about = ana.get(at("edit", fog_harbour, "about"))
    openings = ben.get(at("edit", fog_harbour, "openings"))
    one = {**untouched(about.context["form"]).dict(), "etag": about.context["etag"], "author": "Lin"}
    two = {
        **untouched(openings.context["form"]).dict(),
        "etag": openings.context["etag"],
        "opening": "潮落。",
    }
    assert ana.post(at("edit", fog_harbour, "about"), one).status_code == 303
    assert ben.post(at("edit", fog_harbour, "openings"), two).status_code == 303
    stored = world_json(fog_harbour)
    assert (stored["author"], stored["opening"]) == ("Lin", "潮落。")


def test_the_same_part_changed_by_two_is_a_conflict(people: People, fog_harbour: World) -> None:
    client = client_of(people.ana)
    page = client.get(at("edit", fog_harbour, "about"))
    data = {**untouched(page.context["form"]).dict(), "etag": page.context["etag"]}
    assert client.post(at("edit", fog_harbour, "about"), {**data, "author": "Lin"}).status_code == 303
    answer = client.post(at("edit", fog_harbour, "about"), {**data, "author": "Mo"})
    assert answer.status_code == 409
    assert answer.context["form"]["author"].value() == "Mo"
    assert world_json(fog_harbour)["author"] == "Lin"


def test_editing_keeps_what_the_form_does_not_show(people: People, fog_harbour: World) -> None:
    before = world_json(fog_harbour)
    actions.edit_info(
        actor=people.ana,
        world=fog_harbour,
        fields=ABOUT,
        values={"author": "Lin"},
        etag=fields_etag(before, ABOUT),
    )
    after = world_json(fog_harbour)
    assert {**after, "author": 0, "updated_at": 0} == {**before, "author": 0, "updated_at": 0}
    with pytest.raises(ValueError, match="preset"):
        actions.edit_info(
            actor=people.ana, world=fog_harbour, fields=("preset",), values={"preset": "x"}, etag=""
        )


def test_openings_change_places_and_none_is_lost(people: People, fog_harbour: World) -> None:
    client = client_of(people.ana)
    before = world_json(fog_harbour)
    others = before["alternate_openings"]
    assert isinstance(others, list)
    text = others[0]["text"]
    assert client.post(at("opening", fog_harbour, 0, "first"), {"text": text}).status_code == 303
    after = world_json(fog_harbour)
    assert after["opening"] == text
    texts = {before["opening"], *(other["text"] for other in others)}
    assert {after["opening"], *(o["text"] for o in after["alternate_openings"])} == texts  # type: ignore[attr-defined]
    stale = client.post(at("opening", fog_harbour, 0, "up"), {"text": "never there"})
    assert stale.status_code == 412


def test_an_edit_in_place_is_a_fragment(people: People, fog_harbour: World) -> None:
    answer = client_of(people.ana).get(at("edit", fog_harbour, "about"), headers={"HX-Request": "true"})
    html = answer.content.decode()
    assert "<html" not in html
    assert 'id="about"' in html


def test_every_finding_leads_to_a_page(people: People, make_world: MakeWorld) -> None:
    files = dict(blank_world("x", "en", __import__("django.utils.timezone", fromlist=["now"]).now()))
    files["locations/a.json"] = b"{"
    files["triggers.json"] = b"[]"
    files["lore/b.json"] = b'{"schema": "roleplay-lore/v1", "id": "other", "title": "B", "about": ["gone"]}'
    world = make_world(files)
    client = client_of(people.ana)
    findings = [finding["where"] for finding in world.findings if finding["severity"] == "error"]
    assert len(findings) >= 4
    for where in findings:
        assert client.get(address_of(world, where)).status_code == 200, where


def test_card_text_is_shown_as_text(people: People, make_world: MakeWorld) -> None:
    files = small_world()
    bad = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    world = make_world(files)
    folder = folder_of(world)
    with folder.change(by="test", what="edit") as change:
        stored = {
            **change.read_json("world.json"),
            "name": bad,
            "description": bad,
            "tags": [bad],
            "language": bad,
        }
        change.write_json("world.json", {**stored, "alternate_openings": [{"label": bad, "text": bad}]})
        change.write_json(
            "locations/x.json", Location(id="x", name=bad, summary=bad, description=bad).to_json()
        )
    client = client_of(people.ana)
    for address in (
        "/",
        at("overview", world),
        at("kind", world, "locations"),
        at("element", world, "locations", "x"),
    ):
        html = client.get(address).content.decode()
        assert "<script>alert" not in html, address
        assert "<img src=x" not in html, address


def test_a_text_is_marked_with_the_language_it_is_in(people: People, make_world: MakeWorld) -> None:
    """A Chinese card that somebody imported in English is read aloud and set as Chinese all the same."""
    world = make_world(small_world())
    with folder_of(world).change(by="test", what="edit") as change:
        value = {**world_json(world), "language": "en", "opening": "雾从海上来，灯塔亮了。"}
        change.write_json("world.json", value)
    page = client_of(people.ana).get(at("overview", world)).content.decode()
    assert '<div class="read" lang="zh">' in page
