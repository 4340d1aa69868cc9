"""Replies under the real engine: kept while they come, stopped, and cut off by the end of the program."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from llm.scripted import Line, Script, ScriptedModel
from portal.database import in_database
from portal.jobs import engine
from portal.jobs.embedded import EmbeddedEngine, Pace
from portal.models import Job, ModelCall
from presets import actions, trials
from presets.models import TrialReply, TrialRun
from tests.support.endpoints import KEY, an_endpoint, list_address
from tests.support.jobs import until
from tests.support.people import People
from tests.support.preset_shelf import shelved_preset
from tests.support.presets import harbour_preset

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.req("PRE-13")]
QUICK = Pace(lease=5.0, beat=0.05, poll=0.05, grace=2.0)
WORDS = "The fog comes in over the quay. "
HALF = Script.of(Line(WORDS, fault="silent-after-start", seconds=60))


@asynccontextmanager
async def working() -> AsyncIterator[None]:
    runs_jobs = EmbeddedEngine(limit=4, pace=QUICK)
    engine.install(runs_jobs)
    await runs_jobs.start()
    try:
        yield
    finally:
        await runs_jobs.stop()
        engine.install(None)


def sent(people: People, address: str) -> TrialReply:
    """A trial that is asked of a model at this address."""
    list_address(address)
    preset = shelved_preset(people.ana, harbour_preset())
    endpoint = an_endpoint(people.ana, address)
    made = trials.assemble_setup(preset, trials.Setup(), endpoint)
    run, _gone = actions.send_trial(
        actor=people.ana, preset=preset, made=made, endpoints=[endpoint], run_id="a" * 20
    )
    return run.replies.get()


def now() -> TrialReply:
    return TrialReply.objects.get()


async def has_said(text: str) -> bool:
    return text in (await in_database(now)).text


async def is_in(*states: str) -> bool:
    return (await in_database(now)).state in states


@pytest.mark.usefixtures("data_root")
async def test_what_has_come_is_kept_and_a_stop_is_heard(people: People) -> None:
    async with ScriptedModel(HALF, key=KEY) as model, working():
        reply = await in_database(sent, people, model.address)
        await until(lambda: has_said("The fog comes"))
        assert model.open_now == 1
        await in_database(lambda: actions.stop_reply(actor=people.ana, reply=reply))
        await until(lambda: is_in("stopped"), seconds=5)
        await until(lambda: model.open_now == 0)  # the service is not made to go on
    kept = await in_database(now)
    assert kept.text.startswith("The fog comes")
    assert kept.sent == model.asked[0].body.decode()
    assert kept.seconds is not None
    assert await in_database(lambda: ModelCall.objects.get().outcome) == "stopped"
    assert await in_database(lambda: Job.objects.get().state) == "stopped"


@pytest.mark.usefixtures("data_root")
async def test_the_end_of_the_program_leaves_a_part_and_asks_nothing_again(people: People) -> None:
    async with ScriptedModel(HALF, key=KEY) as model:
        async with working():
            await in_database(sent, people, model.address)
            await until(lambda: has_said("The fog comes"))
        assert await in_database(lambda: Job.objects.get().state) == "queued"
        async with working():
            await until(lambda: is_in("interrupted"))
        assert len(model.asked) == 1
    assert await has_said("The fog comes")


@pytest.mark.usefixtures("data_root")
async def test_a_run_deleted_while_it_is_answered_ends_the_call(people: People) -> None:
    async with ScriptedModel(HALF, key=KEY) as model, working():
        await in_database(sent, people, model.address)
        await until(lambda: has_said("The fog comes"))
        await in_database(lambda: actions.delete_run(actor=people.ana, run=TrialRun.objects.get()))
        await until(lambda: model.open_now == 0)
    assert not await in_database(TrialReply.objects.exists)


@pytest.mark.usefixtures("data_root")
async def test_a_long_answer_is_not_stored_at_every_word(people: People) -> None:
    script = Script.of(Line(WORDS * 4, fault="drip"))
    async with ScriptedModel(script, key=KEY) as model, working():
        started = asyncio.get_running_loop().time()
        await in_database(sent, people, model.address)
        await until(lambda: is_in("done"), seconds=60)
        took = asyncio.get_running_loop().time() - started
    reply = await in_database(now)
    assert reply.text == WORDS * 4
    assert reply.version <= 4 + took / 0.3  # begun, ended, and at most one a look
