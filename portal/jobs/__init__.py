"""Background jobs: work that outlives a request, survives a crash, and is stored before it is shown.

A room registers a handler and submits jobs; the row of `portal.models.Job` is the truth, an engine runs it:

    @job("import-structure")
    async def import_structure(run: JobRun) -> None:
        await run.progress(stage="build", done=3, total=40)
        await run.in_thread(write_documents, run.data["world"], fence=run.fence)

    submit("import-structure", owner=person, subject=world_id, title=world_name, data={...})

Handlers live in `jobs.py` of each app and are found by themselves. A handler is asynchronous, may be run
again after a crash, and goes on from what its item stores.
"""

from portal.jobs.actions import retry, stop, submit
from portal.jobs.here import run_here
from portal.jobs.queries import jobs_of, waiting_for
from portal.jobs.registry import job
from portal.jobs.run import JobRun, JobStopped

__all__ = ["JobRun", "JobStopped", "job", "jobs_of", "retry", "run_here", "stop", "submit", "waiting_for"]
