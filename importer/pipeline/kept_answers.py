"""The answers of an import's narrow tasks, one file each in `.import/jobs/` (RUN-9).

They are what an interrupted import goes on from, and the one source of what its page shows: what is done,
what failed, what it cost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from pydantic import ValidationError

from formats.stable_json import read_json
from importer.pipeline.record import FOLDER, ImportRecord, record_bytes, refuse_stale
from llm.tasks import TaskRecord

JOBS = f"{FOLDER}/jobs"


@dataclass(slots=True)
class KeptAnswers:
    """`llm.tasks.Kept` over the import folder of a world. A worker that lost its turn keeps nothing.

    `on_kept` hears of each record after it is stored.
    """

    record: ImportRecord
    fence: int
    on_kept: Callable[[TaskRecord], Awaitable[None]]

    async def get(self, key: str) -> TaskRecord | None:
        return await asyncio.to_thread(self._read, f"jobs/{key}.json")

    async def put(self, key: str, record: TaskRecord) -> None:
        """Store a record.

        Raises:
            DomainError: `conflict` for a stale worker; what the store raises.
        """
        await asyncio.to_thread(self._write, f"{JOBS}/{key}.json", record)
        await self.on_kept(record)

    def _read(self, name: str) -> TaskRecord | None:
        return _record(self.record.bytes_of(name)) if self.record.has(name) else None

    def _write(self, path: str, record: TaskRecord) -> None:
        with self.record.folder.change(by="import", what="import-answer", history=False) as change:
            refuse_stale(self.record.state_in(change), self.fence)
            change.write(path, record_bytes(record))


def _record(data: bytes) -> TaskRecord | None:
    """A record of the form written here; another program's is asked anew."""
    try:
        return TaskRecord.model_validate(read_json(data))
    except (ValueError, ValidationError):
        return None


def kept_records(record: ImportRecord) -> list[TaskRecord]:
    """Every record that is kept, in the order in which they came."""
    folder = record.path / "jobs"
    paths = folder.glob("*.json") if folder.is_dir() else ()
    found = [kept for path in paths if (kept := _record(path.read_bytes())) is not None]
    return sorted(found, key=lambda kept: (kept.at, kept.task, kept.about))


def forget(record: ImportRecord, *, failed_only: bool = False) -> int:
    """Remove kept answers, or those of failed questions, so that these are asked again; gives how many."""
    removed = 0
    with record.folder.change(by="import", what="import-answer", history=False) as change:
        for path in change.paths(JOBS, hidden=True):
            kept = _record(change.read(path))
            if failed_only and kept is not None and kept.state == "answered":
                continue
            change.remove(path)
            removed += 1
    return removed


def cost_of(records: list[TaskRecord]) -> dict[str, Any]:
    """What the questions used, for the report. `cost` is None where the price of one of them is unknown."""
    costs = [record.cost for record in records]
    known = [Decimal(cost) for cost in costs if cost is not None]
    return {
        "requests": sum(record.requests for record in records),
        "tokens_in": sum(record.tokens_in for record in records),
        "tokens_out": sum(record.tokens_out for record in records),
        "cost": str(sum(known, Decimal(0))) if records and len(known) == len(costs) else None,
        "currency": next((record.currency for record in records if record.currency), ""),
        "failed": [
            {"task": record.task, "title": record.title, "about": record.about, "code": record.code,
             "message": record.message, "hint": record.hint, "args": record.args}
            for record in records
            if record.state == "failed"
        ],
    }  # fmt: skip
