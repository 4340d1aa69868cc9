"""The draft: prompts and parameters saved as they are typed, by one person and by two."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

import pytest

from formats.errors import DomainError
from formats.preset import read_preset
from portal.models import Person
from presets import actions, queries
from presets.models import Preset
from tests.flow.presets.conftest import MakePreset
from tests.support.faults import broken
from tests.support.people import People, share
from tests.support.presets import harbour_preset, large_preset
from tests.support.timing import cpu_seconds
from worlds.library.shelves import folder_of

pytestmark = [pytest.mark.django_db, pytest.mark.req("PRE-13")]


def refused(call: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(DomainError) as caught:
        call()
    return caught.value.kind, caught.value.code


def save(who: Person, preset: Preset, prompt_id: str, etag: str = "", **fields: Any) -> actions.Saved:
    etag = etag or queries.prompt_row(preset, prompt_id).etag
    return actions.save_prompt(actor=who, preset=preset, prompt_id=prompt_id, fields=fields, if_match=etag)


def line(preset: Preset) -> list[str]:
    return [item.prompt_id for item in queries.package_of(preset).prompt_order]


def test_a_save_goes_into_the_draft_alone(people: People, harbour: Preset) -> None:
    version, tokens = folder_of(harbour).read("versions/1.json"), harbour.tokens_fixed
    saved = save(people.ana, harbour, "tone", content="Write loudly, and at length, of storms.", role="user")
    row = queries.prompt_row(harbour, "tone")
    assert (row.prompt.content, row.prompt.role) == ("Write loudly, and at length, of storms.", "user")
    assert (row.etag, row.tokens) == (saved.etag, saved.tokens)
    assert (
        queries.package_of(harbour, queries.NOW).by_id["tone"].content == "Write calmly. Rain is never far."
    )
    assert folder_of(harbour).read("versions/1.json") == version
    assert harbour.has_draft
    assert harbour.tokens_fixed == tokens, "the numbers are those of the version in force"
    assert queries.draft_base(harbour) == 1


def test_a_draft_that_says_the_same_again_is_none(people: People, harbour: Preset) -> None:
    before = queries.prompt_row(harbour, "tone").prompt.content
    save(people.ana, harbour, "tone", content="x")
    save(people.ana, harbour, "tone", content=before)
    assert not harbour.has_draft
    assert not folder_of(harbour).has("draft.json")


def test_two_people_meet_in_one_prompt_and_lose_nothing(people: People, harbour: Preset) -> None:
    share(people.ben, "preset", harbour.pk, "edit")
    etag = queries.prompt_row(harbour, "tone").etag
    first = save(people.ana, harbour, "tone", etag, content="Ana's")
    again = save(people.ana, harbour, "tone", etag, content="Ana's")
    assert again.etag == first.etag, "the same save again is accepted"
    with pytest.raises(actions.PromptConflict) as caught:
        save(people.ben, harbour, "tone", etag, content="Ben's")
    assert (caught.value.theirs["content"], caught.value.yours["content"]) == ("Ana's", "Ben's")
    assert caught.value.etag == first.etag
    save(people.ben, harbour, "main", content="Ben's main")
    save(people.ben, harbour, "tone", caught.value.etag, content="Ben's")
    package = queries.package_of(harbour)
    assert (package.by_id["tone"].content, package.by_id["main"].content) == ("Ben's", "Ben's main")


def test_a_write_asks_by_itself_who_may_edit(people: People, harbour: Preset) -> None:
    before = folder_of(harbour).read_all()
    share(people.ben, "preset", harbour.pk, "read")
    for person, kind in ((people.ben, "forbidden"), (people.cyd, "not-found")):
        assert refused(partial(save, person, harbour, "tone", content="x"))[0] == kind
        assert refused(partial(actions.make_version, actor=person, preset=harbour, note="x"))[0] == kind
    assert folder_of(harbour).read_all() == before


def test_saves_of_one_sitting_are_one_step(people: People, harbour: Preset) -> None:
    for text in ("a", "ab", "abc"):
        save(people.ana, harbour, "tone", content=text)
    steps = [record for record in folder_of(harbour).history() if record.what == "autosave"]
    assert len(steps) == 1


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"role": "wizard"}, "role"),
        ({"name": ""}, "name"),
        ({"name": "  "}, "name"),
        ({"content": 7}, "content"),
        ({"content": "half \ud800"}, "content"),
        ({"content": "x" * 1_000_001}, "content"),
        ({"depth": -1}, "depth"),
        ({"depth": True}, "depth"),
        ({"order": float("inf")}, "order"),
        ({"in_history": "yes"}, "in_history"),
        ({"id": "other"}, "id"),
        ({"raw_index": 3}, "raw_index"),
    ],
)
def test_a_field_that_cannot_be_is_refused(
    people: People, harbour: Preset, fields: dict[str, Any], where: str
) -> None:
    with pytest.raises(DomainError) as caught:
        save(people.ana, harbour, "tone", **fields)
    assert (caught.value.kind, caught.value.where) == ("invalid", where)
    assert not harbour.has_draft


def test_places_that_are_filled_hold_no_text_and_stay(people: People, harbour: Preset) -> None:
    assert refused(lambda: save(people.ana, harbour, "chatHistory", content="x"))[0] == "invalid"
    assert refused(lambda: save(people.ana, harbour, "chatHistory", in_history=True))[0] == "invalid"
    act: dict[str, Any] = {"actor": people.ana, "preset": harbour, "prompt_id": "chatHistory"}
    assert refused(lambda: actions.delete_prompt(**act)) == ("invalid", "preset.fixed-place")
    assert refused(lambda: actions.unplace_prompt(**act)) == ("invalid", "preset.fixed-place")
    assert refused(lambda: actions.duplicate_prompt(**act)) == ("invalid", "preset.place-once")
    actions.delete_prompt(actor=people.ana, preset=harbour, prompt_id="personaDescription")
    assert "personaDescription" not in line(harbour)


@pytest.mark.req("PRE-5")
def test_a_prompt_goes_into_the_history_and_is_listed_there(people: People, harbour: Preset) -> None:
    save(people.ana, harbour, "tone", in_history=True, depth=7, order=3)
    rows = queries.prompt_rows(harbour)
    assert [row.prompt.id for row in rows.in_history] == ["tone", "memory"], "the deeper stands first"
    assert "tone" not in [row.prompt.id for row in rows.line]
    assert [row.prompt.id for row in rows.unused] == ["unused"]


def test_new_ones_twins_and_those_that_go(people: People, harbour: Preset) -> None:
    added = actions.add_prompt(
        actor=people.ana, preset=harbour, fields={"name": "Gulls", "content": "Cry."}, after="main"
    )
    twin = actions.duplicate_prompt(actor=people.ana, preset=harbour, prompt_id="tone")
    last = actions.add_prompt(actor=people.ana, preset=harbour, fields={"name": "Last"})
    ids = line(harbour)
    assert ids[:4] == ["main", added.id, "tone", twin.id]
    assert ids[-2:] == [last.id, "postTurn"], "the place after everything stays last"
    unnamed = partial(actions.add_prompt, actor=people.ana, preset=harbour, fields={"content": "x"})
    assert refused(unnamed) == ("invalid", "preset.bad-field")
    gone = actions.delete_prompt(actor=people.ana, preset=harbour, prompt_id="tone")
    assert gone.name == "Tone"
    assert refused(lambda: save(people.ana, harbour, "tone", "x", content="y"))[0] == "not-found"
    exported, _report = read_preset(queries.exported(harbour, queries.DRAFT))
    assert [prompt.id for prompt in exported.prompts][-2:] != ["tone", "tone"]
    assert exported.by_id[added.id].content == "Cry."
    assert "tone" not in exported.by_id


def test_a_deleted_prompt_comes_back_to_its_place_with_what_was_written_in_it(
    people: People, harbour: Preset
) -> None:
    act: dict[str, Any] = {"actor": people.ana, "preset": harbour}
    first = actions.delete_prompt(**act, prompt_id="main")
    actions.put_back_prompt(**act, change_id=first.change_id, prompt_id="main")
    assert not harbour.has_draft, "there was no draft before"
    save(people.ana, harbour, "tone", content="Typed just now.")
    before = line(harbour)
    gone = actions.delete_prompt(**act, prompt_id="tone")
    unused = actions.delete_prompt(**act, prompt_id="unused")
    save(people.ana, harbour, "main", content="And this after it.")
    assert actions.put_back_prompt(**act, change_id=gone.change_id, prompt_id="tone") == "Tone"
    assert line(harbour) == before
    assert queries.prompt_row(harbour, "tone").prompt.content == "Typed just now."
    assert queries.prompt_row(harbour, "main").prompt.content == "And this after it."
    again = actions.put_back_prompt(**act, change_id=gone.change_id, prompt_id="tone")
    assert (again, line(harbour)) == ("Tone", before), "once more changes nothing"
    actions.put_back_prompt(**act, change_id=unused.change_id, prompt_id="unused")
    assert [row.prompt.id for row in queries.prompt_rows(harbour).unused] == ["unused"]
    nothing = partial(actions.put_back_prompt, **act, change_id="nothing", prompt_id="tone")
    assert refused(nothing)[0] == "not-found"


def test_prompts_move_by_steps_and_to_a_place(people: People, harbour: Preset) -> None:
    act: dict[str, Any] = {"actor": people.ana, "preset": harbour}
    actions.move_prompt(**act, prompt_id="tone", by=-1)
    assert line(harbour)[:2] == ["tone", "main"]
    actions.move_prompt(**act, prompt_id="tone", by=-1)
    assert line(harbour)[:2] == ["tone", "main"], "the first stays first"
    actions.move_prompt(**act, prompt_id="tone", before="chatHistory")
    assert line(harbour).index("tone") + 1 == line(harbour).index("chatHistory")
    actions.move_prompt(**act, prompt_id="tone", after="postTurn")
    assert line(harbour)[-1] == "tone"
    actions.move_prompt(**act, prompt_id="tone", place=1)
    assert line(harbour)[0] == "tone"
    actions.move_prompt(**act, prompt_id="unused", before="main")
    assert line(harbour)[:2] == ["tone", "unused"]
    assert queries.prompt_row(harbour, "unused").on
    assert refused(lambda: actions.move_prompt(**act, prompt_id="tone", before="tone"))[0] == "invalid"
    assert refused(lambda: actions.move_prompt(**act, prompt_id="tone", before="nobody"))[0] == "not-found"
    numbers = [item.index for item in queries.package_of(harbour).prompt_order]
    assert numbers == list(range(len(numbers)))


@pytest.mark.req("PRE-2")
def test_on_means_sent_whichever_switch_said_otherwise(people: People, make_preset: MakePreset) -> None:
    value = harbour_preset()
    value["prompts"][1]["enabled"] = False
    preset = make_preset(value)
    act: dict[str, Any] = {"actor": people.ana, "preset": preset}
    for prompt_id in ("tone", "off", "unused"):
        assert not queries.prompt_row(preset, prompt_id).on
        actions.switch_prompt(**act, prompt_id=prompt_id, on=True)
        assert queries.prompt_row(preset, prompt_id).on
    actions.switch_prompt(**act, prompt_id="tone", on=False)
    assert not queries.prompt_row(preset, "tone").on
    assert queries.package_of(preset).by_id["tone"].enabled


@pytest.mark.req("PRE-7", "PRE-11")
def test_parameters_are_saved_and_meet_nobody(people: People, harbour: Preset) -> None:
    seen = queries.settings_of(harbour)
    assert (seen.fields["temperature"], seen.fields["squash"], seen.fields["top_p"]) == (0.8, "none", None)
    act: dict[str, Any] = {"actor": people.ana, "preset": harbour}
    changed = {"temperature": None, "top_p": 0.9, "stream": True, "squash": "semi", "tool_mode": "app"}
    etag = actions.save_parameters(**act, fields=changed, if_match=seen.etag)
    assert queries.settings_of(harbour).etag == etag
    package = queries.package_of(harbour)
    assert (package.generation.temperature, package.generation.top_p, package.squash) == (None, 0.9, "semi")
    late = refused(lambda: actions.save_parameters(**act, fields={"top_p": 0.1}, if_match=seen.etag))
    assert late == ("conflict", "preset.parameters-changed")
    bad: list[dict[str, Any]] = [{"top_p": "much"}, {"squash": "flat"}, {"nonsense": 1}, {"stream": 1}]
    for fields in (*bad, {"seed": float("nan")}):
        with pytest.raises(DomainError) as caught:
            actions.save_parameters(**act, fields=fields, if_match=etag)
        assert caught.value.code == "preset.bad-field"
    exported = queries.exported(harbour, queries.DRAFT)
    assert (exported["top_p"], exported["squash_system_messages"]) == (0.9, "semi")
    assert "temperature" not in exported


def test_a_draft_is_discarded_and_put_back(people: People, harbour: Preset) -> None:
    save(people.ana, harbour, "tone", content="Lost?")
    change = actions.discard_draft(actor=people.ana, preset=harbour)
    assert not harbour.has_draft
    assert actions.discard_draft(actor=people.ana, preset=harbour) == ""
    actions.put_back_draft(actor=people.ana, preset=harbour, change_id=change)
    assert queries.package_of(harbour).by_id["tone"].content == "Lost?"
    again = refused(lambda: actions.put_back_draft(actor=people.ana, preset=harbour, change_id=change))
    assert again == ("conflict", "preset.draft-waits")


def test_nothing_is_saved_without_room(people: People, harbour: Preset) -> None:
    people.ana.quota = 1
    people.ana.save()
    harbour.refresh_from_db()
    harbour.owner.refresh_from_db()
    assert refused(lambda: save(people.ana, harbour, "tone", content="x" * 500))[0] == "full"
    assert not folder_of(harbour).has("draft.json")


def test_no_more_than_a_thousand_prompts(people: People, make_preset: MakePreset) -> None:
    preset = make_preset(large_preset(992))
    act: dict[str, Any] = {"actor": people.ana, "preset": preset, "fields": {"name": "More"}}
    for _ in range(1_000 - len(queries.package_of(preset).prompts)):
        actions.add_prompt(**act)
    assert refused(lambda: actions.add_prompt(**act)) == ("full", "preset.too-many-prompts")


def test_a_crash_anywhere_leaves_the_old_or_the_new_draft(people: People, harbour: Preset) -> None:
    for at in count(1):
        save(people.ana, harbour, "tone", content="old")
        with broken(crash=True, at=at) as fault:
            save(people.ana, harbour, "tone", content="new")
        if not fault.hit:
            break
        harbour = queries.in_step(Preset.objects.get(pk=harbour.pk))
        assert queries.package_of(harbour).by_id["tone"].content in ("old", "new")
    assert at > 5


def test_an_autosave_among_five_hundred_prompts_is_quick(people: People, make_preset: MakePreset) -> None:
    preset = make_preset(large_preset())
    texts = count()
    etag = queries.prompt_row(preset, "p3").etag

    def autosave() -> None:
        nonlocal etag
        content = f"The tide has come in {next(texts)} times."
        etag = save(people.ana, preset, "p3", etag, content=content).etag

    autosave()
    assert cpu_seconds(autosave) < 0.3
