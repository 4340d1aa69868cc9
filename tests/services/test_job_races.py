"""Several worker processes over one database: no job twice, no subject twice, on SQLite and on PostgreSQL."""

import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.job_worker import steps_of
from tests.support.servers import (
    SET_UP,
    manage,
    postgres_database,
    program_environment,
    started,
    wait_until,
)

pytestmark = pytest.mark.services
WORKERS, JOBS, STEPS = 3, 40, 3

ASK = """
from django.core.management import call_command
call_command("migrate", verbosity=0)
from portal.models import Job, Person
owner = Person.objects.create_user("ana", password=None)
for number in range({jobs}):
    subject, data = f"s{{number % 7}}", {{"steps": {steps}}}
    Job.objects.create(owner=owner, kind="count", title=str(number), subject=subject, data=data)
print(" ".join(Job.objects.order_by("created_at").values_list("pk", flat=True)))
"""
ROWS = """
from portal.models import Job
for row in Job.objects.values_list("pk", "subject", "state", "attempts", "fence", "done"):
    print(*row)
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def environment(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of workers over a fresh database with its tables."""
    with ExitStack() as stack:
        more = {} if request.param == "sqlite" else {"DATABASE_URL": stack.enter_context(postgres_database())}
        environment = program_environment(tmp_path / "data", **more)
        yield environment


def test_workers_do_every_job_once_and_no_subject_twice_at_a_time(
    environment: dict[str, str], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    jobs = manage(environment, code=SET_UP + ASK.format(jobs=JOBS, steps=STEPS)).split()
    call = [sys.executable, "-m", "tests.support.job_worker", str(log), "0.002", "20", "3"]
    with ExitStack() as stack:
        workers = [stack.enter_context(started(call, environment)) for _ in range(WORKERS)]
        for worker in workers:
            worker.line_with("working")
        wait_until(lambda: log.exists() and log.read_text().count("\n") >= JOBS * STEPS, seconds=90)
        assert [worker.end() for worker in workers] == [0] * WORKERS
    rows = [line.split() for line in manage(environment, code=SET_UP + ROWS).splitlines()]
    # A job whose last step was made as its worker ended may have been given back; it lost nothing by that.
    ended = {(state, attempts, fence, done) for _, _, state, attempts, fence, done in rows}
    assert ended <= {("done", "1", "1", str(STEPS)), ("queued", "0", "1", str(STEPS))}
    assert ("done", "1", "1", str(STEPS)) in ended
    everything = [line.split() for line in log.read_text().splitlines()]
    assert len(everything) == JOBS * STEPS
    for job in jobs:
        steps = steps_of(log, job)
        assert [step for *_, step in steps] == list(range(1, STEPS + 1))
        assert len({pid for _, pid, _ in steps}) == 1
    assert len({pid for _, _, pid, _ in everything}) > 1, "one worker did everything: nothing was raced"
    one_after_another(everything, {pk: subject for pk, subject, *_ in rows})


def one_after_another(lines: list[list[str]], subjects: dict[str, str]) -> None:
    """The steps of one subject's jobs are not mixed: a job ends before the next one begins."""
    order: defaultdict[str, list[str]] = defaultdict(list)
    for job, *_ in lines:
        seen = order[subjects[job]]
        if not seen or seen[-1] != job:
            seen.append(job)
    assert all(len(seen) == len(set(seen)) for seen in order.values())
