"""Progress is saved often enough and never lost."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from django.db import OperationalError

from portal.jobs.progress import Progress


class Saved:
    """Keeps what was saved; fails where told to."""

    def __init__(self, failures: int = 0) -> None:
        self.writes: list[dict[str, Any]] = []
        self.failures = failures
        self.written = asyncio.Event()

    async def __call__(self, fields: Mapping[str, Any]) -> None:
        if self.failures:
            self.failures -= 1
            raise OperationalError("database is locked")
        self.writes.append(dict(fields))
        self.written.set()


async def test_the_first_report_is_saved_at_once_and_later_ones_together() -> None:
    saved = Saved()
    progress = Progress(saved, interval=60)
    await progress.report(stage="build", done=0, total=9)
    for done in range(1, 9):
        await progress.report(done=done)
    assert saved.writes == [{"stage": "build", "done": 0, "total": 9}]
    assert await progress.close() == {"done": 8}
    assert len(saved.writes) == 1


async def test_the_last_report_is_saved_by_itself_when_nothing_follows() -> None:
    saved = Saved()
    progress = Progress(saved, interval=0.01)
    await progress.report(done=1)
    saved.written.clear()
    await progress.report(done=2, message="Reading {name}", args={"name": "Lina"})
    await asyncio.wait_for(saved.written.wait(), 5)
    assert saved.writes[1:] == [{"done": 2, "message": "Reading {name}", "message_args": {"name": "Lina"}}]
    assert await progress.close() == {}


async def test_a_message_without_values_forgets_those_of_the_one_before() -> None:
    saved = Saved()
    progress = Progress(saved, interval=0)
    await progress.report(message="Reading {name}", args={"name": "Lina"})
    await progress.report(message="Checking")
    assert saved.writes[-1] == {"message": "Checking", "message_args": {}}


async def test_what_could_not_be_saved_is_kept_for_the_next_write() -> None:
    saved = Saved(failures=1)
    progress = Progress(saved, interval=0)
    await progress.report(stage="survey", done=1)
    await progress.report(done=2)
    assert saved.writes == [{"stage": "survey", "done": 2}]


async def test_what_could_not_be_saved_is_handed_to_whoever_closes() -> None:
    progress = Progress(Saved(failures=9), interval=0)
    await progress.report(done=5)
    assert await progress.close() == {"done": 5}


async def test_many_reports_make_few_writes() -> None:
    saved = Saved()
    progress = Progress(saved, interval=0.05)
    for done in range(500):
        await progress.report(done=done)
        await asyncio.sleep(0)
    left = await progress.close()
    assert len(saved.writes) <= 6
    assert (left or saved.writes[-1])["done"] == 499


async def test_an_error_of_ours_is_not_hidden() -> None:
    async def broken(fields: Mapping[str, Any]) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await Progress(broken).report(done=1)
