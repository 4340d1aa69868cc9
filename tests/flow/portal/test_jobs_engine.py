"""The embedded engine over a real database: several jobs, threads, stops, lost leases, its own end."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone

from portal.database import in_database
from portal.jobs import JobRun, engine, ledger, stop, submit
from portal.jobs.embedded import EmbeddedEngine, Pace
from portal.models import Job
from tests.support.jobs import KIND, handling, state_of, stored_job, until
from tests.support.people import People

pytestmark = pytest.mark.django_db(transaction=True)
QUICK = Pace(lease=5.0, beat=0.05, poll=0.05, grace=0.2)
CALM = Pace(lease=60.0, beat=60.0, poll=60.0, grace=5.0)


@asynccontextmanager
async def working(pace: Pace = QUICK, **options: Any) -> AsyncIterator[EmbeddedEngine]:
    """A started engine, installed as that of the process."""
    runs_jobs = EmbeddedEngine(**{"limit": 4, "pace": pace, **options})
    engine.install(runs_jobs)
    await runs_jobs.start()
    try:
        yield runs_jobs
    finally:
        await runs_jobs.stop()
        engine.install(None)


async def test_a_submitted_job_starts_at_once_without_waiting_for_a_look(people: People) -> None:
    async def work(run: JobRun) -> None: ...

    with handling(work):
        async with working(CALM):
            job = await in_database(submit, KIND, owner=people.ana, subject="fog", title="Fog")
            await until(lambda: ended(job))
    assert await state_of(job) == "done"


async def ended(job: Job) -> bool:
    return await state_of(job) not in ("queued", "running")


async def test_a_row_nobody_announced_is_found(people: People) -> None:
    async def work(run: JobRun) -> None: ...

    with handling(work):
        async with working():
            job = await in_database(stored_job, people.ana)
            await until(lambda: ended(job))
    assert await state_of(job) == "done"


async def test_only_so_many_run_at_once_and_one_of_a_subject(people: People) -> None:
    now: list[str] = []
    most: list[int] = []
    full = asyncio.Event()

    async def work(run: JobRun) -> None:
        assert run.subject not in now
        now.append(run.subject)
        most.append(len(now))
        if len(now) == 3:
            full.set()
        await full.wait()
        now.remove(run.subject)

    def ask() -> list[Job]:
        people_in_turn = (people.ana, people.ben, people.cyd)
        return [stored_job(people_in_turn[n % 3], subject=f"s{n % 4}") for n in range(16)]

    with handling(work):
        jobs = await in_database(ask)
        async with working(limit=3):
            for job in jobs:
                await until(lambda job=job: ended(job))
    assert [await state_of(job) for job in jobs] == ["done"] * 16
    assert max(most) == 3


async def test_blocking_work_in_a_thread_leaves_the_loop_and_the_heartbeat_free(people: People) -> None:
    release = threading.Event()

    async def work(run: JobRun) -> None:
        await run.in_thread(release.wait, 20)

    with handling(work):
        job = await in_database(stored_job, people.ana)
        async with working():
            await until(lambda: in_state(job, "running"))
            first = await lease_of(job)
            await until(lambda: later_lease(job, first))
            release.set()
            await until(lambda: ended(job))
    assert await state_of(job) == "done"


async def test_database_work_of_one_job_holds_up_no_other(people: People) -> None:
    release, threads = threading.Event(), set[int]()

    def wait_in_database() -> None:
        threads.add(threading.get_ident())
        release.wait(20)

    async def work(run: JobRun) -> None:
        await run.in_database(wait_in_database if run.subject == "slow" else threading.get_ident)

    with handling(work):
        slow = await in_database(stored_job, people.ana, subject="slow")
        async with working():
            await until(lambda: bool(threads))
            other = await in_database(stored_job, people.ana, subject="quick")
            await until(lambda: ended(other))
            first = await lease_of(slow)
            await until(lambda: later_lease(slow, first))
            assert await state_of(slow) == "running"
            release.set()
            await until(lambda: ended(slow))


async def in_state(job: Job, state: str) -> bool:
    return await state_of(job) == state


async def lease_of(job: Job) -> Any:
    return await in_database(Job.objects.values_list("lease_until", flat=True).get, pk=job.pk)


async def later_lease(job: Job, first: Any) -> bool:
    return bool(await lease_of(job) > first)


async def test_a_stop_reaches_a_handler_that_checks(people: People) -> None:
    async def work(run: JobRun) -> None:
        while True:
            await run.check()
            await asyncio.sleep(0)

    with handling(work):
        job = await in_database(stored_job, people.ana)
        async with working():
            await until(lambda: in_state(job, "running"))
            await in_database(stop, job, people.ana)
            await until(lambda: in_state(job, "stopped"))


async def test_a_stop_ends_a_handler_that_does_not_check_after_the_grace(people: People) -> None:
    async def work(run: JobRun) -> None:
        await asyncio.Event().wait()

    with handling(work):
        job = await in_database(stored_job, people.ana)
        async with working():
            await until(lambda: in_state(job, "running"))
            began = time.monotonic()
            await in_database(stop, job, people.ana)
            await until(lambda: in_state(job, "stopped"))
    assert time.monotonic() - began >= QUICK.grace


async def test_disabling_an_account_stops_its_running_job_in_time(people: People) -> None:
    """With the engine's own times: within ten seconds (reliability, part 5)."""

    async def work(run: JobRun) -> None:
        await asyncio.Event().wait()

    def disable() -> None:
        people.ana.is_active = False
        people.ana.save()

    with handling(work):
        job = await in_database(stored_job, people.ana)
        async with working(Pace()):
            await until(lambda: in_state(job, "running"))
            began = time.monotonic()
            await in_database(disable)
            await until(lambda: in_state(job, "stopped"))
            assert time.monotonic() - began < 10


