"""An import without a model, step by step: each stage is stored before the next begins (RUN-3, STRUCT-1)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from formats.card import pieces_of
from formats.errors import DomainError
from formats.stable_json import read_json
from importer.pipeline.building import Built
from importer.pipeline.finish import finish_import
from importer.pipeline.outcomes import Ledger
from importer.pipeline.record import ImportRecord, Stage
from importer.pipeline.structure import build_world

FINAL: tuple[Stage, ...] = ("repair", "done")


@dataclass(slots=True)
class StructureImport:
    """One worker's turn at an import. `by` is who the history names, `now` the clock."""

    record: ImportRecord
    by: str
    now: Callable[[], datetime]
    fence: int = 0

    def run(self, on_stage: Callable[[Stage], None]) -> Stage:
        """Go on from the stage that is stored until the world is done, or a draft; blocks, uses no network.

        `on_stage` hears of each stage after it is stored; what it raises stops the import there.

        Raises:
            DomainError: see the steps; the stage reached stays, and why it stopped is stored beside it.
        """
        stage = self.record.state().stage
        if stage in FINAL:
            return stage
        taken = self.record.take_up()
        self.fence = taken.fence
        try:
            return self._go_on(taken.stage, on_stage)
        except DomainError as error:
            with suppress(DomainError):  # nothing can be noted in a world that went to the trash
                self.record.note_error(error, self.fence)
            raise

    def _go_on(self, stage: Stage, on_stage: Callable[[Stage], None]) -> Stage:
        on_stage(stage)
        while stage not in FINAL:
            stage = self.step(stage)
            on_stage(stage)
        return stage

    def step(self, stage: Stage) -> Stage:
        """Do what follows on `stage`; gives the stage reached."""
        if stage == "ready":
            return self._survey()
        if stage == "surveyed":
            return self._build()
        return self._finish()

    def _survey(self) -> Stage:
        pieces = Ledger(pieces_of(self.record.card())).account()
        self.record.advance("ready", "surveyed", self.fence, {"pieces.json": pieces})
        return "surveyed"

    def _build(self) -> Stage:
        built = build_world(
            self.record.card(),
            self.record.choices(),
            picture=self.record.reading().picture,
            sha256=self.record.upload().sha256,
            started_at=self.record.state().started_at,
        )
        self.record.advance("surveyed", "built", self.fence, {"structure.json": built.to_record()})
        return "built"

    def _finish(self) -> Stage:
        built = Built.from_record(read_json(self.record.bytes_of("structure.json")))
        return finish_import(self.record, built, fence=self.fence, now=self.now(), by=self.by)
