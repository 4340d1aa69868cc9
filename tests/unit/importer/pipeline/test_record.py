"""The record files of an import: strict, readable by us only, written under the lock."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from formats.errors import DomainError
from importer.pipeline.receiving import receive, shown_name
from importer.pipeline.record import (
    CardFiles,
    ImportRecord,
    ImportState,
    Reading,
    StoredError,
    read_record,
    record_bytes,
)
from tests.support.cards import png_card, v3
from tests.support.imports import UPLOAD, card_bytes, run, staged, started, tree
from worlds.store.paths import DataFolder
from worlds.store.staging import Staging


def test_a_record_is_read_as_it_was_written() -> None:
    error = StoredError.of(DomainError("full", "disk-full", "x", "No room in {place}.", args={"place": "x"}))
    state = ImportState(stage="built", started_at="2026-11-30T00:00:00Z", fence=3, error=error)
    assert read_record(ImportState, record_bytes(state), "state.json") == state
    assert json.loads(record_bytes(state))["schema"] == "roleplay-import-state/v1"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"schema": "roleplay-reading/v2", "verdict": "card"}',
        b'{"verdict": "card", "new_field": 1}',
        b'{"verdict": "maybe"}',
        b'{"verdict": "card", "count": "1"}',
    ],
)
def test_a_record_of_another_form_is_refused(data: bytes) -> None:
    with pytest.raises(DomainError) as refused:
        read_record(Reading, data, "read.json")
    assert (refused.value.kind, refused.value.code) == ("invalid", "import.record-unreadable")


def test_a_missing_record_is_named(tmp_path: Path) -> None:
    with pytest.raises(DomainError) as refused:
        CardFiles(tmp_path).card()
    assert (refused.value.kind, refused.value.where) == ("not-found", "card.json")


def test_a_card_without_a_picture_has_none(tmp_path: Path) -> None:
    assert CardFiles(staged(tmp_path, card_bytes(v3())).folder(UPLOAD)).picture() is None
    folder = started(tmp_path / "b", png_card(v3()))
    with folder.change(by="ana", what="test", history=False) as change:
        change.remove(".import/picture.png")
    assert ImportRecord(folder).picture() is None


@pytest.mark.req("RUN-3")
def test_each_worker_that_takes_an_import_up_has_a_higher_number(tmp_path: Path) -> None:
    record = ImportRecord(started(tmp_path, card_bytes(v3())))
    assert [record.take_up().fence for _ in range(3)] == [1, 2, 3]
    assert record.state().stage == "ready"


def test_why_an_import_stopped_is_noted_by_the_worker_in_turn_alone(tmp_path: Path) -> None:
    folder = started(tmp_path, card_bytes(v3()))
    record = ImportRecord(folder)
    first, second = record.take_up(), record.take_up()
    before = tree(folder.path)
    record.note_error(DomainError("full", "late"), first.fence)
    assert tree(folder.path) == before
    record.note_error(DomainError("full", "now"), second.fence)
    state = record.state()
    assert state.error is not None
    assert (state.stage, state.error.code) == ("ready", "now")
    assert record.take_up().error is None


@pytest.mark.req("DRAFT-4")
@pytest.mark.parametrize(
    ("card", "stage"), [(v3(first_mes="", alternate_greetings=[]), "done"), (None, "ready")]
)
def test_only_a_draft_is_settled(tmp_path: Path, card: dict[str, object] | None, stage: str) -> None:
    folder = started(tmp_path, card_bytes(card or v3()))
    if card:
        assert run(folder) == "repair"
    ImportRecord(folder).update_state(kept=True)
    ImportRecord(folder).settle()
    state = ImportRecord(folder).state()
    assert (state.stage, state.kept) == (stage, card is None)


@pytest.mark.req("CARD-3")
def test_a_file_over_the_limit_leaves_no_original(tmp_path: Path) -> None:
    staging = Staging(DataFolder(tmp_path))
    staging.begin(UPLOAD)
    with pytest.raises(DomainError) as refused:
        receive(staging, UPLOAD, [b"x" * 10, b"y"], "a", limit=10)
    assert refused.value.kind == "too-large"
    assert list(staging.folder(UPLOAD).iterdir()) == []


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a/b\\c.png", "c.png"),
        ("..", ".."),
        ("x\n\x00\u202ey.png", "xy.png"),
        ("", "card"),
        ("\x07", "card"),
        ("名" * 400, "名" * 300),
    ],
)
def test_a_files_name_is_for_people_only(name: str, shown: str) -> None:
    assert shown_name(name) == shown
