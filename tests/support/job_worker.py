"""A worker of its own process: `python -m tests.support.job_worker <log> <pause> <lease> <jobs at once>`.

Runs the embedded engine over the database of its environment. The job `count` writes a line for every step
into `log` (fence, process, step), `pause` seconds apart, and goes on from the steps that are there,
as an import does from its stored stages.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import sys
from pathlib import Path


def steps_of(log: Path, job_id: str) -> list[tuple[int, int, int]]:
    """What is logged for a job: (fence, process, step)."""
    lines = log.read_text().splitlines() if log.exists() else []
    found = [line.split() for line in lines]
    return [(int(fence), int(pid), int(step)) for job, fence, pid, step in found if job == job_id]


def write_step(log: Path, job_id: str, fence: int, step: int) -> None:
    """One line, unless a later holder of the job has written: the fence is looked at under the lock."""
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if any(later > fence for later, *_ in steps_of(log, job_id)):
            raise RuntimeError("a stale worker")
        os.write(descriptor, f"{job_id} {fence} {os.getpid()} {step}\n".encode())
    finally:
        os.close(descriptor)


def register(log: Path, pause: float) -> None:
    """Make this process able to run `count`."""
    from portal.jobs import JobRun, job

    @job("count")
    async def count(run: JobRun) -> None:
        total = run.data["steps"]
        for step in range(1 + max((step for *_, step in steps_of(log, run.job_id)), default=0), total + 1):
            await run.check()
            await run.in_thread(write_step, log, run.job_id, run.fence, step)
            await run.progress(stage="counting", done=step, total=total)
            await asyncio.sleep(pause)


async def work(lease: float, limit: int) -> None:
    """Run the engine until asked to end."""
    from portal.jobs.embedded import EmbeddedEngine, Pace

    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, ended.set)
    engine = EmbeddedEngine(
        limit=limit, per_person=None, pace=Pace(lease=lease, beat=lease / 10, poll=0.1, grace=2.0)
    )
    await engine.start()
    print("working", flush=True)
    await ended.wait()
    await engine.stop()


def main() -> None:
    import django

    django.setup()
    register(Path(sys.argv[1]), float(sys.argv[2]))
    asyncio.run(work(float(sys.argv[3]), int(sys.argv[4])))


if __name__ == "__main__":
    main()
