"""Two servers on one data folder, two workers on one import: only one of them works (RUN-3)."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.import_lives import Acknowledged, Sent, everything, large_card, result, start, upload
from tests.support.servers import (
    SET_UP,
    TOP,
    Running,
    free_port,
    manage,
    program_environment,
    started,
    wait_until,
)
from tests.support.warm import Warm, warm
from worlds.store.paths import DataFolder
from worlds.store.shelf import Shelf

pytestmark = [pytest.mark.hard, pytest.mark.timeout(600)]
START = """
from importer import actions
from importer.models import Upload
found = Upload.objects.get()
print(actions.start_structure(actor=found.owner, upload=found).pk)
"""
JOBS = """
from portal.models import Job
for job in Job.objects.filter(kind="import-structure"):
    print(job.state, job.attempts, job.fence)
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warm]:
    folder = tmp_path_factory.mktemp("two")
    with warm(folder, folder / "data") as made:
        yield made


@pytest.fixture(scope="module")
def sent() -> Sent:
    return large_card(1500)


@pytest.fixture(scope="module")
def waiting(program: Warm, sent: Sent) -> str:
    """Keep a data folder in which a card waits, as `waits`; its upload's id."""
    program.put_back()
    program.begin()
    told = Acknowledged()
    with program.portal() as portal:
        upload(portal, sent, told)
    program.end()
    program.keep("waits")
    return told.upload


@pytest.fixture
def environment(program: Warm, waiting: str) -> dict[str, str]:
    """The environment of programs over the folder in which the card waits and no server runs."""
    program.put_back("waits")
    return program_environment(program.data)


def started_without_a_server(environment: dict[str, str]) -> str:
    """The world's id; its job waits for a worker."""
    return manage(environment, code=SET_UP + START).strip()


def worker(log: Path, lease: float) -> list[str]:
    return [sys.executable, "-m", "tests.support.job_worker", str(log), "0.02", str(lease), "2"]


def jobs(environment: dict[str, str]) -> list[list[str]]:
    return [line.split() for line in manage(environment, code=SET_UP + JOBS).splitlines()]


def record(program: Warm, world: str, name: str) -> dict[str, Any]:
    path = Shelf(DataFolder(program.data), "ana", "worlds").folder(world).path / ".import" / name
    return dict(json.loads(path.read_bytes()))


def made(program: Warm, world: str, waiting: str) -> dict[str, str]:
    return everything(Shelf(DataFolder(program.data), "ana", "worlds").folder(world).path, world, waiting)


@pytest.fixture(scope="module")
def expected(program: Warm, sent: Sent, waiting: str) -> dict[str, str]:
    """What one undisturbed worker makes, named and opened as the card says."""
    program.put_back("waits")
    environment = program_environment(program.data)
    world = started_without_a_server(environment)
    with started(worker(program.data / "log", 30), environment) as only:
        wait_until(lambda: record(program, world, "state.json")["stage"] == "done", seconds=60)
        only.end()
    return made(program, world, waiting)


@pytest.mark.req("RUN-3")
def test_two_workers_at_once_are_one(
    program: Warm, environment: dict[str, str], waiting: str, expected: dict[str, str], tmp_path: Path
) -> None:
    with (
        started(worker(tmp_path / "log", 30), environment) as one,
        started(worker(tmp_path / "log", 30), environment) as two,
    ):
        one.line_with("working")
        two.line_with("working")
        world = started_without_a_server(environment)
        wait_until(lambda: jobs(environment)[0][0] == "done", seconds=60)
        one.end()
        two.end()
    assert jobs(environment) == [["done", "1", "1"]]
    assert record(program, world, "state.json")["fence"] == 1
    assert made(program, world, waiting) == expected


@pytest.mark.req("RUN-3", "RUN-11")
def test_a_worker_that_sleeps_past_its_lease_writes_nothing_when_it_wakes(
    program: Warm, environment: dict[str, str], waiting: str, expected: dict[str, str], tmp_path: Path
) -> None:
    """SIGSTOP in the middle of arranging the card; another one ends the import; SIGCONT."""
    with started(worker(tmp_path / "log", 2), environment) as sleeper:
        sleeper.line_with("working")
        world = started_without_a_server(environment)
        wait_until(lambda: between_steps(program, world), seconds=60, every=0.001)
        sleeper.process.send_signal(signal.SIGSTOP)
        stage = record(program, world, "state.json")["stage"]
        with started(worker(tmp_path / "log", 30), environment) as other:
            wait_until(lambda: record(program, world, "state.json")["stage"] == "done", seconds=90)
            wait_until(lambda: jobs(environment)[0][0] == "done")
            before = made(program, world, waiting)
            sleeper.process.send_signal(signal.SIGCONT)
            woke_and_gave_up(sleeper)
            other.end()
        sleeper.end()
    assert stage == "surveyed", "it slept between two stages"
    assert made(program, world, waiting) == before == expected
    assert record(program, world, "state.json")["fence"] == 2
    assert len(record(program, world, "provenance.json")["imports"]) == 1
    assert jobs(environment) == [["done", "2", "2"]]


def between_steps(program: Warm, world: str) -> bool:
    """The pieces are stored, the documents are being made, and nobody holds the world's lock."""
    folder = Shelf(DataFolder(program.data), "ana", "worlds").folder(world).path
    return record(program, world, "state.json")["stage"] == "surveyed" and not (folder / ".pending").exists()


def woke_and_gave_up(sleeper: Running) -> None:
    """It noticed that its job is somebody else's."""
    sleeper.line_with("another process")


@pytest.mark.req("RUN-3")
def test_a_second_server_is_refused_and_the_import_of_the_first_goes_on(
    program: Warm, environment: dict[str, str], sent: Sent, waiting: str
) -> None:
    program.begin()
    told = Acknowledged(waiting)
    second = {**environment, "PORT": str(free_port())}
    call = [sys.executable, "manage.py", "serve"]
    refused = subprocess.Popen(
        call, cwd=TOP, env=second, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    with refused, program.portal() as portal:
        start(portal, sent, told)
        words = refused.communicate(timeout=60)[0]
    assert refused.returncode == 1
    assert "Another server is running" in words
    assert "Traceback" not in words
    assert len(result(program, told)) > 1500
    program.kill()
