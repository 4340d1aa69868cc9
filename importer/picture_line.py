"""What became of the pictures a card names: one line, live while they are fetched (PIC-1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from importer.queries import ImportStatus
from portal.models import Job
from portal.say import sentence

SHOWN_FAILURES = 60


@dataclass(frozen=True, slots=True)
class PictureLine:
    """`done` of `total` addresses were asked; `kept` gave a picture, `copies` one the world had already.

    `failed`: address and reason of the first failures, `failures` how many there are. `ended`: why the last
    run stopped early.
    """

    live: bool
    done: int
    total: int
    kept: int
    copies: int
    failures: int
    failed: list[tuple[str, str]]
    ended: str
    seen: str

    @classmethod
    def of(cls, status: ImportStatus, report: Mapping[str, Any] | None) -> PictureLine:
        """From the job that fetches and from `.import/pictures.json`; all of it may be missing."""
        job, stored = status.pictures, report or {}
        results = [held for held in stored.get("pictures", []) if isinstance(held, dict)]
        failed = [held for held in results if held.get("result") == "failed"]
        ended = stored.get("ended") or {}
        live = job is not None and job.live
        total = max(job.total if job else 0, len(results))
        return cls(
            live=live,
            done=job.done if job is not None and live else len(results),
            total=total,
            kept=sum(held.get("result") == "kept" for held in results),
            copies=sum(held.get("result") == "copy" for held in results),
            failures=len(failed),
            failed=[
                (str(held.get("address", "")), sentence(str(held.get("message", "")), {}))
                for held in failed[:SHOWN_FAILURES]
            ],
            ended=sentence(str(ended.get("message", "")), ended.get("args") or {}),
            seen=f"{job.version if job else 0}-{job.state if job else Job.State.DONE}-{len(results)}",
        )

    @property
    def any(self) -> bool:
        """Whether there is anything to say."""
        return self.live or bool(self.total) or bool(self.ended)
