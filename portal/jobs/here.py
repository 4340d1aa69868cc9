"""Running one job in this process: for commands that wait for the end, and for tests."""

from __future__ import annotations

from typing import Final

from asgiref.sync import async_to_sync

from portal.database import in_database
from portal.jobs.embedded import EmbeddedEngine, wait_for
from portal.jobs.ledger import Choice
from portal.models import Job

LOOK_AGAIN: Final = 0.5  # seconds between looks at a job that another process holds


def run_here(job: Job) -> Job:
    """Run a submitted job to its end and return its row, read anew.

    Older jobs of the same subject and lane run first. When another process holds the job, this waits for it.
    Synchronous: the handler's database work (`run.in_database`) uses the caller's thread and connection.
    """
    async_to_sync(_run_here)(job)
    job.refresh_from_db()
    return job


async def _run_here(job: Job) -> None:
    only = Choice(job.pk, job.subject, job.lane)
    engine = EmbeddedEngine(limit=1, per_person=None, only=only)
    await engine.start()
    try:
        while await in_database(_is_live, job.pk):
            await wait_for(engine.ended, LOOK_AGAIN)
            engine.ended.clear()
    finally:
        await engine.stop()


def _is_live(job_id: str) -> bool:
    return Job.objects.filter(pk=job_id, state__in=Job.LIVE).exists()