async def test_a_worker_that_lost_its_job_records_nothing(people: People) -> None:
    released, fences = asyncio.Event(), []

    async def work(run: JobRun) -> None:
        fences.append(run.fence)
        await released.wait()

    def take_away() -> None:
        Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
        ledger.upkeep(lambda name: False)
        assert ledger.claim("another machine", 60) is not None

    with handling(work):
        job = await in_database(stored_job, people.ana)
        async with working(CALM) as runs_jobs:
            await until(lambda: in_state(job, "running"))
            await in_database(take_away)
            released.set()
            await until(lambda: runs_jobs.state().jobs == 0)
            held = await in_database(Job.objects.get, pk=job.pk)
    assert (held.state, held.lease_owner, held.fence) == ("running", "another machine", 2)
    assert fences == [1]


async def test_a_worker_that_lost_its_job_is_told_at_its_next_step(people: People) -> None:
    outcome: list[str] = []

    async def work(run: JobRun) -> None:
        await run.in_database(Job.objects.filter(pk=run.job_id).update, fence=99)
        try:
            await run.progress(done=1)
        finally:
            outcome.append("lost" if run.lost else "held")

    with handling(work):
        job = await in_database(stored_job, people.ana)
        async with working(CALM) as runs_jobs:
            await until(lambda: bool(outcome) and runs_jobs.state().jobs == 0)
    assert outcome == ["lost"]
    assert (await in_database(Job.objects.get, pk=job.pk)).done == 0


