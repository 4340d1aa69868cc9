"""Asking for work, doing it in this process, and every way it can end."""

import logging
from typing import Any

import pytest
from django.db import transaction

from formats.errors import DomainError
from portal.jobs import JobRun, JobStopped, engine, job, registry, retry, run_here, stop, submit, waiting_for
from portal.jobs.engine import EngineState
from portal.models import Job
from portal.say import sentence
from tests.support.jobs import KIND, handling, stored_job
from tests.support.people import People

pytestmark = pytest.mark.django_db


async def nothing(run: JobRun) -> None:
    """A job without work."""


class Listener:
    """An engine that only remembers who kicked it."""

    def __init__(self) -> None:
        self.kicked: list[str] = []

    async def start(self) -> None: ...
    async def stop(self) -> None: ...
    def close(self) -> None: ...

    def kick(self, job_id: str) -> None:
        self.kicked.append(job_id)

    def state(self) -> EngineState:
        return EngineState(running=True, jobs=0, limit=1)


@pytest.fixture
def listener() -> Any:
    listener = Listener()
    engine.install(listener)
    yield listener
    engine.install(None)


def test_ids_are_long_chance() -> None:
    ids = {Job().pk for _ in range(200)}
    assert len(ids) == 200
    assert all(len(pk) == 20 and set(pk) <= set("abcdefghijklmnopqrstuvwxyz234567") for pk in ids)


def test_a_job_is_stored_and_the_engine_woken_after_the_commit(
    people: People, listener: Listener, django_capture_on_commit_callbacks: Any
) -> None:
    with handling(nothing), django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        asked = submit(KIND, owner=people.ana, subject="fog-a", title="Fog", data={"n": 1})
        assert listener.kicked == []
    assert listener.kicked == [asked.pk]
    assert waiting_for("fog-a") == [asked]
    assert waiting_for("fog-b") == waiting_for("fog-a", kind="other") == []


def test_a_wish_that_still_waits_is_not_doubled(people: People) -> None:
    with handling(nothing):
        first = submit(KIND, owner=people.ana, subject="fog", title="Fog", data={"n": 1})
        assert submit(KIND, owner=people.ana, subject="fog", title="Fog", data={"n": 1}) == first
        assert submit(KIND, owner=people.ana, subject="fog", title="Fog", data={"n": 2}) != first
        assert submit(KIND, owner=people.ana, subject="fog", title="Fog", data={"n": 1}, lane="b") != first
        Job.objects.filter(pk=first.pk).update(state=Job.State.RUNNING)
        assert submit(KIND, owner=people.ana, subject="fog", title="Fog", data={"n": 1}) != first


def test_a_kind_nobody_handles_is_refused_and_nothing_is_stored(people: People) -> None:
    with pytest.raises(LookupError, match="no-such-kind"):
        submit("no-such-kind", owner=people.ana, subject="fog", title="Fog")
    assert Job.objects.count() == 0


def test_two_handlers_of_one_kind_are_a_mistake() -> None:
    try:
        job("twice")(nothing)
        job("twice")(nothing)  # the same one again is harmless
        with pytest.raises(ValueError, match="twice"):

            @job("twice")
            async def other(run: JobRun) -> None: ...
    finally:
        del registry._handlers["twice"]


def test_a_job_runs_to_its_end_with_its_progress_stored(people: People) -> None:
    async def work(run: JobRun) -> None:
        assert (run.data, run.owner_id, run.subject) == ({"pieces": 3}, people.ana.pk, "fog")
        for done in range(1, 4):
            await run.check()
            await run.progress(
                stage="build", done=done, total=3, message="Piece {number}", args={"number": done}
            )

    with handling(work):
        ended = run_here(submit(KIND, owner=people.ana, subject="fog", title="Fog", data={"pieces": 3}))
    assert (ended.state, ended.stage, ended.done, ended.total, ended.percent) == ("done", "build", 3, 3, 100)
    assert sentence(ended.message, ended.message_args) == "Piece 3"
    assert (ended.attempts, ended.fence, ended.lease_owner, ended.lease_until) == (1, 1, "", None)
    assert ended.started_at is not None
    assert ended.finished_at is not None
    assert ended.version > 2


def test_a_handler_uses_files_in_a_thread_and_the_callers_database(people: People) -> None:
    import threading

    seen: dict[str, Any] = {}

    async def work(run: JobRun) -> None:
        seen["thread"] = await run.in_thread(threading.get_ident)
        seen["owner"] = await run.in_database(lambda: Job.objects.get(pk=run.job_id).owner.username)

    with handling(work):
        run_here(submit(KIND, owner=people.ana, subject="fog", title="Fog"))
    assert seen["owner"] == "ana"
    assert seen["thread"] != threading.get_ident()


