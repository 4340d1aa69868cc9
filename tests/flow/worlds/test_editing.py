"""Editing elements through the pages: saving, refusing, conflicts, adding, deleting and taking back."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from portal.models import Person
from tests.flow.worlds.conftest import MakeWorld
from tests.support.form_filling import untouched
from tests.support.people import People, client_of, share
from worlds.actions import add_element, save_element
from worlds.document_form import DocumentForm
from worlds.kinds import element_kind
from worlds.models import Element, World
from worlds.queries import folder_of
from worlds.references import WorldReferences
from worlds.rules.write import blank_world
from worlds.stored import stored_element
from worlds.versions import last_saved


def at(name: str, world: World, *parts: object) -> str:
    return reverse(f"worlds:{name}", args=[world.pk, *parts])


def filled(world: World, slug: str, key: str, **typed: str) -> dict[str, Any]:
    """The form of an element as its page shows it, with some fields typed over, and its ETag."""
    kind = element_kind(slug)
    stored = stored_element(world, kind, key)
    assert kind.model is not None
    assert stored.value is not None
    data = untouched(DocumentForm(kind.model, stored.value, WorldReferences(world)))
    return {**data.dict(), **{n: data.getlist(n) for n in data}, "etag": stored.etag, **typed}


def save(client: Client, world: World, slug: str, key: str, data: dict[str, Any]) -> Any:
    return client.post(at("element", world, slug, key), data)


def file_json(world: World, path: str) -> Any:
    return folder_of(world).read_json(path)


def test_a_saved_form_changes_the_file_and_the_list(people: People, fog_harbour: World) -> None:
    client = client_of(people.ana)
    data = filled(fog_harbour, "characters", "沈青", summary="替商会记账，也替自己记账。")
    answer = save(client, fog_harbour, "characters", "沈青", data)
    assert answer.status_code == 303
    assert file_json(fog_harbour, "characters/沈青.json")["summary"] == "替商会记账，也替自己记账。"
    row = Element.objects.get(world=fog_harbour, kind="character", key="沈青")
    assert row.summary == "替商会记账，也替自己记账。"
    assert folder_of(fog_harbour).history()[0].by == people.ana.handle


def test_keys_nobody_reads_are_kept_and_reported(people: People, fog_harbour: World) -> None:
    client = client_of(people.ana)
    stored = stored_element(fog_harbour, element_kind("items"), "账本")
    assert stored.value is not None
    text = json.dumps({**stored.value, "smell": "salt"}, ensure_ascii=False)
    client.post(at("source", fog_harbour, "items", "账本"), {"text": text, "etag": stored.etag})
    data = filled(fog_harbour, "items", "账本", summary="缺了三页。")
    assert save(client, fog_harbour, "items", "账本", data).status_code == 303
    assert file_json(fog_harbour, "items/账本.json")["smell"] == "salt"
    page = client.get(at("element", fog_harbour, "items", "账本")).content.decode()
    assert "smell" in page


def test_what_the_reader_refuses_is_told_at_its_field_and_not_saved(
    people: People, fog_harbour: World
) -> None:
    before = folder_of(fog_harbour).read("characters/沈青.json")
    data = filled(fog_harbour, "characters", "沈青", name=" ")
    answer = save(client_of(people.ana), fog_harbour, "characters", "沈青", data)
    assert answer.status_code == 422
    assert answer.context["form"].errors.keys() == {"name"}
    assert folder_of(fog_harbour).read("characters/沈青.json") == before


def test_two_people_get_a_choice_and_nothing_is_lost(people: People, fog_harbour: World) -> None:
    share(people.ben, "world", fog_harbour.pk, "edit")
    ana, ben = client_of(people.ana), client_of(people.ben)
    mine = filled(fog_harbour, "characters", "老周", summary="守门人。")
    theirs = filled(fog_harbour, "characters", "老周", summary="看灯的老人。")
    assert save(ben, fog_harbour, "characters", "老周", theirs).status_code == 303
    answer = save(ana, fog_harbour, "characters", "老周", mine)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "ben saved this" in page
    assert "守门人。" in page
    assert "看灯的老人。" in page
    assert file_json(fog_harbour, "characters/老周.json")["summary"] == "看灯的老人。"
    keep = {"text": answer.context["mine"], "etag": answer.context["etag"]}
    assert ana.post(at("source", fog_harbour, "characters", "老周"), keep).status_code == 303
    assert file_json(fog_harbour, "characters/老周.json")["summary"] == "守门人。"


def test_editing_after_a_conflict_starts_from_what_was_typed(people: People, fog_harbour: World) -> None:
    client = client_of(people.ana)
    mine = json.dumps({"id": "老周", "name": "老周", "summary": "守门人。"}, ensure_ascii=False)
    answer = client.post(at("element", fog_harbour, "characters", "老周"), {"mine": mine, "etag": '"x"'})
    assert answer.status_code == 200
    assert answer.context["form"]["summary"].value() == "守门人。"
    assert answer.context["etag"] == '"x"'


def test_two_entries_of_one_file_do_not_get_in_each_others_way(people: People, fog_harbour: World) -> None:
    client = client_of(people.ana)
    first, second = (
        Element.objects.filter(world=fog_harbour, kind="variable").order_by("position")[number]
        for number in (0, 1)
    )
    one = filled(fog_harbour, "variables", first.key, description="一")
    two = filled(fog_harbour, "variables", second.key, description="二")
    assert save(client, fog_harbour, "variables", first.key, one).status_code == 303
    assert save(client, fog_harbour, "variables", second.key, two).status_code == 303
    told = [entry.get("description") for entry in file_json(fog_harbour, "variables.json")["variables"]]
    assert told[:2] == ["一", "二"]


def test_one_entry_changed_twice_is_a_conflict(people: People, fog_harbour: World) -> None:
    client = client_of(people.ana)
    key = Element.objects.filter(world=fog_harbour, kind="variable").order_by("position")[0].key
    one = filled(fog_harbour, "variables", key, description="一")
    two = filled(fog_harbour, "variables", key, description="二")
    assert save(client, fog_harbour, "variables", key, one).status_code == 303
    assert save(client, fog_harbour, "variables", key, two).status_code == 409


@pytest.mark.req("CARD-10")
def test_a_new_element_gets_its_id_from_its_name(people: People, fog_harbour: World) -> None:
    client = client_of(people.ana)
    answer = client.post(at("new_element", fog_harbour, "locations"), {"name": "  北岸 / 鱼市  "})
    assert answer.status_code == 303
    assert file_json(fog_harbour, "locations/北岸-鱼市.json")["name"] == "北岸 / 鱼市"
    again = client.post(at("new_element", fog_harbour, "locations"), {"name": "北岸 鱼市"})
    assert again.status_code == 303
    assert folder_of(fog_harbour).has("locations/北岸-鱼市-2.json")


def test_a_new_way_gets_an_id_of_its_own(people: People, fog_harbour: World) -> None:
    client = client_of(people.ana)
    data = filled(fog_harbour, "locations", "灯塔")
    more = client.post(at("element", fog_harbour, "locations", "灯塔"), {**data, "more": "exits"})
    assert more.status_code == 200
    sent = {**untouched(more.context["form"]).dict(), "etag": more.context["etag"], "exits.0.to": "港城"}
    assert save(client, fog_harbour, "locations", "灯塔", sent).status_code == 303
    [way] = file_json(fog_harbour, "locations/灯塔.json")["exits"]
    assert way["to"] == "港城"
    assert way["id"]


def test_a_variable_gets_its_key_from_its_label(people: People, fog_harbour: World) -> None:
    data = {"label": "Tide height", "scope": "world", "kind": "number", "default": "2"}
    answer = client_of(people.ana).post(at("new_element", fog_harbour, "variables"), data)
    assert answer.status_code == 303
    assert file_json(fog_harbour, "variables.json")["variables"][-1]["key"] == "tide_height"


def test_a_wrong_variable_is_refused_with_its_reason(people: People, fog_harbour: World) -> None:
    before = folder_of(fog_harbour).read("variables.json")
    data = {"label": "Mood of day", "scope": "world", "kind": "choice", "options": "one"}
    answer = client_of(people.ana).post(at("new_element", fog_harbour, "variables"), data)
    assert answer.status_code == 422
    assert "options" in answer.context["form"].errors
    assert folder_of(fog_harbour).read("variables.json") == before


def test_deleting_offers_undo(people: People, fog_harbour: World) -> None:
    client = client_of(people.ana)
    before = folder_of(fog_harbour).read("lore/沉船.json")
    answer = client.post(at("delete_element", fog_harbour, "lore", "沉船"), follow=True)
    assert not folder_of(fog_harbour).has("lore/沉船.json")
    [notice, *_rest] = [m for m in answer.context["messages"] if "undo:" in m.extra_tags]
    undo = notice.extra_tags.split("undo:")[1].split()[0]
    assert client.post(undo).status_code == 303
    assert folder_of(fog_harbour).read("lore/沉船.json") == before


def test_undo_of_an_entry_works_after_another_entry_changed(people: People, fog_harbour: World) -> None:
    client = client_of(people.ana)
    rows = list(Element.objects.filter(world=fog_harbour, kind="variable").order_by("position"))
    client.post(at("delete_element", fog_harbour, "variables", rows[0].key))
    change_id = folder_of(fog_harbour).history()[0].id
    data = filled(fog_harbour, "variables", rows[1].key, description="改过")
    assert save(client, fog_harbour, "variables", rows[1].key, data).status_code == 303
    assert client.post(at("undo", fog_harbour, change_id)).status_code == 303
    entries = file_json(fog_harbour, "variables.json")["variables"]
    assert {entry["key"] for entry in entries} == {row.key for row in rows}
    assert any(entry.get("description") == "改过" for entry in entries)


def test_a_relation_is_found_by_what_it_says(people: People, fog_harbour: World) -> None:
    client = client_of(people.ana)
    row = Element.objects.get(world=fog_harbour, kind="relationship")
    data = filled(fog_harbour, "relationships", row.key, type="债主")
    answer = save(client, fog_harbour, "relationships", row.key, data)
    assert answer.status_code == 303
    assert client.get(answer["Location"]).status_code == 200
    assert file_json(fog_harbour, "relationships.json")["relationships"][0]["type"] == "债主"


@pytest.mark.req("STRUCT-4")
def test_a_prompt_is_made_inert_when_saved(people: People, fog_harbour: World) -> None:
    client = client_of(people.ana)
    stored = stored_element(fog_harbour, element_kind("prompts"), "en.style")
    data = {"text": "Write as ${name} and {{user}}.", "etag": stored.etag}
    assert client.post(at("element", fog_harbour, "prompts", "en.style"), data).status_code == 303
    text = folder_of(fog_harbour).read("prompts/en/roleplay/style.md").decode()
    assert text == "Write as $ {name} and { {user}}.\n"


def test_a_broken_file_is_mended_in_its_source(people: People, fog_harbour: World) -> None:
    client = client_of(people.ana)
    path = folder_of(fog_harbour).path / "triggers.json"
    path.write_text('{"schema": "roleplay-triggers/v1", "triggers": [')
    page = client.get(at("kind", fog_harbour, "triggers"))
    assert page.status_code == 200
    address = at("source_file", fog_harbour, "triggers.json")
    assert address in page.content.decode()
    source = client.get(address)
    wrong = client.post(address, {"text": "{", "etag": source.context["etag"]})
    assert wrong.status_code == 422
    good = '{"schema": "roleplay-triggers/v1", "triggers": []}'
    right = client.post(address, {"text": good, "etag": source.context["etag"]})
    assert right.status_code == 303


@pytest.mark.parametrize(
    ("who", "told"),
    [
        ("ben", "ben saved this"),
        ("ana", "You saved this in another tab"),
        ("", "Another program changed this file"),
    ],
)
def test_a_conflict_about_a_whole_file_says_who_saved_it(
    people: People, fog_harbour: World, who: str, told: str
) -> None:
    share(people.ben, "world", fog_harbour.pk, "edit")
    address, client = at("source_file", fog_harbour, "triggers.json"), client_of(people.ana)
    etag = client.get(address).context["etag"]
    theirs = '{"schema": "roleplay-triggers/v1", "triggers": []}\n'
    if who:
        other = client_of(getattr(people, who))
        assert other.post(address, {"text": theirs, "etag": etag}).status_code == 303
    else:
        (folder_of(fog_harbour).path / "triggers.json").write_text(theirs)
    mine = {"text": '{"schema": "roleplay-triggers/v1", "triggers": [], "mine": 1}', "etag": etag}
    answer = client.post(address, mine)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert told in page
    assert "someone else" not in page
    assert "&quot;mine&quot;: 1" in page
    assert client.post(address, {**mine, "etag": answer.context["etag"]}).status_code == 303


def test_an_edit_by_hand_is_seen_at_once(people: People, fog_harbour: World) -> None:
    path = folder_of(fog_harbour).path / "items" / "账本.json"
    value = json.loads(path.read_text())
    path.write_text(json.dumps({**value, "name": "旧账本"}, ensure_ascii=False))
    page = client_of(people.ana).get(at("kind", fog_harbour, "items"))
    assert "旧账本" in page.content.decode()


def test_while_an_import_writes_one_can_read_and_not_save(people: People, fog_harbour: World) -> None:
    client = client_of(people.ana)
    data = filled(fog_harbour, "characters", "沈青", summary="?")
    with folder_of(fog_harbour).change(by="test", what="import", history=False) as change:
        change.write_json(".import/state.json", {"schema": "dsh-roleplay-import/v1", "stage": "surveyed"})
    answer = save(client, fog_harbour, "characters", "沈青", data)
    assert answer.status_code == 423
    page = client.get(at("element", fog_harbour, "characters", "沈青"))
    assert page.status_code == 200
    assert "data-busy" not in page.content.decode()


def test_search_and_filter_of_a_list(people: People, fog_harbour: World) -> None:
    client = client_of(people.ana)
    found = client.get(at("kind", fog_harbour, "characters"), {"q": "青姐"}).context["page"]
    assert [row.key for row in found] == ["沈青"]
    none = client.get(at("kind", fog_harbour, "characters"), {"only": "problems"}).context["page"]
    assert list(none) == []
    fragment = client.get(at("kind", fog_harbour, "characters"), headers={"HX-Request": "true"})
    assert b"<html" not in fragment.content


@pytest.mark.parametrize(("first", "start"), [(True, "quay"), (False, None)])
def test_the_first_place_of_a_world_is_where_stories_start(
    people: People, make_world: MakeWorld, first: bool, start: str | None
) -> None:
    world = make_world(blank_world("Quay", "en", datetime(2026, 11, 30, tzinfo=UTC)))
    if not first:
        with folder_of(world).change(by="ana", what="edit") as change:
            change.write_json("locations/mole.json", {"id": "mole", "name": "Mole"})
    add_element(actor=people.ana, world=world, kind=element_kind("locations"), value={"name": "Quay"})
    assert file_json(world, "world.json").get("starting_location") == start


def test_a_place_is_not_offered_as_part_of_itself(people: People, fog_harbour: World) -> None:
    places = Element.objects.filter(world=fog_harbour, kind="location")
    for place in places:
        page = client_of(people.ana).get(f"/w/{fog_harbour.pk}/elements/locations/{place.key}/")
        offered = dict(page.context["form"]["parent"].field.choices)
        assert set(offered) - {""} == set(places.values_list("key", flat=True)) - {place.key}


def test_a_conflict_with_ones_own_other_tab_says_so(people: People, fog_harbour: World) -> None:
    ana = client_of(people.ana)
    mine = filled(fog_harbour, "characters", "老周", summary="守门人。")
    other_tab = filled(fog_harbour, "characters", "老周", summary="看灯的老人。")
    assert save(ana, fog_harbour, "characters", "老周", other_tab).status_code == 303
    page = save(ana, fog_harbour, "characters", "老周", mine).content.decode()
    assert "You saved this in another tab or window" in page
    assert "Keep theirs" not in page


def test_a_conflict_with_another_program_names_nobody(people: People, fog_harbour: World) -> None:
    mine = filled(fog_harbour, "characters", "老周", summary="守门人。")
    path = folder_of(fog_harbour).path / "characters/老周.json"
    path.write_text(path.read_text().replace("老周", "老周", 1) + "\n")
    page = save(client_of(people.ana), fog_harbour, "characters", "老周", mine)
    assert page.status_code == 409
    assert "Another program changed this file meanwhile" in page.content.decode()


def test_who_saved_an_entry_of_a_shared_list(people: People, fog_harbour: World) -> None:
    share(people.ben, "world", fog_harbour.pk, "edit")
    first, second = Element.objects.filter(world=fog_harbour, kind="variable").order_by("position")[:2]
    rewritten(people.ben, fog_harbour, first.key)
    rewritten(people.ana, fog_harbour, second.key)
    saved = last_saved(fog_harbour, "variables.json", people.ana, f"variables.json: {first.key}")
    assert (saved.who, saved.own) == ("ben", False)
    saved = last_saved(fog_harbour, "variables.json", people.ana, f"variables.json: {second.key}")
    assert (saved.who, saved.own) == ("You", True)


def rewritten(person: Person, world: World, key: str) -> None:
    """Give a variable another description."""
    kind = element_kind("variables")
    stored = stored_element(world, kind, key)
    assert stored.value is not None
    value = {**stored.value, "description": f"{person.username} was here"}
    save_element(actor=person, world=world, kind=kind, key=key, value=value, etag=stored.etag)
