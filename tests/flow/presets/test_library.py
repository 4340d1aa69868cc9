"""The library of presets: who may do what, versions as a tree, cases, copies, trash, recovery, worlds."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from formats.errors import DomainError
from portal import bell, sharing, slots
from portal.models import Person, Share
from presets import actions, queries
from presets.access import own_preset_for, preset_for, presets_for
from presets.models import Preset, PresetUse
from presets.pipeline.cases import Case, grouped
from presets.pipeline.trial import InsertText, TrialInputs, Turn, message_tokens
from tests.flow.presets.conftest import MakePreset
from tests.support.faults import broken
from tests.support.people import People, share
from tests.support.presets import chinese_preset, harbour_preset
from worlds import actions as world_actions
from worlds.library.shelves import folder_of, shelf_of
from worlds.queries import folder_of as world_folder
from worlds.queries import quota_left

pytestmark = pytest.mark.django_db


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(DomainError) as caught:
        call()
    return caught.value.kind


def edit(who: Person, preset: Preset, prompt_id: str, **fields: Any) -> None:
    etag = queries.prompt_row(preset, prompt_id).etag
    actions.save_prompt(actor=who, preset=preset, prompt_id=prompt_id, fields=fields, if_match=etag)


def texts(preset: Preset, state: queries.State) -> str:
    return queries.package_of(preset, state).by_id["tone"].content


# --- who may do what ----------------------------------------------------------------------------


def test_a_stranger_is_told_that_there_is_nothing(people: People, harbour: Preset) -> None:
    assert refused(lambda: preset_for(people.cyd, harbour.pk)) == "not-found"
    assert refused(lambda: preset_for(people.cyd, harbour.pk, "edit")) == "not-found"
    assert refused(lambda: own_preset_for(people.cyd, harbour.pk)) == "not-found"
    assert refused(lambda: preset_for(people.ana, "no-such-" + "a" * 20)) == "not-found"
    assert not presets_for(people.cyd).exists()
    assert not bell.may_hear(people.cyd, f"item:{harbour.pk}")


def test_a_reader_reads_an_editor_edits_and_neither_owns(people: People, harbour: Preset) -> None:
    for name, level in (("ben", "read"), ("cyd", "edit")):
        sharing.share(
            actor=people.ana,
            owner=harbour.owner,
            kind="preset",
            item_id=harbour.pk,
            with_name=name,
            level=level,
        )
    assert preset_for(people.ben, harbour.pk) == harbour
    assert refused(lambda: preset_for(people.ben, harbour.pk, "edit")) == "forbidden"
    assert preset_for(people.cyd, harbour.pk, "edit") == harbour
    for person in (people.ben, people.cyd):
        assert bell.may_hear(person, f"item:{harbour.pk}")
        assert refused(partial(own_preset_for, person, harbour.pk)) == "forbidden"
        assert refused(partial(actions.trash_preset, actor=person, preset=harbour)) == "forbidden"
    sharing.unshare(actor=people.ana, owner=people.ana, kind="preset", item_id=harbour.pk, person=people.ben)
    assert refused(lambda: preset_for(people.ben, harbour.pk)) == "not-found"


def test_a_lorebook_shared_is_no_preset_shared(people: People, harbour: Preset) -> None:
    share(people.cyd, "lorebook", harbour.pk, "edit")
    assert refused(lambda: preset_for(people.cyd, harbour.pk)) == "not-found"


# --- versions -----------------------------------------------------------------------------------


@pytest.mark.req("PRE-13")
def test_versions_are_a_tree_with_branches(people: People, harbour: Preset) -> None:
    act: dict[str, Any] = {"actor": people.ana, "preset": harbour}
    assert refused(lambda: actions.make_version(**act)) == "conflict"
    edit(people.ana, harbour, "tone", content="two")
    assert actions.make_version(**act, note="louder") == 2
    assert queries.draft_base(harbour) is None
    actions.branch(**act, number=1)
    assert queries.draft_base(harbour) == 1
    assert harbour.has_draft, "a branch is a draft before anything was typed"
    edit(people.ana, harbour, "tone", content="three")
    assert actions.make_version(**act) == 3
    assert actions.restore_version(**act, number=2) == 4
    assert [texts(harbour, number) for number in (1, 2, 3, 4, queries.NOW)] == [
        "Write calmly. Rain is never far.",
        "two",
        "three",
        "two",
        "two",
    ]
    tree = queries.version_tree(harbour)
    assert [(one.version.number, one.version.parent, one.depth) for one in tree] == [
        (1, None, 0),
        (2, 1, 0),
        (3, 1, 1),
        (4, 3, 1),
    ]
    assert tree[0].children == (2, 3)
    assert [one.version.number for one in tree if one.in_force] == [4]
    assert (tree[1].version.note, tree[1].version.by, tree[3].version.restored) == ("louder", "ana", 2)
    assert harbour.versions_count == 4
    assert refused(lambda: actions.restore_version(**act, number=9)) == "not-found"
    assert refused(lambda: queries.package_of(harbour, 9)) == "not-found"


def test_a_draft_is_never_overwritten_by_a_version(people: People, harbour: Preset) -> None:
    edit(people.ana, harbour, "tone", content="typed")
    acts: tuple[Callable[..., object], ...] = (actions.restore_version, actions.branch)
    for act in acts:
        assert refused(partial(act, actor=people.ana, preset=harbour, number=1)) == "conflict"
    assert texts(harbour, queries.DRAFT) == "typed"


def test_a_branch_typed_back_to_where_it_began_stays_a_branch(people: People, harbour: Preset) -> None:
    before = texts(harbour, 1)
    edit(people.ana, harbour, "tone", content="two")
    actions.make_version(actor=people.ana, preset=harbour)
    actions.branch(actor=people.ana, preset=harbour, number=1)
    edit(people.ana, harbour, "tone", content="x")
    edit(people.ana, harbour, "tone", content=before)
    assert queries.draft_base(harbour) == 1


@pytest.mark.req("PRE-13")
def test_two_states_are_compared(people: People, harbour: Preset) -> None:
    act: dict[str, Any] = {"actor": people.ana, "preset": harbour}
    edit(people.ana, harbour, "tone", content="Write calmly. The rain has stopped.", role="user")
    actions.move_prompt(**act, prompt_id="jailbreak", before="main")
    actions.switch_prompt(**act, prompt_id="off", on=True)
    added = actions.add_prompt(**act, fields={"name": "Gulls"})
    actions.delete_prompt(**act, prompt_id="memory")
    etag = queries.settings_of(harbour).etag
    actions.save_parameters(**act, fields={"temperature": 1}, if_match=etag)
    actions.make_version(**act)
    states: tuple[queries.State, ...] = (2, queries.NOW, queries.DRAFT)
    for new in states:
        diff = queries.compare(harbour, 1, new)
        assert [prompt.id for prompt in diff.added] == [added.id]
        assert [prompt.id for prompt in diff.removed] == ["memory"]
        assert [(move.id, move.after) for move in diff.moved] == [("jailbreak", 1)]
        changed = {change.id: change for change in diff.changed}
        assert {name: change.names for name, change in changed.items()} == {
            "tone": ("role", "content"),
            "off": ("on",),
        }
        text = changed["tone"].text()
        assert text is not None
        assert [run.text.strip() for run in text.changes if run.kind == "added"] == ["The rain has stopped."]
        assert [(one.name, one.before, one.after) for one in diff.parameters] == [("temperature", 0.8, 1)]
    assert not queries.compare(harbour, 2, queries.DRAFT).differs


# --- trial runs ---------------------------------------------------------------------------------


@pytest.mark.req("PRE-12", "PRE-13", "PRE-18")
def test_a_trial_shows_the_messages_of_any_state(people: People, harbour: Preset) -> None:
    inputs = TrialInputs(
        history=(Turn(role="user", content="Who is there?"), Turn(role="assistant", content="The keeper.")),
        current_turn="I knock.",
        world_before=(InsertText(title="Harbour", text="It is old."),),
        user="Ana",
        char="The keeper",
    )
    edit(people.ana, harbour, "tone", content="Changed.")
    was, now = (queries.assembled(harbour, state, inputs) for state in (1, queries.DRAFT))
    assert [message["content"] for message in was.messages] == [
        "Tell the story of The keeper in the harbour.",
        "Write calmly. Rain is never far.",
        "Harbour\nIt is old.",
        "Remember the lamps.",
        "Who is there?",
        "The keeper.",
        "I knock.",
        "Stay in the story.",
    ]
    assert now.messages[1]["content"] == "Changed."
    changes = queries.compare_messages(harbour, 1, queries.DRAFT, inputs)
    assert [change.kind for change in changes] == ["same", "changed", *["same"] * 6]
    assert was.parameters["temperature"] == 0.8
    assert len(message_tokens(was)) == len(was.messages) == len(was.trace)
    alone = inputs.model_copy(update={"policy": "single-user-turn", "history": ()})
    one = queries.assembled(harbour, 1, alone)
    assert [message["role"] for message in one.messages] == ["user"]
    assert not folder_of(harbour).has("cases.json"), "assembling stores nothing"


@pytest.mark.req("PRE-13")
def test_cases_are_kept_in_groups_and_put_back(people: People, harbour: Preset) -> None:
    act: dict[str, Any] = {"actor": people.ana, "preset": harbour}
    case = Case(
        id="c1", name="At night", group="Moods", inputs=TrialInputs(current_turn="夜里"), expected="Calm"
    )
    actions.save_case(**act, case=case)
    actions.save_case(**act, case=Case(id="c2", name="Alone"))
    actions.save_case(**act, case=case.model_copy(update={"expected": "Quiet"}))
    groups = grouped(queries.cases_of(harbour))
    assert {name: [one.id for one in cases] for name, cases in groups.items()} == {
        "Moods": ["c1"],
        "": ["c2"],
    }
    assert groups["Moods"][0].expected == "Quiet"
    change = actions.delete_case(**act, case_id="c1")
    assert actions.delete_case(**act, case_id="c1") == ""
    assert actions.put_back_cases(**act, change_id=change) == 1
    assert {one.id for one in queries.cases_of(harbour)} == {"c1", "c2"}
    with folder_of(harbour).change(by="ana", what="edit") as spoil:
        spoil.write("cases.json", b'{"cases": 7}')
    assert refused(lambda: queries.cases_of(harbour)) == "invalid"


# --- whole presets ------------------------------------------------------------------------------


@pytest.mark.req("PRE-3")
def test_a_preset_made_here_is_whole_and_leaves_as_sillytaverns(people: People, data_root: Path) -> None:
    preset = actions.create_preset(actor=people.ana, name="雾港")
    assert (preset.form, preset.source_kind, preset.name) == ("native", "blank", "雾港")
    assert [item.prompt_id for item in queries.package_of(preset).prompt_order] == [
        "main",
        "personaDescription",
        "worldBookBefore",
        "chatHistory",
        "worldBookAfter",
        "currentTurn",
        "jailbreak",
        "postTurn",
    ]
    edit(people.ana, preset, "main", content="Tell it.")
    actions.make_version(actor=people.ana, preset=preset)
    exported = queries.exported(preset)
    assert [place["identifier"] for place in exported["prompt_order"][0]["order"]] == [
        "main",
        "personaDescription",
        "chatHistory",
        "jailbreak",
    ]
    assert json.loads(json.dumps(exported))["prompts"][0]["content"] == "Tell it."


def test_an_untouched_preset_leaves_as_it_came(people: People, harbour: Preset) -> None:
    assert queries.exported(harbour) == harbour_preset()


def test_a_copy_is_complete_and_its_owners_own(people: People, harbour: Preset) -> None:
    edit(people.ana, harbour, "tone", content="two")
    actions.make_version(actor=people.ana, preset=harbour)
    actions.edit_item(actor=people.ana, preset=harbour, fields={"name": "Tide", "tags": ["sea"]})
    assert (harbour.name, harbour.tags) == ("Tide", ["sea"])
    share(people.ben, "preset", harbour.pk)
    copy = actions.copy_preset(actor=people.ben, preset=harbour)
    assert (copy.owner, copy.name, copy.source_kind) == (people.ben, "Tide", "copy")
    assert (copy.content_hash, copy.tags) == (harbour.content_hash, ["sea"])
    assert [one.version.number for one in queries.version_tree(copy)] == [1]
    assert texts(copy, queries.NOW) == "two"
    long_name = {"name": "x" * 301}
    assert refused(lambda: actions.edit_item(actor=people.ana, preset=harbour, fields=long_name)) == "invalid"


def test_lists_are_searched_and_sorted(people: People, harbour: Preset, make_preset: MakePreset) -> None:
    make_preset(chinese_preset(), name="雾港")
    make_preset(chinese_preset(), owner=people.ben, name="Ben's")
    assert [one.name for one in queries.library_rows(people.ana, sort="name")] == ["Harbour", "雾港"]
    assert next(one.name for one in queries.library_rows(people.ana, sort="prompts")) == "Harbour"
    assert [one.name for one in queries.library_rows(people.ana, search="gpt-harbour")] == ["Harbour"]
    assert queries.library_rows(people.ana, owned=False).count() == 0


@pytest.mark.req("WORLD-2")
def test_a_world_names_its_preset(people: People, harbour: Preset) -> None:
    world = world_actions.create_world(actor=people.ana, name="Bay", language="en", opening="Fog.")
    value = json.loads(world_folder(world).read("world.json"))
    for named, uses in ((harbour.pk, 1), ("other-" + "a" * 20, 0), (harbour.pk, 1), (None, 0)):
        with world_folder(world).change(by="ana", what="edit") as change:
            change.write("world.json", json.dumps({**value, "preset": named}).encode())
        world_actions.index_world(owner=people.ana, world_id=world.pk)
        assert vars(queries.library_rows(people.ana).get())["uses"] == uses
        assert queries.worlds_using(people.ana, harbour).count() == uses
        assert PresetUse.objects.count() == (named is not None)


# --- trash, space, recovery ---------------------------------------------------------------------


def test_the_trash_takes_room_until_it_is_emptied(people: People, harbour: Preset) -> None:
    share(people.ben, "preset", harbour.pk)
    before = quota_left(people.ana)
    entry = actions.trash_preset(actor=people.ana, preset=harbour)
    assert quota_left(people.ana) == before < people.ana.quota_bytes
    assert [item.name for item in queries.trashed(people.ana)] == ["Harbour"]
    back = actions.restore_preset(actor=people.ana, entry_id=entry)
    assert preset_for(people.ben, back.pk) == back, "it is shared as before"
    entry = actions.trash_preset(actor=people.ana, preset=back)
    assert refused(lambda: actions.restore_preset(actor=people.ben, entry_id=entry)) == "not-found"
    assert actions.empty_trash(actor=people.ana, entry_ids=[entry, entry]) == 1
    assert quota_left(people.ana) == people.ana.quota_bytes
    assert not Share.objects.exists()


def test_the_sweep_empties_old_trash_and_forgets_old_history(people: People, make_preset: MakePreset) -> None:
    kept, gone = make_preset(harbour_preset(), name="Kept"), make_preset(harbour_preset(), name="Gone")
    edit(people.ana, kept, "tone", content="x")
    actions.discard_draft(actor=people.ana, preset=kept)
    actions.trash_preset(actor=people.ana, preset=gone)
    world_actions.sweep(now=timezone.now())
    assert len(queries.trashed(people.ana)) == 1
    assert actions.sweep(now=timezone.now() + timedelta(days=40)) == 1
    assert queries.trashed(people.ana) == []
    assert folder_of(kept).history() == []


def started() -> None:
    for hook in slots.filled("server.started"):
        hook()


def test_a_start_and_a_reindex_put_right_what_a_crash_left(people: People, make_preset: MakePreset) -> None:
    lost, gone, edited = (make_preset(harbour_preset(), name=name) for name in ("Lost", "Gone", "Edited"))
    Preset.objects.filter(pk=lost.pk).delete()
    shelf_of(Preset, people.ana).to_trash(gone.pk)
    spoilt = folder_of(edited).read("versions/1.json").replace(b"Rain is never far.", b"")
    with folder_of(edited).change(by="ana", what="edit") as change:
        change.write("versions/1.json", spoilt)
    started()
    assert set(Preset.objects.values_list("pk", flat=True)) == {lost.pk, edited.pk}
    rows = {row.pk: row.tokens_fixed for row in Preset.objects.all()}
    assert rows[edited.pk] < rows[lost.pk]
    Preset.objects.all().delete()
    call_command("reindex", stdout=io.StringIO())
    assert {row.pk: row.tokens_fixed for row in Preset.objects.all()} == rows


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("versions/1.json", b"{"),
        ("versions/1.json", b'{"package": []}'),
        ("versions/1.json", b'{"package": {"prompts": 1}}'),
        ("preset.json", b"[]"),
        ("item.json", b'{"versions": []}'),
        ("draft.json", b'{"base": "x", "package": {}}'),
    ],
)
def test_a_file_that_a_hand_has_spoilt_is_named(
    people: People, harbour: Preset, path: str, data: bytes
) -> None:
    with folder_of(harbour).change(by="ana", what="edit") as change:
        change.write(path, data)
    with pytest.raises(DomainError) as caught:
        queries.package_of(harbour)
    assert caught.value.kind == "invalid"
    assert caught.value.where.startswith(path)
    started()
    assert Preset.objects.filter(pk=harbour.pk).exists(), "its row stays as it was"


def test_a_crash_while_a_version_is_made_leaves_all_of_it_or_nothing(
    people: People, make_preset: MakePreset
) -> None:
    for at in count(1):
        preset = make_preset(harbour_preset(), name=f"P{at}")
        edit(people.ana, preset, "tone", content="new")
        with broken(crash=True, at=at) as fault:
            actions.make_version(actor=people.ana, preset=preset)
        if not fault.hit:
            break
        fresh = queries.in_step(Preset.objects.get(pk=preset.pk))
        made = len(queries.version_tree(fresh)) == 2
        assert (fresh.has_draft, queries.item_of(fresh).head) == (not made, 2 if made else 1)
        assert texts(fresh, queries.DRAFT) == "new"
    assert at > 5


def test_a_crash_while_a_preset_is_made_leaves_all_of_it_or_nothing(people: People, data_root: Path) -> None:
    for at in count(1):
        with broken(crash=True, at=at) as fault:
            actions.create_preset(actor=people.ana, name=f"Fog {at}")
        if not fault.hit:
            break
        started()
        assert {one.pk for one in Preset.objects.all()} == set(shelf_of(Preset, people.ana).ids())
        for preset in Preset.objects.all():
            assert queries.package_of(preset).prompt_order
    assert at > 5
