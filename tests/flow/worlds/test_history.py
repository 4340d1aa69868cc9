"""History and files: who changed what, what differed, versions brought back; what readers do not see."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from tests.support.people import People, client_of, share
from worlds import actions
from worlds.kinds import element_kind
from worlds.models import Element, World
from worlds.queries import folder_of
from worlds.stored import stored_element


def at(name: str, world: World, *parts: object) -> str:
    return reverse(f"worlds:{name}", args=[world.pk, *parts])


def rewrite(people: People, world: World, summary: str) -> str:
    """Change 老周 and give the id of the change."""
    stored = stored_element(world, element_kind("characters"), "老周")
    assert stored.value is not None
    actions.save_element(
        actor=people.ana,
        world=world,
        kind=element_kind("characters"),
        key="老周",
        value={**stored.value, "summary": summary},
        etag=stored.etag,
    )
    return folder_of(world).history()[0].id


def test_the_timeline_tells_who_and_what(people: People, fog_harbour: World) -> None:
    rewrite(people, fog_harbour, "看灯的老人。")
    share(people.ben, "world", fog_harbour.pk)
    mine = client_of(people.ana).get(at("history", fog_harbour))
    assert [
        (e.who, e.what, [(file.title, file.path) for file in e.files]) for e in mine.context["entries"]
    ] == [("You", "Edited", [("老周", "characters/老周.json")])]
    [entry] = client_of(people.ben).get(at("history", fog_harbour)).context["entries"]
    assert entry.who == "ana"


def test_a_change_is_shown_by_sentence(people: People, fog_harbour: World) -> None:
    rewrite(people, fog_harbour, "他看灯。他不说话。")
    second = rewrite(people, fog_harbour, "他看灯。他终于开口。")
    third = rewrite(people, fog_harbour, "后来。")
    client = client_of(people.ana)
    [file] = client.get(at("change", fog_harbour, second)).context["files"]
    [field] = file.fields
    runs = [(run.kind, run.text) for run in field.diff.changes]
    assert runs == [("same", "他看灯。"), ("removed", "他不说话。"), ("added", "他终于开口。")]
    page = client.get(at("change", fog_harbour, third)).content.decode()
    assert "<ins>" in page
    assert "<del>" in page


def test_a_version_is_brought_back_as_a_new_change(people: People, fog_harbour: World) -> None:
    before = folder_of(fog_harbour).read("characters/老周.json")
    change_id = rewrite(people, fog_harbour, "看灯的老人。")
    rewrite(people, fog_harbour, "守门人。")
    client = client_of(people.ana)
    data = {"path": "characters/老周.json"}
    assert client.post(at("restore", fog_harbour, change_id), data).status_code == 303
    assert folder_of(fog_harbour).read("characters/老周.json") == before
    assert len(folder_of(fog_harbour).history()) == 3


def test_a_change_that_others_built_on_is_not_taken_back_by_itself(
    people: People, fog_harbour: World
) -> None:
    change_id = rewrite(people, fog_harbour, "看灯的老人。")
    rewrite(people, fog_harbour, "守门人。")
    assert client_of(people.ana).post(at("undo", fog_harbour, change_id)).status_code == 409
    assert folder_of(fog_harbour).read_json("characters/老周.json")["summary"] == "守门人。"


def test_the_filter_shows_what_is_in_the_trash(people: People, fog_harbour: World) -> None:
    rewrite(people, fog_harbour, "看灯的老人。")
    gone = actions.delete_element(actor=people.ana, world=fog_harbour, kind=element_kind("lore"), key="沉船")
    page = client_of(people.ana).get(at("history", fog_harbour), {"only": "deleted"})
    assert [entry.id for entry in page.context["entries"]] == [gone]


@pytest.mark.parametrize("change_id", ["nothing", "20261130T192204123456Z-00000000", ".."])
def test_no_such_change(people: People, fog_harbour: World, change_id: str) -> None:
    answer = client_of(people.ana).get(f"/w/{fog_harbour.pk}/history/{change_id}/")
    assert answer.status_code == 404


def test_a_deleted_prompt_comes_back(people: People, fog_harbour: World) -> None:
    client = client_of(people.ana)
    client.post(at("delete_element", fog_harbour, "prompts", "en.style"))
    assert not folder_of(fog_harbour).has("prompts/en/roleplay/style.md")
    change_id = folder_of(fog_harbour).history()[0].id
    assert client.post(at("undo", fog_harbour, change_id)).status_code == 303
    assert folder_of(fog_harbour).has("prompts/en/roleplay/style.md")


def test_import_records_are_for_editors_alone(people: People, fog_harbour: World) -> None:
    with folder_of(fog_harbour).change(by="test", what="import", history=False) as change:
        change.write(".import/original", b"\x00the card")
        change.write_json(".import/state.json", {"schema": "x", "stage": "done"})
    share(people.ben, "world", fog_harbour.pk)
    share(people.cyd, "world", fog_harbour.pk, "edit")
    address = at("file", fog_harbour, ".import/original")
    assert client_of(people.cyd).get(address, {"download": ""}).getvalue() == b"\x00the card"
    assert client_of(people.ben).get(address).status_code == 404
    assert ".import" not in client_of(people.ben).get(at("files", fog_harbour)).content.decode()
    assert ".import/original" in client_of(people.cyd).get(at("files", fog_harbour)).content.decode()


@pytest.mark.parametrize(
    "path", [".trash/x", ".commit.json", ".checks/results.json", "../secrets.env", "nope"]
)
def test_only_files_of_the_world_are_shown(people: People, fog_harbour: World, path: str) -> None:
    answer = client_of(people.ana).get(f"/w/{fog_harbour.pk}/files/{path}")
    assert answer.status_code in (404, 422)


def test_litter_of_other_programs_is_told_apart(people: People, fog_harbour: World) -> None:
    name = "老周.sync-conflict-20261130-120000-ABCDEFG.json"
    (folder_of(fog_harbour).path / "characters" / name).write_text("{}")
    page = client_of(people.ana).get(at("files", fog_harbour))
    assert [file.path for file in page.context["foreign"]] == [f"characters/{name}"]


def test_a_change_names_what_it_was_about(people: People, fog_harbour: World) -> None:
    plotline = element_kind("plotlines")
    actions.delete_element(actor=people.ana, world=fog_harbour, kind=plotline, key="寻船")
    variable = Element.objects.filter(world=fog_harbour, kind="variable").first()
    assert variable is not None
    actions.delete_element(
        actor=people.ana, world=fog_harbour, kind=element_kind("variables"), key=variable.key
    )
    page = client_of(people.ana).get(at("history", fog_harbour))
    entry, gone = page.context["entries"]
    assert [file.title for file in entry.files] == [f"Variables: {variable.key}"]  # the entry is gone
    title = json.loads(folder_of(fog_harbour).former(gone.id, "plotlines/寻船.json"))["title"]
    assert [file.title for file in gone.files] == [title]
    assert title in client_of(people.ana).get(at("change", fog_harbour, gone.id)).content.decode()


def test_any_two_versions_of_a_file_are_compared(people: People, fog_harbour: World) -> None:
    path = "characters/老周.json"
    rewrite(people, fog_harbour, "他看灯。")
    second = rewrite(people, fog_harbour, "他终于开口。")
    third = rewrite(people, fog_harbour, "后来。")
    client, here = client_of(people.ana), at("compare", fog_harbour, path)
    latest = client.get(here).context
    assert [version.id for version in latest["versions"]][:3] == ["now", third, second]
    [field] = latest["differences"]
    assert {run.text for run in field.diff.changes} == {"他终于开口。", "后来。"}
    chosen = client.get(here, {"old": second, "new": third}).context
    [field] = chosen["differences"]
    assert {run.text for run in field.diff.changes} == {"他看灯。", "他终于开口。"}
    same = client.get(here, {"old": second, "new": second}).content.decode()
    assert "The two are the same." in same


@pytest.mark.parametrize("path", ["x/../y", ".import/card.json", "characters/nobody.json"])
def test_nothing_but_files_of_the_world_is_compared(people: People, fog_harbour: World, path: str) -> None:
    answer = client_of(people.ana).get(at("compare", fog_harbour, path))
    assert answer.status_code == 404
    rewrite(people, fog_harbour, "他看灯。")
    wrong = at("compare", fog_harbour, "characters/老周.json")
    assert client_of(people.ana).get(wrong, {"old": "../x", "new": "now"}).status_code == 404
