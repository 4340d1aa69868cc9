"""An import step by step: order, interruption at every call of the store, workers that come late."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from formats.errors import DomainError
from importer.pipeline.record import ImportRecord, Stage
from tests.support.cards import chinese_card, english_card, png_card, v3
from tests.support.import_kills import SMALL, kill_everywhere
from tests.support.imports import card_bytes, importing, run, started, tree


@pytest.mark.req("STRUCT-1", "RUN-3")
def test_an_import_walks_its_stages_each_stored_before_it_is_told(tmp_path: Path) -> None:
    folder = started(tmp_path, SMALL)
    told: list[tuple[Stage, Stage]] = []
    assert run(folder, lambda stage: told.append((stage, ImportRecord(folder).state().stage))) == "done"
    assert told == [(stage, stage) for stage in ("ready", "surveyed", "built", "done")]


@pytest.mark.req("STRUCT-1", "DRAFT-2", "DRAFT-6")
def test_a_card_without_a_greeting_ends_as_a_draft_with_everything_in_it(tmp_path: Path) -> None:
    folder = started(tmp_path, card_bytes(v3(first_mes="", alternate_greetings=[])))
    assert run(folder) == "repair"
    report = ImportRecord(folder).report()
    assert [problem["code"] for problem in report["problems"] if problem["severity"] == "error"] == [
        "opening-missing"
    ]
    assert folder.has("characters/mira-oakes.json")


def test_a_finished_import_is_not_run_again(tmp_path: Path) -> None:
    folder = started(tmp_path, SMALL)
    run(folder)
    before = tree(folder.path)
    assert run(folder) == "done"
    assert tree(folder.path) == before


@pytest.mark.parametrize("card", [english_card(), chinese_card()], ids=["english", "chinese"])
def test_the_same_card_gives_the_same_bytes(tmp_path: Path, card: dict[str, Any]) -> None:
    made = []
    for name in ("one", "two"):
        folder = started(tmp_path / name, png_card(card))
        run(folder)
        made.append(tree(folder.path))
    assert made[0] == made[1]


@pytest.mark.req("RUN-3")
@pytest.mark.parametrize("stage", ["surveyed", "built"])
def test_a_step_refuses_to_run_out_of_order(tmp_path: Path, stage: Stage) -> None:
    folder = started(tmp_path, SMALL)
    worker = importing(folder)
    worker.fence = ImportRecord(folder).take_up().fence
    before = tree(folder.path)
    with pytest.raises(DomainError) as refused:
        ImportRecord(folder).advance(stage, "built", worker.fence, {})
    assert refused.value.code == "import.out-of-order"
    assert tree(folder.path) == before


@pytest.mark.req("RUN-3")
@pytest.mark.parametrize("overtaken_at", ["ready", "surveyed", "built"])
def test_a_worker_that_wakes_late_writes_nothing(tmp_path: Path, overtaken_at: Stage) -> None:
    folder = started(tmp_path, SMALL)
    finished: dict[str, bytes] = {}

    def overtake(stage: Stage) -> None:
        if stage == overtaken_at:
            run(folder)  # somebody else, to the end
            finished.update(tree(folder.path))

    with pytest.raises(DomainError) as refused:
        run(folder, overtake)
    assert refused.value.code == "import.stale-worker"
    assert finished
    assert tree(folder.path) == finished


@pytest.mark.req("FIN-4")
def test_records_of_another_program_stop_the_import_and_stay(tmp_path: Path) -> None:
    folder = started(tmp_path, SMALL)
    foreign = b'{"schema": "another/v9", "imports": [1]}'
    with folder.change(by="ana", what="test", history=False) as change:
        change.write(".import/provenance.json", foreign)
    with pytest.raises(DomainError) as refused:
        run(folder)
    assert refused.value.code == "import.provenance-schema"
    assert folder.read(".import/provenance.json") == foreign
    state = ImportRecord(folder).state()
    assert (state.stage, state.error and state.error.code) == ("built", "import.provenance-schema")
    assert not folder.paths("characters")
    with folder.change(by="ana", what="test", history=False) as change:
        change.remove(".import/provenance.json")
    assert run(folder) == "done"
    assert ImportRecord(folder).state().error is None


def test_a_structure_file_that_somebody_changed_is_refused_with_a_sentence(tmp_path: Path) -> None:
    folder = started(tmp_path, SMALL)

    def spoil(stage: Stage) -> None:
        if stage == "built":
            with folder.change(by="ana", what="test", history=False) as change:
                change.write(".import/structure.json", b"[]")

    with pytest.raises(DomainError) as refused:
        run(folder, spoil)
    assert refused.value.code == "import.record-unreadable"


@pytest.mark.req("RUN-3", "RUN-11", "DRAFT-6")
def test_an_import_killed_at_a_call_of_the_store_goes_on_to_the_same_world(tmp_path: Path) -> None:
    """Every ninth call; `tests/hard` takes every single one."""
    assert kill_everywhere(tmp_path, every=9) > 80
