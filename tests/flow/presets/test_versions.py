"""The pages of versions and test cases: made, compared, brought back, branched; kept and run again."""

from __future__ import annotations

from itertools import pairwise

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from presets import actions, queries, trials
from presets.case_runs import run_case
from presets.models import Preset
from presets.pipeline.item_file import Version
from presets.version_rows import WIDE, tree_rows
from tests.flow.presets.conftest import MakePreset
from tests.flow.presets.test_trial import SCENE, text_of, trial
from tests.support.people import People, client_of, share
from tests.support.presets import large_preset

pytestmark = [pytest.mark.django_db, pytest.mark.req("PRE-13")]


def page_of(preset: Preset, rest: str = "") -> str:
    return f"/presets/{preset.pk}/{rest}"


def edit(people: People, preset: Preset, content: str, prompt_id: str = "tone") -> None:
    etag = queries.prompt_row(preset, prompt_id).etag
    actions.save_prompt(
        actor=people.ana, preset=preset, prompt_id=prompt_id, fields={"content": content}, if_match=etag
    )


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return text_of(answer.content.decode())


def test_a_draft_becomes_a_version_with_a_note(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    edit(people, harbour, "Write loudly.")
    assert "Edits since version 1 that are in no version yet." in text(client, page_of(harbour, "versions/"))
    answer = client.post(page_of(harbour, "versions/make/"), {"note": "louder  now"}, follow=True)
    told = text_of(answer.content.decode())
    assert "Version 2 is made and in force." in told
    assert "louder now" in told
    assert "There are no edits that are not in a version." in told
    nothing = client.post(page_of(harbour, "versions/make/"), {"note": "again"})
    assert nothing.status_code == 409


def test_two_states_are_compared_word_by_word(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    edit(people, harbour, "Write loudly. Rain is never far.")
    actions.make_version(actor=people.ana, preset=harbour)
    actions.move_prompt(actor=people.ana, preset=harbour, prompt_id="tone", by=-1)
    actions.delete_prompt(actor=people.ana, preset=harbour, prompt_id="off")
    actions.add_prompt(actor=people.ana, preset=harbour, fields={"name": "Extra", "content": "More."})
    html = client.get(page_of(harbour, "versions/compare/?old=1&new=draft")).content.decode()
    told = text_of(html)
    assert "removed: </span>calmly</del>" in html
    assert "added: </span>loudly</ins>" in html
    assert "1 moved" in told
    assert "From place" in told
    assert "Nobody reads this." in told
    assert "More." in told
    assert "The two are the same." in text(client, page_of(harbour, "versions/compare/?old=2&new=2"))
    assert client.get(page_of(harbour, "versions/compare/?old=9")).status_code == 404


def test_parameters_are_compared(people: People, harbour: Preset) -> None:
    settings = queries.settings_of(harbour)
    fields = {"temperature": 1.5, "squash": "strict"}
    actions.save_parameters(actor=people.ana, preset=harbour, fields=fields, if_match=settings.etag)
    told = text(client_of(people.ana), page_of(harbour, "versions/compare/"))
    assert "Temperature before: 0.8 → after: 1.5" in told
    assert "How messages are shaped" in told


def test_an_older_version_comes_back_as_a_new_one(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    edit(people, harbour, "Write loudly.")
    actions.make_version(actor=people.ana, preset=harbour)
    answer = client.post(page_of(harbour, "versions/1/restore/"), follow=True)
    told = text_of(answer.content.decode())
    assert "Version 3 is in force now; it says what version 1 said." in told
    assert "as version 1" in told
    assert queries.package_of(harbour).by_id["tone"].content == "Write calmly. Rain is never far."
    edit(people, harbour, "Write in between.")
    assert client.post(page_of(harbour, "versions/2/restore/")).status_code == 409
    assert client.post(page_of(harbour, "versions/7/restore/")).status_code == 404


def test_a_branch_begins_at_an_older_version(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    for content in ("Two.", "Three."):
        edit(people, harbour, content)
        actions.make_version(actor=people.ana, preset=harbour)
    client.post(page_of(harbour, "versions/2/branch/"))
    assert queries.draft_base(harbour) == 2
    edit(people, harbour, "Four.")
    client.post(page_of(harbour, "versions/make/"), {"note": "side"})
    told = text(client, page_of(harbour, "versions/"))
    assert "from version 2" in told
    html = client.get(page_of(harbour, "versions/")).content.decode()
    assert html.count("<circle") == 4
    assert 'aria-hidden="true"' in html


def test_a_discarded_draft_comes_back(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    edit(people, harbour, "Write loudly.")
    answer = client.post(page_of(harbour, "draft/discard/"), follow=True)
    assert queries.draft_base(harbour) is None
    html = answer.content.decode()
    undo = html[html.index("/draft/back/") :].split('"')[0]
    assert client.post(f"/presets/{harbour.pk}{undo}").status_code == 303
    assert queries.package_of(harbour).by_id["tone"].content == "Write loudly."


@pytest.mark.parametrize(
    ("left", "back"),
    [
        ("editor", "entries/"),
        ("params", "params/"),
        ("", "versions/"),
        ("//evil.example", "versions/"),
    ],
)
def test_whoever_comes_from_a_page_goes_back_to_it(
    people: People, harbour: Preset, left: str, back: str
) -> None:
    client, there = client_of(people.ana), page_of(harbour, back)
    edit(people, harbour, "Write loudly.")
    thrown = client.post(page_of(harbour, "draft/discard/"), {"from": left})
    assert thrown["Location"] == there
    html = client.get(there).content.decode()
    undo = html[html.index("/draft/back/") :].split('"')[0]
    assert client.post(f"/presets/{harbour.pk}{undo}")["Location"] == there
    assert client.post(page_of(harbour, "versions/make/"), {"from": left})["Location"] == there


def test_a_reader_looks_and_changes_nothing(people: People, harbour: Preset) -> None:
    edit(people, harbour, "Write loudly.")
    actions.make_version(actor=people.ana, preset=harbour)
    share(people.ben, "preset", harbour.pk)
    client = client_of(people.ben)
    html = client.get(page_of(harbour, "versions/")).content.decode()
    assert "Bring back" not in html
    assert "Branch off" not in html
    for rest in ("versions/1/restore/", "versions/1/branch/", "versions/make/", "draft/discard/"):
        assert client.post(page_of(harbour, rest)).status_code == 403


def versions_of(parents: list[int]) -> list[Version]:
    """Versions 1 to n; each names a parent before it (0: none)."""
    return [
        Version(number=number, parent=parent or None, at="2026-12-01T00:00:00+00:00", by="ana")
        for number, parent in enumerate(parents, 1)
    ]


@given(st.lists(st.integers(0, 30), max_size=30), st.booleans())
def test_every_version_has_a_row_and_a_line_to_its_parent(draws: list[int], draft: bool) -> None:
    parents = [0, *(draw % (place + 1) + 1 for place, draw in enumerate(draws))]
    versions = versions_of(parents)
    rows, width = tree_rows(versions, len(versions), len(versions) if draft else None)
    assert [row.version.number for row in rows if row.version] == list(range(len(versions), 0, -1))
    assert all(0 < row.x < width for row in rows)
    # What leaves a row below arrives in the next one above.
    for upper, lower in pairwise(rows):
        leaving = {path.split()[0][1:] for path in upper.paths if path.endswith("V72")}
        arriving = {path.split()[0][1:] for path in lower.paths if " 0" in path}
        assert leaving == arriving
    assert not any(path.endswith("V72") for path in rows[-1].paths)


def test_parents_that_a_hand_spoilt_draw_nothing_odd() -> None:
    spoilt = [version.model_copy(update={"parent": 9}) for version in versions_of([0, 0])]
    rows, width = tree_rows(spoilt, 2, 7)
    assert [row.paths for row in rows] == [(), (), ()]
    assert width == WIDE


def keep(client: Client, preset: Preset, **said: str) -> None:
    client.post(trial(preset), {**SCENE, **said})
    fields = {"name": "At the door", "group": "Doors", "expected": "Calm, no dialogue."}
    assert client.post(page_of(preset, "cases/save/"), fields).status_code == 303


def test_a_case_shows_what_is_no_longer_as_it_was(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    keep(client, harbour, policy="none")
    told = text(client, page_of(harbour, "cases/"))
    assert "1 case sends what it did." in told
    assert "Doors" in told
    assert "Calm, no dialogue." in told
    edit(people, harbour, "Write loudly. Rain is never far.")
    assert "1 of 1 sends something else than it did." in text(client, page_of(harbour, "cases/"))
    assert "1 case sends what it did." in text(client, page_of(harbour, "cases/?state=1"))
    case = queries.cases_of(harbour)[0]
    html = client.get(page_of(harbour, f"cases/{case.id}/")).content.decode()
    assert "calmly</del>" in html
    assert client.post(page_of(harbour, f"cases/{case.id}/accept/")).status_code == 303
    assert "1 case sends what it did." in text(client, page_of(harbour, "cases/"))
    assert client.get(page_of(harbour, "cases/nobody/")).status_code == 404


def test_a_case_of_a_draft_keeps_its_messages(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    edit(people, harbour, "Write loudly.")
    keep(client, harbour, policy="none")
    edit(people, harbour, "Write softly.")
    case = queries.cases_of(harbour)[0]
    assert case.version == 0
    run = run_case(harbour, case, "draft")
    assert run.differing == 1
    assert "Write loudly." in str(run.was)


def test_a_draft_too_long_to_be_kept_with_a_case_is_told(people: People, make_preset: MakePreset) -> None:
    made = make_preset(large_preset(900))
    etag = queries.prompt_row(made, "p0").etag
    actions.save_prompt(
        actor=people.ana, preset=made, prompt_id="p0", fields={"content": "x" * 300_000}, if_match=etag
    )
    answer = client_of(people.ana).post(page_of(made, "cases/save/"), {"name": "x"})
    assert "Make a version of the draft first" in text_of(answer.content.decode())
    assert queries.cases_of(made) == ()


def test_a_case_goes_into_the_trial_again(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    keep(client, harbour)
    client.post(trial(harbour), {**SCENE, "current_turn": "Something else."})
    case = queries.cases_of(harbour)[0]
    client.post(trial(harbour, "fill/"), {"case": case.id})
    assert trials.setup_of(people.ana, harbour).inputs.current_turn == SCENE["current_turn"]


def test_a_deleted_case_comes_back(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    keep(client, harbour)
    case = queries.cases_of(harbour)[0]
    html = client.post(page_of(harbour, f"cases/{case.id}/delete/"), follow=True).content.decode()
    assert queries.cases_of(harbour) == ()
    undo = html[html.index("/cases/back/") :].split('"')[0]
    client.post(f"/presets/{harbour.pk}{undo}")
    assert queries.cases_of(harbour) == (case,)


def test_a_copy_does_not_mistake_its_versions_for_those_of_the_original(
    people: People, harbour: Preset
) -> None:
    client = client_of(people.ana)
    keep(client, harbour, policy="none")
    edit(people, harbour, "Write loudly.")
    actions.make_version(actor=people.ana, preset=harbour)
    copy = actions.copy_preset(actor=people.ana, preset=harbour, name="Twin")
    run = run_case(copy, queries.cases_of(copy)[0], "draft")
    assert run.was is None
    assert "not known what it sent" in text(client, page_of(copy, "cases/"))


def test_messages_of_two_versions_and_of_runs_are_compared(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    client.post(trial(harbour), {**SCENE, "policy": "none"})
    edit(people, harbour, "Write loudly. Rain is never far.")
    html = client.get(page_of(harbour, "trial/compare/?old=1&new=draft")).content.decode()
    assert "1 message differs" in text_of(html)
    assert "calmly</del>" in html
    same = text(client, page_of(harbour, "trial/compare/?old=1&new=1"))
    assert "The messages are the same." in same
    assert client.get(page_of(harbour, "trial/compare/?old=run-nobody")).status_code == 404
