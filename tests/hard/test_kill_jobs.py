"""Real workers that are killed, frozen and ended in the middle of a job, on SQLite and on PostgreSQL."""

import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from portal.jobs.ledger import ATTEMPTS
from tests.support.job_worker import steps_of
from tests.support.servers import (
    SET_UP,
    Running,
    manage,
    postgres_database,
    program_environment,
    started,
    wait_until,
)

pytestmark = [pytest.mark.hard, pytest.mark.timeout(300)]
STEPS = 40
ASK = """
from django.core.management import call_command
call_command("migrate", verbosity=0)
from portal.models import Job, Person
owner = Person.objects.create_user("ana", password=None)
print(Job.objects.create(owner=owner, kind="count", title="x", subject="fog", data={"steps": %d}).pk)
"""
ROW = """
from portal.models import Job
job = Job.objects.get()
print(job.state, job.attempts, job.fence, job.done, job.lease_owner or "-", job.error_code or "-")
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def environment(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, str]]:
    with ExitStack() as stack:
        more = {} if request.param == "sqlite" else {"DATABASE_URL": stack.enter_context(postgres_database())}
        yield program_environment(tmp_path / "data", **more)


def worker_call(log: Path, lease: float) -> list[str]:
    return [sys.executable, "-m", "tests.support.job_worker", str(log), "0.02", str(lease), "2"]


def row(environment: dict[str, str]) -> list[str]:
    return manage(environment, code=SET_UP + ROW).split()


def all_steps_once(log: Path, job: str) -> None:
    steps = steps_of(log, job)
    assert [step for *_, step in steps] == list(range(1, STEPS + 1)), (
        "a step is missing, doubled or out of order"
    )
    fences = [fence for fence, *_ in steps]
    assert fences == sorted(fences), "a stale worker wrote"


def test_a_killed_worker_is_followed_at_once_and_the_job_goes_on_from_what_is_stored(
    environment: dict[str, str], tmp_path: Path
) -> None:
    """kill -9 as often as a job may be begun, at any moment; leases are an hour, so only death frees them."""
    log, chance = tmp_path / "log", random.Random(7)
    job = manage(environment, code=SET_UP + ASK % STEPS).strip()
    taken_over = []
    for kills in range(ATTEMPTS):
        with started(worker_call(log, 3600), environment) as worker:
            worker.line_with("working")
            began = time.monotonic()
            goal = len(steps_of(log, job)) + chance.randint(1, 7) if kills < ATTEMPTS - 1 else STEPS
            wait_until(partial(wrote, log, job, kills + 1))
            wait_until(partial(has_steps, log, job, goal))
            if kills:
                taken_over.append(time.monotonic() - began)
            if kills < ATTEMPTS - 1:
                worker.kill()
            else:
                wait_until(lambda: row(environment)[0] == "done")
                assert worker.end() == 0
    all_steps_once(log, job)
    assert row(environment)[:4] == ["done", str(ATTEMPTS), str(ATTEMPTS), str(STEPS)]
    assert max(taken_over) < 15


def has_steps(log: Path, job: str, number: int) -> bool:
    return len(steps_of(log, job)) >= number


def wrote(log: Path, job: str, fence: int) -> bool:
    return any(seen == fence for seen, *_ in steps_of(log, job))


def test_a_job_that_dies_with_its_worker_every_time_ends_as_failed(
    environment: dict[str, str], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    job = manage(environment, code=SET_UP + ASK % 10_000).strip()
    for attempt in range(1, ATTEMPTS + 1):
        with started(worker_call(log, 3600), environment) as worker:
            wait_until(partial(wrote, log, job, attempt))
            worker.kill()
    with started(worker_call(log, 3600), environment) as worker:
        worker.line_with("working")
        wait_until(lambda: row(environment)[0] == "failed")
    assert row(environment)[5] == "gave-up"


def test_a_worker_asked_to_end_gives_its_job_back_before_it_is_gone(
    environment: dict[str, str], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    job = manage(environment, code=SET_UP + ASK % STEPS).strip()
    with started(worker_call(log, 3600), environment) as worker:
        wait_until(lambda: len(steps_of(log, job)) >= 3)
        assert worker.end() == 0
    state, attempts, fence, done, lease_owner, _ = row(environment)
    assert (state, attempts, fence, lease_owner) == ("queued", "0", "1", "-")
    assert int(done) in (len(steps_of(log, job)), len(steps_of(log, job)) - 1)
    finish(environment, log, job)


def test_a_frozen_worker_that_wakes_after_its_lease_writes_nothing(
    environment: dict[str, str], tmp_path: Path
) -> None:
    """SIGSTOP past the lease, another worker finishes the job, SIGCONT: the first one must stay quiet."""
    log = tmp_path / "log"
    job = manage(environment, code=SET_UP + ASK % STEPS).strip()
    with started(worker_call(log, 2), environment) as frozen:
        wait_until(lambda: len(steps_of(log, job)) >= 3)
        frozen.process.send_signal(signal.SIGSTOP)
        finish(environment, log, job)
        before = row(environment)
        frozen.process.send_signal(signal.SIGCONT)
        said_so(frozen)
        assert frozen.end() == 0
    all_steps_once(log, job)
    assert row(environment) == before


def said_so(worker: Running) -> None:
    """The worker noticed that its job is somebody else's."""
    worker.line_with("another process")


def finish(environment: dict[str, str], log: Path, job: str) -> None:
    """A second worker brings the job to its end."""
    with started(worker_call(log, 30), environment) as worker:
        wait_until(lambda: len(steps_of(log, job)) >= STEPS, seconds=60)
        wait_until(lambda: row(environment)[0] == "done")
        worker.end()
    all_steps_once(log, job)
