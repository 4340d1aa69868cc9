"""Requests that come at the same moment: the space is kept to, a start happens once, one worker writes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Barrier
from typing import Any, TypeVar

import pytest
from django.db import connections

from formats.errors import DomainError
from importer.models import Upload
from importer.pipeline.record import ImportRecord
from importer.pipeline.steps import StructureImport
from portal.models import Job
from tests.support.cards import english_card, v3
from tests.support.importing import ready, started, uploaded
from tests.support.people import People
from worlds.data import data_folder
from worlds.models import World
from worlds.queries import folder_of, shelf_of
from worlds.store.staging import Staging

pytestmark = [pytest.mark.usefixtures("data_root"), pytest.mark.django_db(transaction=True)]
T = TypeVar("T")


def together(calls: list[Callable[[], T]]) -> list[T | DomainError]:
    """What each call gave or was refused with, all begun at one moment in threads of their own."""
    gate = Barrier(len(calls))

    def run(call: Callable[[], T]) -> T | DomainError:
        try:
            gate.wait(20)
            return call()
        except DomainError as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))


def test_uploads_at_one_moment_keep_to_the_space(people: People) -> None:
    people.ana.quota = 3500
    people.ana.save()
    answers = together([lambda: uploaded(people.ana, b"x" * 1000)] * 6)
    taken = [answer for answer in answers if isinstance(answer, Upload)]
    refused = [answer for answer in answers if isinstance(answer, DomainError)]
    assert len(taken) == 3
    assert {error.kind for error in refused} == {"full"}
    assert Staging(data_folder()).ids() == sorted(upload.pk for upload in taken)


@pytest.mark.req("RUN-3")
def test_two_starts_at_one_moment_are_one(people: People) -> None:
    upload = ready(people.ana, v3())
    tabs: list[Any] = [Upload.objects.select_related("owner").get(pk=upload.pk) for _ in range(4)]
    answers = together([lambda tab=tab: started(tab) for tab in tabs])  # type: ignore[misc]
    worlds = {answer.pk for answer in answers if isinstance(answer, World)}
    assert [answer for answer in answers if not isinstance(answer, World)] == []
    assert shelf_of(people.ana).ids() == sorted(worlds)
    assert len(worlds) == 1
    assert Job.objects.filter(kind="import-structure").count() == 1


@pytest.mark.req("RUN-3")
def test_of_two_workers_at_one_moment_one_makes_the_world(people: People) -> None:
    world = started(ready(people.ana, english_card()))
    folder = folder_of(world)

    def work() -> str:
        steps = StructureImport(ImportRecord(folder), by="ana", now=lambda: datetime.now(UTC))
        return steps.run(lambda stage: None)

    answers = together([work, work, work])
    codes = {answer.code for answer in answers if isinstance(answer, DomainError)}
    assert "done" in answers
    assert codes <= {"import.stale-worker", "import.out-of-order"}
    assert len(folder.read_json(".import/provenance.json")["imports"]) == 1
    assert len([change for change in folder.history() if change.what == "import"]) == 1
    state = ImportRecord(folder).state()
    assert (state.stage, state.error) == ("done", None)
