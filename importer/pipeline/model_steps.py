"""An import with a model, step by step: the same stages, kept answers, and a turn that records the calls."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, TypeVar

from formats.card import pieces_of
from formats.errors import DomainError
from formats.messages import gettext_noop
from formats.stable_json import read_json
from importer.pipeline.build.run import build
from importer.pipeline.building import Built
from importer.pipeline.context import ImportContext
from importer.pipeline.finish import finish_import
from importer.pipeline.kept_answers import KeptAnswers, cost_of, forget, kept_records
from importer.pipeline.outcomes import Ledger
from importer.pipeline.record import (
    STAGES,
    ImportRecord,
    ImportState,
    Stage,
    read_record,
    record_bytes,
    refuse_stale,
)
from importer.pipeline.steps import FINAL
from importer.pipeline.survey.records import Classification, Roster
from importer.pipeline.survey.run import survey
from importer.pipeline.survey.sources import Survey
from llm.tasks import TaskRecord

T = TypeVar("T")
TOOLS: Mapping[Stage, str] = {"ready": "import_survey", "surveyed": "import_build", "built": "import_finish"}
"""The tool whose call follows on a stage (D11)."""
OUT_OF_TIME = gettext_noop(
    "The time for one import, {minutes} minutes, is used up. What was finished is kept."
)
OUT_OF_TIME_HINT = gettext_noop("Go on to give it as much time again, or choose a quicker model.")


class Turn(Protocol):
    """The authoring turn in which an import runs (RUN-1, RUN-2, RUN-7); its calls are stored rows (D46)."""

    async def call(self, tool: str) -> None:
        """Begin a tool call, or go on with one that was interrupted. Refused beyond its number in a turn."""

    async def result(self, tool: str, told: Mapping[str, Any]) -> None:
        """Store what the call gave."""

    async def end(self, how: str, error: DomainError | None = None) -> None:
        """End the turn: `finished` or `failed` with the reason."""


@dataclass(slots=True)
class ModelImport:
    """One worker's turn at an import.

    Args:
        context_of: makes the context over the kept answers of this worker.
        seconds: how long the model may be at work; pauses and queueing do not count.
        on_kept: hears of every answer.
        by: who the history names. now: the clock.
    """

    record: ImportRecord
    turn: Turn
    context_of: Callable[[KeptAnswers], ImportContext]
    seconds: float
    on_kept: Callable[[TaskRecord], Awaitable[None]]
    by: str
    now: Callable[[], datetime]
    fence: int = 0
    _context: ImportContext | None = field(default=None, init=False)

    async def run(self, on_stage: Callable[[Stage], Awaitable[None]]) -> Stage:
        """Go on from the stage that is stored until the world is done, or a draft.

        Raises:
            DomainError: why it stopped; the stage reached stays, the answers are kept, and the reason is
                stored beside them. Also whatever `on_stage` raises.
        """
        state = await asyncio.to_thread(self.record.state)
        await self._fill_in(state.stage)
        if state.stage in FINAL:
            await self.turn.end("finished")
            await asyncio.to_thread(forget, self.record)  # a crash between the end and this
            return state.stage
        taken = await asyncio.to_thread(self.record.take_up)
        self.fence = taken.fence
        began = time.monotonic()
        try:
            return await self._within_time(taken, on_stage)
        except DomainError as error:
            with suppress(DomainError):  # nothing can be noted in a world that went to the trash
                await asyncio.to_thread(self.record.note_error, error, self.fence)
            await self.turn.end("failed", error)
            raise
        finally:
            with suppress(DomainError):
                await asyncio.to_thread(self._spend, time.monotonic() - began)

    async def _fill_in(self, reached: Stage) -> None:
        """The result of a call whose stage was stored before a crash took its row (RUN-2)."""
        for stage, tool in TOOLS.items():
            if STAGES.index(stage) < STAGES.index(reached):
                await self.turn.result(tool, {"stage": reached})

    async def _within_time(self, taken: ImportState, on_stage: Callable[[Stage], Awaitable[None]]) -> Stage:
        limit = asyncio.timeout(max(0.0, self.seconds - taken.spent))
        try:
            async with limit:
                return await self._go_on(taken.stage, on_stage)
        except TimeoutError:
            if not limit.expired():
                raise
            args = {"minutes": round(self.seconds / 60)}
            raise DomainError(
                "unavailable", "import.out-of-time", "", OUT_OF_TIME, OUT_OF_TIME_HINT, args
            ) from None

    async def _go_on(self, stage: Stage, on_stage: Callable[[Stage], Awaitable[None]]) -> Stage:
        kept = KeptAnswers(self.record, self.fence, self.on_kept)
        context = self._context = await asyncio.to_thread(self.context_of, kept)
        await on_stage(stage)
        while stage not in FINAL:
            tool = TOOLS[stage]
            await self.turn.call(tool)
            stage, told = await self._step(stage, context)
            await self.turn.result(tool, told)
            await on_stage(stage)
        await self.turn.end("finished")
        await asyncio.to_thread(forget, self.record)
        return stage

    async def _step(self, stage: Stage, context: ImportContext) -> tuple[Stage, dict[str, Any]]:
        if stage == "ready":
            return await self._survey(context)
        if stage == "surveyed":
            return await self._build(context)
        return await asyncio.to_thread(self._finish)

    async def _survey(self, context: ImportContext) -> tuple[Stage, dict[str, Any]]:
        found = await survey(context)
        files = {
            "pieces.json": Ledger(pieces_of(context.card)).account(),
            "classification.json": found.classification,
            "roster.json": found.roster,
        }
        await asyncio.to_thread(self.record.advance, "ready", "surveyed", self.fence, files)
        return "surveyed", survey_told(found)

    async def _build(self, context: ImportContext) -> tuple[Stage, dict[str, Any]]:
        found, inputs = await asyncio.to_thread(self._surveyed)
        built = await build(context, found, **inputs)
        files = {"structure.json": built.to_record()}
        await asyncio.to_thread(self.record.advance, "surveyed", "built", self.fence, files)
        return "built", {
            "files": len(built.files),
            "notes": len(built.notes),
            "pieces": built.pieces.totals(),
        }

    def _surveyed(self) -> tuple[Survey, dict[str, Any]]:
        inputs = {
            "picture": self.record.reading().picture,
            "sha256": self.record.upload().sha256,
            "started_at": self.record.state().started_at,
        }
        return stored_survey(self.record), inputs

    def _finish(self) -> tuple[Stage, dict[str, Any]]:
        built = Built.from_record(read_json(self.record.bytes_of("structure.json")))
        told = {"survey": survey_told(stored_survey(self.record)), "cost": cost_of(kept_records(self.record))}
        stage = finish_import(self.record, built, fence=self.fence, now=self.now(), by=self.by, told=told)
        return stage, {"stage": stage, "pieces": built.pieces.totals()}

    def _spend(self, seconds: float) -> None:
        with self.record.folder.change(by="import", what="import-record", history=False) as change:
            state = self.record.state_in(change)
            refuse_stale(state, self.fence)
            spent = state.model_copy(update={"spent": round(state.spent + seconds, 3)})
            change.write(".import/state.json", record_bytes(spent))


def stored_survey(record: ImportRecord) -> Survey:
    """The survey that was stored.

    Raises:
        DomainError: a record is missing or not ours.
    """
    name = "classification.json"
    classification = read_record(Classification, record.bytes_of(name), name)
    return Survey(classification, read_record(Roster, record.bytes_of("roster.json"), "roster.json"))


def survey_told(found: Survey) -> dict[str, Any]:
    """How a survey went: pieces, those decided without a language model, fallbacks, and the roster."""
    classes = found.classification.pieces
    return {
        "pieces": len(classes),
        "decided": sum(piece.by == "decision" for piece in classes),
        "unsure": sum(piece.note == "decision-unsure" for piece in classes),
        "decision_failed": sum(piece.note == "decision-failed" for piece in classes),
        "by_code": sum(piece.note == "model-failed" for piece in classes),
        "merged_by": found.roster.merged_by,
        "entities": len(found.roster.entities),
    }