def test_a_refusal_is_stored_as_template_and_values(people: People) -> None:
    async def work(run: JobRun) -> None:
        raise DomainError(
            "full", "quota", "worlds/fog", "No room for {name}.", "Free {mb} MB.", {"name": "Fog", "mb": 3}
        )

    with handling(work):
        ended = run_here(submit(KIND, owner=people.ana, subject="fog", title="Fog"))
    assert (ended.state, ended.error_code, ended.error_where) == ("failed", "quota", "worlds/fog")
    assert (ended.error, ended.error_hint) == ("No room for {name}.", "Free {mb} MB.")
    assert ended.error_args == {"name": "Fog", "mb": 3}


def test_values_of_a_refusal_that_are_no_json_are_stored_as_text(people: People, tmp_path: Any) -> None:
    async def work(run: JobRun) -> None:
        raise DomainError("full", "quota", message="No room in {folder}.", args={"folder": tmp_path})

    with handling(work):
        ended = run_here(submit(KIND, owner=people.ana, subject="fog", title="Fog"))
    assert ended.error_args == {"folder": str(tmp_path)}


def test_a_mistake_of_ours_ends_with_a_sentence_and_a_number_that_is_in_the_log(
    people: People, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(run: JobRun) -> None:
        raise ZeroDivisionError("secret detail")

    with handling(work), caplog.at_level(logging.ERROR):
        ended = run_here(submit(KIND, owner=people.ana, subject="fog", title="Fog"))
    assert (ended.state, ended.error_code) == ("failed", "internal")
    told = sentence(ended.error, ended.error_args) + sentence(ended.error_hint, ended.error_args)
    assert "Fog" in told
    assert "secret" not in told
    assert ended.error_args["number"] in told
    assert ended.error_args["number"] in caplog.text
    assert "ZeroDivisionError" in caplog.text


def test_a_kind_whose_handler_is_gone_ends_as_failed(people: People) -> None:
    assert run_here(stored_job(people.ana, subject="fog", kind="of-an-older-version")).state == "failed"


def test_a_job_that_is_stopped_keeps_what_it_reported(people: People) -> None:
    async def work(run: JobRun) -> None:
        await run.progress(done=1, total=9)
        await run.progress(done=2)
        await run.in_database(stop, await run.in_database(Job.objects.get, pk=run.job_id), people.ana)
        await run.renew()
        assert run.stopped
        with pytest.raises(JobStopped):
            await run.progress(done=3)
        await run.check()
        raise AssertionError("went on")

    with handling(work):
        ended = run_here(submit(KIND, owner=people.ana, subject="fog", title="Fog"))
    assert (ended.state, ended.done, ended.stop_asked) == ("stopped", 2, False)


def test_a_waiting_job_is_stopped_at_once_and_can_go_on(people: People) -> None:
    with handling(nothing):
        asked = submit(KIND, owner=people.ana, subject="fog", title="Fog")
        assert stop(asked, people.ana).state == "stopped"
        with pytest.raises(DomainError) as refused:
            stop(asked, people.ana)
        assert refused.value.kind == "conflict"
        assert retry(asked, people.ana).state == "queued"
        with pytest.raises(DomainError) as refused:
            retry(asked, people.ana)
        assert refused.value.kind == "conflict"
        assert run_here(asked).state == "done"


def test_a_failed_job_is_tried_again_from_a_clean_slate(people: People) -> None:
    broken = stored_job(
        people.ana, state=Job.State.FAILED, error="x", error_code="x", error_args={"a": 1}, attempts=5
    )
    again = retry(broken, people.ana)
    assert (again.state, again.attempts, again.error, again.error_code, again.error_args) == (
        "queued",
        0,
        "",
        "",
        {},
    )
    assert again.finished_at is None


@pytest.mark.parametrize("who", ["ben", "cyd"])
def test_others_neither_stop_nor_retry(people: People, who: str) -> None:
    actor = getattr(people, who)
    waits, failed = stored_job(people.ana), stored_job(people.ana, state=Job.State.FAILED)
    for act, target in ((stop, waits), (retry, failed)):
        with pytest.raises(DomainError) as refused:
            act(target, actor)
        assert refused.value.kind == "not-found"
    assert {row.state for row in Job.objects.all()} == {"queued", "failed"}


def test_the_host_may_stop_a_job_but_not_go_on_with_it(people: People) -> None:
    assert stop(stored_job(people.ana), people.hal).state == "stopped"
    with pytest.raises(DomainError):
        retry(Job.objects.get(), people.hal)


def test_older_jobs_of_the_subject_run_first_and_others_are_left_alone(people: People) -> None:
    order: list[str] = []

    async def work(run: JobRun) -> None:
        order.append(run.job_id)

    with handling(work):
        first = submit(KIND, owner=people.ana, subject="fog", title="1", data={"n": 1})
        second = submit(KIND, owner=people.ana, subject="fog", title="2", data={"n": 2})
        third = submit(KIND, owner=people.ana, subject="sea", title="3")
        run_here(second)
    assert order == [first.pk, second.pk]
    assert Job.objects.get(pk=third.pk).state == "queued"