async def test_the_end_of_the_process_gives_running_jobs_back_at_once(people: People) -> None:
    began_jobs: list[str] = []
    seen: list[str] = []

    async def work(run: JobRun) -> None:
        await run.progress(done=1, total=9)
        await run.progress(done=2)
        began_jobs.append(run.job_id)
        try:
            await asyncio.Event().wait()
        finally:
            seen.append("cancelled")

    with handling(work):
        jobs = [await in_database(stored_job, people.ana) for _ in range(2)]
        async with working(CALM) as runs_jobs:
            await until(lambda: len(began_jobs) == 2)
            began = time.monotonic()
            await runs_jobs.stop()
            assert time.monotonic() - began < 2
            assert not runs_jobs.state().running
        rows = [await in_database(Job.objects.get, pk=job.pk) for job in jobs]
    assert seen == ["cancelled"] * 2
    assert [(row.state, row.attempts, row.lease_owner, row.done) for row in rows] == [
        ("queued", 0, "", 2)
    ] * 2


async def test_a_thread_that_does_not_return_keeps_neither_the_end_nor_the_job(people: People) -> None:
    release = threading.Event()

    async def work(run: JobRun) -> None:
        await run.in_thread(release.wait, 30)

    with handling(work):
        job = await in_database(stored_job, people.ana)
        try:
            async with working(QUICK) as runs_jobs:
                await until(lambda: in_state(job, "running"))
                await runs_jobs.stop()
                assert await state_of(job) == "queued"
        finally:
            release.set()
            await until(lambda: runs_jobs.state().jobs == 0)
    assert await state_of(job) == "queued"


async def test_no_work_of_a_job_goes_on_after_its_end_is_recorded(people: People) -> None:
    began, release, late = threading.Event(), threading.Event(), []

    def slow() -> None:
        began.set()
        release.wait(20)
        late.append(True)

    async def work(run: JobRun) -> None:
        await run.in_thread(slow)

    with handling(work):
        job = await in_database(stored_job, people.ana)
        async with working():
            await until(began.is_set)
            await in_database(stop, job, people.ana)
            await until(lambda: asked_longer_ago(job, QUICK.grace * 3))
            assert await state_of(job) == "running"
            release.set()
            await until(lambda: in_state(job, "stopped"))
    assert late == [True]


STOPS: dict[str, float] = {}


def asked_longer_ago(job: Job, seconds: float) -> bool:
    return time.monotonic() - STOPS.setdefault(job.pk, time.monotonic()) > seconds


async def test_the_last_write_is_tried_again_while_the_database_does_not_answer(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = ledger.record_end, []

    def sulky(*args: Any) -> bool:
        calls.append(args)
        if len(calls) < 3:
            raise OperationalError("database is locked")
        return real(*args)

    monkeypatch.setattr(ledger, "record_end", sulky)
    monkeypatch.setattr("portal.jobs.attempt.RETRIES", (0.01, 0.01, 0.01))

    async def work(run: JobRun) -> None:
        await run.progress(done=3)

    with handling(work):
        job = await in_database(stored_job, people.ana)
        async with working():
            await until(lambda: ended(job))
    assert await state_of(job) == "done"
    assert len(calls) == 3


async def test_the_engine_outlives_a_database_that_does_not_answer(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = ledger.upkeep, []

    def sulky(is_dead: Any) -> int:
        calls.append(is_dead)
        if len(calls) < 3:
            raise OperationalError("disk I/O error")
        return real(is_dead)

    monkeypatch.setattr(ledger, "upkeep", sulky)

    async def work(run: JobRun) -> None: ...

    with handling(work):
        job = await in_database(stored_job, people.ana)
        async with working():
            await until(lambda: ended(job))
    assert await state_of(job) == "done"


async def test_two_engines_share_the_work_and_never_a_job(people: People) -> None:
    ran: list[str] = []

    async def work(run: JobRun) -> None:
        ran.append(run.job_id)
        await asyncio.sleep(0)

    with handling(work):
        jobs = [await in_database(stored_job, people.ana, subject=f"s{n % 5}") for n in range(20)]
        async with working(per_person=None):
            other = EmbeddedEngine(limit=4, per_person=None, pace=QUICK)
            await other.start()
            for job in jobs:
                await until(lambda job=job: ended(job))
            await other.stop()
    assert sorted(ran) == sorted(job.pk for job in jobs)
