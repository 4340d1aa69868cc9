"""Files that become presets: read in a child process, kept without their secrets, refused with a reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from presets import actions, queries
from presets.models import Preset
from tests.support.people import People
from tests.support.presets import (
    SECRET,
    as_file,
    chinese_preset,
    harbour_preset,
    hostile_presets,
    large_preset,
    secretive_preset,
)
from worlds.library.shelves import folder_of
from worlds.library.waiting import staging

pytestmark = pytest.mark.django_db


def upload(people: People, data: bytes, filename: str = "harbour.json", name: str = "") -> actions.Upload:
    return actions.upload_preset(actor=people.ana, data=data, filename=filename, name=name)


def taken(people: People, data: bytes, filename: str = "harbour.json") -> Preset:
    preset = upload(people, data, filename).preset
    assert preset is not None
    return preset


@pytest.mark.req("PRE-1", "PRE-10")
def test_a_file_becomes_a_preset_with_its_bytes_and_its_report(people: People, data_root: Path) -> None:
    data = as_file(harbour_preset())
    preset = taken(people, data)
    assert (preset.name, preset.form, preset.source_kind) == ("harbour", "sillytavern", "upload")
    assert (preset.prompts_total, preset.prompts_on, preset.versions_count) == (8, 6, 1)
    assert (preset.lines_elsewhere, preset.model_hint) == (1, "gpt-harbour")
    assert preset.tokens_fixed > 10
    assert not preset.has_draft
    assert folder_of(preset).read(".import/preset.json") == data
    found = queries.import_report(preset)
    assert found is not None
    assert (found.kept, found.filename, found.size) == ("as-it-came", "harbour.json", len(data))
    report = queries.report_of(preset)
    assert report.unreferenced == ("unused",)
    assert report.order_character_id == 100001
    line = report.line("memory")
    assert line is not None
    assert line.fate == "sent-elsewhere"
    assert json.loads(folder_of(preset).read("preset.json"))["harbour_mark"] == "kept as it is"
    assert staging().ids() == []


@pytest.mark.req("PRE-1")
def test_secrets_are_nowhere_and_their_paths_are_told(people: People, data_root: Path) -> None:
    preset = taken(people, as_file(secretive_preset()))
    found = queries.import_report(preset)
    assert found is not None
    assert found.kept == "without-secrets"
    assert set(queries.report_of(preset).secrets) == {"reverse_proxy", "proxy_password"}
    for path in data_root.rglob("*"):
        if path.is_file():
            assert SECRET.encode() not in path.read_bytes()
            assert b"proxy.invalid" not in path.read_bytes()


def test_what_waits_holds_no_secret_either(people: People, data_root: Path) -> None:
    taken(people, as_file(secretive_preset()))
    waits = upload(people, as_file(secretive_preset()))
    assert waits.preset is None
    kept = [path.read_bytes() for path in staging().folder(waits.id).iterdir()]
    assert len(kept) > 3
    assert not any(SECRET.encode() in data for data in kept)


@pytest.mark.parametrize("what", sorted(hostile_presets()))
def test_hostile_files_are_presets_that_harm_nobody(people: People, data_root: Path, what: str) -> None:
    preset = taken(people, hostile_presets()[what], "../../evil\x00.json")
    assert preset.name == "evil"
    rows = queries.prompt_rows(preset)
    every = [*rows.line, *rows.in_history, *rows.unused]
    assert len({row.prompt.id for row in every}) == len(every) > 0
    for row in every:
        saved = actions.save_prompt(
            actor=people.ana, preset=preset, prompt_id=row.prompt.id, fields={"name": "n"}, if_match=row.etag
        )
        assert queries.prompt_row(preset, row.prompt.id).etag == saved.etag
    assert actions.make_version(actor=people.ana, preset=preset) == 2
    assert queries.report_of(preset).prompt_count == preset.prompts_total
    queries.exported(preset)
    shelf = folder_of(preset).path.parent
    assert {path.name for path in shelf.iterdir()} == {preset.pk, ".locks"}


def test_five_hundred_prompts_and_a_chinese_preset(people: People, data_root: Path) -> None:
    assert taken(people, as_file(large_preset())).prompts_total == 503
    chinese = taken(people, as_file(chinese_preset()), "雾港.json")
    assert chinese.name == "雾港"
    assert [row.prompt.name for row in queries.prompt_rows(chinese).line][:2] == ["主提示", "文风"]
    assert [one.name for one in queries.library_rows(people.ana, search="雾")] == ["雾港"]


@pytest.mark.req("PRE-1")
def test_what_was_edited_and_left_as_a_file_is_known_when_it_comes_back(
    people: People, data_root: Path
) -> None:
    preset = taken(people, as_file(harbour_preset()))
    etag = queries.prompt_row(preset, "tone").etag
    actions.save_prompt(
        actor=people.ana, preset=preset, prompt_id="tone", fields={"content": "Louder."}, if_match=etag
    )
    added = actions.add_prompt(actor=people.ana, preset=preset, fields={"name": "New"}, after="tone")
    actions.make_version(actor=people.ana, preset=preset)
    file = queries.exported(preset)
    assert file != harbour_preset()
    again = upload(people, as_file(file), "again.json")
    assert again.preset is None
    assert [one.pk for one in again.identical] == [preset.pk]
    etag = queries.prompt_row(preset, added.id).etag
    actions.save_prompt(
        actor=people.ana, preset=preset, prompt_id=added.id, fields={"content": "Rain."}, if_match=etag
    )
    actions.make_version(actor=people.ana, preset=preset)
    assert upload(people, as_file(queries.exported(preset, 2)), "older.json").preset is not None
