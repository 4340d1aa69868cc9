"""What an import leaves behind: pictures, records, snapshot, report; and what is mended on the way."""

from __future__ import annotations

import hashlib
import json
import tracemalloc
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from formats.errors import DomainError
from importer.pipeline.finish import finish_import, make_ready
from importer.pipeline.origins import Origins
from importer.pipeline.record import OUTCOMES, PROVENANCE_SCHEMA, ImportRecord, read_record, with_line
from tests.support.big_uploads import big_card
from tests.support.cards import chinese_card, english_card, png_card, v3
from tests.support.imports import built, card_bytes, run, started
from worlds.rules.check import check_world
from worlds.rules.documents import Faction
from worlds.rules.write import document_bytes
from worlds.store.snapshot import edited_since, snapshot
from worlds.store.space import bytes_below


@pytest.mark.req("FIN-5", "FIN-6")
def test_the_picture_lies_at_cover_and_portrait(tmp_path: Path) -> None:
    folder = started(tmp_path, png_card(v3()))
    run(folder)
    picture = ImportRecord(folder).picture()
    assert picture is not None
    places = [folder.path / "images/cover.png", folder.path / "images/portraits/mira-oakes.png"]
    assert [place.read_bytes() for place in places] == [picture.read_bytes()] * 2
    assert b"Mira" not in picture.read_bytes(), "the picture no longer carries the card"
    assert all(place.samefile(picture) for place in places), "it takes its room once"


@pytest.mark.req("CARD-3", "FIN-5", "FIN-6")
def test_a_large_picture_is_never_in_memory_and_lies_there_once(tmp_path: Path) -> None:
    size = 20_000_000
    big_card(tmp_path / "large.png", size)
    folder = started(tmp_path, (tmp_path / "large.png").read_bytes())
    tracemalloc.start()
    try:
        run(folder)
        _now, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < size / 4
    assert bytes_below(folder.path) < 2.1 * size, "the file as it came, and its picture"


@pytest.mark.req("FIN-4")
def test_provenance_gets_a_line_for_each_import(tmp_path: Path) -> None:
    folder = started(tmp_path, card_bytes(english_card()))
    run(folder)
    record = ImportRecord(folder)
    value = folder.read_json(".import/provenance.json")
    [line] = value["imports"]
    assert value["schema"] == PROVENANCE_SCHEMA == "dsh-roleplay-import/v1"
    assert (line["card"], line["sha256"], line["language"]) == ("Mira Oakes", record.upload().sha256, "en")
    assert line["at"] == "2026-11-30T08:05:00Z"
    assert (line["counts"]["lore"], line["notes"]) == (4, len(record.report()["notes"]))
    again = json.loads(with_line(folder.read(".import/provenance.json"), {"at": "later"}))
    assert again["imports"] == [line, {"at": "later"}]


@pytest.mark.req("FIN-4")
@pytest.mark.parametrize("foreign", [b"{}", b"[]", b"not json", b'{"schema": "dsh-roleplay-import/v1"}'])
def test_provenance_of_another_form_is_refused(foreign: bytes) -> None:
    with pytest.raises(DomainError) as refused:
        with_line(foreign, {})
    assert (refused.value.kind, refused.value.code) == ("conflict", "import.provenance-schema")


@pytest.mark.req("UPD-1")
def test_the_snapshot_knows_every_document_and_sees_every_edit(tmp_path: Path) -> None:
    folder = started(tmp_path, png_card(english_card()))
    run(folder)
    files = folder.read_json(".import/files.json")["files"]
    assert files == snapshot(folder)
    assert files["world.json"] == hashlib.sha256(folder.read("world.json")).hexdigest()
    assert not [path for path in files if path.startswith((".", "images/"))]
    with folder.change(by="ana", what="edit") as change:
        change.write("lore/new.json", b"{}")
    assert edited_since(folder, files) == ["lore/new.json"]


@pytest.mark.req("OUT-1", "OUT-2", "PREV-4")
def test_the_report_has_totals_that_add_up_and_names_what_is_not_carried(tmp_path: Path) -> None:
    folder = started(tmp_path, card_bytes(chinese_card()))
    run(folder)
    record = ImportRecord(folder)
    report, pieces = record.report(), record.pieces().pieces
    assert list(report["pieces"]) == list(OUTCOMES)
    assert sum(report["pieces"].values()) == len(pieces)
    assert report["pieces"]["awaiting"] == 0
    dialect = report["leftOut"]["dialect"]
    assert (dialect["regexScripts"], dialect["helperScripts"]) == (2, 1)
    assert report["counts"]["openings"] == 4


@pytest.mark.req("OUT-1")
def test_every_document_is_kept_with_the_pieces_it_came_from(tmp_path: Path) -> None:
    folder = started(tmp_path, card_bytes(english_card()))
    run(folder)
    record = ImportRecord(folder)
    origins = read_record(Origins, record.bytes_of("origins.json"), "origins.json")
    assert origins.schema_ == "roleplay-origins/v1"
    made = {path for piece in record.pieces().pieces for path in piece.made}
    assert {origin.path for origin in origins.origins} == made <= set(folder.paths())
    for piece in record.pieces().pieces:
        assert origins.what_became(piece.id) == sorted(piece.made)
    assert {"greeting:0", "greeting:1"} <= {source.piece for source in origins.what_made("world.json")}


@pytest.mark.req("OUT-2")
def test_the_report_says_besides_what_the_import_was_told(tmp_path: Path) -> None:
    folder = started(tmp_path, card_bytes(english_card()))
    record = ImportRecord(folder)
    fence = record.take_up().fence
    record.advance("ready", "surveyed", fence, {})
    record.advance("surveyed", "built", fence, {})
    world = built(english_card())
    now = datetime(2026, 11, 30, 8, 5, tzinfo=UTC)
    finish_import(record, world, fence=fence, now=now, by="ana", told={"survey": {"merged_by": "code"}})
    report = record.report()
    assert report["survey"] == {"merged_by": "code"}
    assert report["pieces"] == world.pieces.totals()


@pytest.mark.req("DRAFT-1")
def test_references_to_nothing_are_dropped_with_a_note_before_the_world_is_judged() -> None:
    world = built(v3())
    faction = Faction.model_validate(
        {"id": "guild", "name": "Guild", "members": [{"character": "nobody", "role": "head"}]}
    )
    spoiled = replace(world, files={**world.files, "factions/guild.json": document_bytes(faction)})
    ready = make_ready(spoiled, [])
    assert json.loads(ready.files["factions/guild.json"])["members"] == []
    assert [note.args["id"] for note in ready.notes] == ["nobody"]
    assert ready.stage == "done"


@pytest.mark.req("FIN-1", "DRAFT-2")
def test_what_is_written_was_judged_as_before_a_story(tmp_path: Path) -> None:
    folder = started(tmp_path, card_bytes(v3(first_mes="", alternate_greetings=[])))
    run(folder)
    told = {(problem["code"], problem["where"]) for problem in ImportRecord(folder).report()["problems"]}
    assert told == {(finding.code, finding.where) for finding in check_world(folder.path)}


def test_the_world_is_written_as_one_change_that_can_be_taken_back(tmp_path: Path) -> None:
    folder = started(tmp_path, png_card(english_card()))
    run(folder)
    [change] = [change for change in folder.history() if change.what == "import"]
    assert change.by == "ana"
    assert set(folder.paths()) <= set(change.changed)
