"""An import with a model, by the real job against a real server of the protocol."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from formats.errors import DomainError
from importer import actions, queries
from importer.model_import import StoredTurn, prepare, steps_of
from importer.pipeline.kept_answers import kept_records
from importer.recovery import go_on
from llm.limits import Retries
from llm.scripted import Line, Rule
from llm.scripted.faults import FAULTS
from portal.endpoints import calling
from portal.jobs import run_here, stop, waiting_for
from portal.models import Job, ModelCall
from tests.support.cards import json_bytes
from tests.support.endpoints import scripted_beside
from tests.support.import_model import model_world, reading_script, record_of
from tests.support.importing import ready
from tests.support.invented import invented
from tests.support.kept import at_once
from tests.support.people import People
from worlds.authoring import rows
from worlds.models import Conversation, World
from worlds.queries import folder_of

pytestmark = [pytest.mark.usefixtures("data_root"), pytest.mark.django_db(transaction=True)]


def job_of(world: World) -> Job:
    found = Job.objects.filter(subject=world.pk, kind="import-structure").first()
    assert found is not None
    return found


def run(world: World) -> Job:
    ended = run_here(job_of(world))
    world.refresh_from_db()
    return ended


def told(world: World) -> list[tuple[int, str, str]]:
    held = Conversation.objects.get(world=world.pk)
    return [(row.turn, row.who, row.tool or row.text.split("\n")[0]) for row in held.rows.all()]


def documents(world: World) -> dict[str, bytes]:
    """The world's own files, but for its times."""
    folder = folder_of(world)
    found = {path: folder.read(path) for path in folder.paths("") if not path.startswith("images/")}
    card = json.loads(found["world.json"])
    return {**found, "world.json": json.dumps({**card, "created_at": "", "updated_at": ""}).encode()}


@pytest.mark.req("RUN-1", "RUN-2", "RUN-12", "OUT-2", "FIN-1", "FIN-4", "RUN-9")
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_whole_way_by_the_job(people: People, language: Any) -> None:
    with scripted_beside(reading_script(language)) as model:
        world = model_world(
            people.ana, model.address, language=language, price_input=Decimal(1), price_output=Decimal(2)
        )
        assert run(world).state == "done"
    assert (world.stage, world.draft) == ("done", False)
    totals = queries.totals_of(world)
    assert sum(totals.values()) == len(queries.piece_rows(world))
    assert not totals.get("awaiting")
    assert told(world) == [
        (1, "person", "/import-st .import/card.json"),
        (1, "tool", "import_survey"),
        (1, "tool", "import_build"),
        (1, "tool", "import_finish"),
        (1, "assistant", "The import is finished. Every piece of the card is accounted for."),
    ]
    held = Conversation.objects.get(world=world.pk)
    assert not held.turn_open
    assert all(row.result for row in held.rows.filter(who="tool"))
    said = held.rows.first()
    assert said is not None
    assert ("世界书" in said.text) == (language == "zh-hans")
    report = record_of(world).report()
    assert report["way"] == "model"
    assert report["survey"]["pieces"] == sum(totals.values())
    calls = ModelCall.objects.filter(about=f"world:{world.pk}", purpose="importing")
    assert report["cost"]["requests"] == calls.count() > 15
    assert report["cost"]["tokens_in"] == sum(call.tokens_in or 0 for call in calls)
    assert report["cost"]["cost"] is not None
    assert {call.group for call in calls} == {job_of(world).pk}
    assert kept_records(record_of(world)) == [], "a finished import keeps none"
    assert record_of(world).has("origins.json")


@pytest.mark.req("RUN-3", "RUN-9", "RUN-11")
@pytest.mark.parametrize("task", ["roster", "character", "world"])
def test_a_fault_halts_it_and_it_goes_on_to_the_same_world(people: People, task: str) -> None:
    with scripted_beside(reading_script("en")) as model:
        undisturbed = model_world(people.ana, model.address)
        run(undisturbed)
        script = reading_script("en", Rule((Line(fault="401"),), task=task))
        with scripted_beside(script) as broken:
            world = model_world(people.ana, broken.address, name="Other")
            job = run(world)
            assert (job.state, job.error_code) == ("failed", "model.key-refused")
            assert world.stage == ("ready" if task == "roster" else "surveyed")
            state = record_of(world).state()
            assert state.error is not None
            assert state.error.code == "model.key-refused"
            kept = len(kept_records(record_of(world)))
            assert kept > 5
            assert told(world)[-1][1:] == ("assistant", "The key was refused.")
            go_on()
            assert waiting_for(world.pk) == [], "asking again would cost money"
        endpoint = undisturbed_endpoint(undisturbed)
        before = ModelCall.objects.count()
        actions.change_endpoint(actor=people.ana, world=world, endpoint_id=endpoint)
        assert run(world).state == "done"
        asked = ModelCall.objects.count() - before
    assert documents(world) == documents(undisturbed)
    total = record_of(undisturbed).report()["cost"]["requests"]
    assert asked <= total - kept + 4
    assert [row[0] for row in told(world)] == sorted(row[0] for row in told(world))
    assert told(world)[-1][0] == 2, "whoever goes on begins another turn"


def undisturbed_endpoint(world: World) -> str:
    return record_of(world).choices().endpoint


@pytest.mark.req("RUN-7")
def test_a_third_build_in_one_turn_is_refused(people: People) -> None:
    with scripted_beside(reading_script("en")) as model:
        world = model_world(people.ana, model.address)
    held = Conversation.objects.get(world=world.pk)
    for _ in range(2):
        rows.begin_call(held, "import_build")
        rows.begin_call(held, "import_build")  # an interrupted call goes on
        rows.end_call(held, "import_build", {"files": 1})
    with pytest.raises(DomainError) as raised:
        rows.begin_call(held, "import_build")
    assert raised.value.code == "too-many-calls"
    assert held.rows.filter(tool="import_build").count() == 2
    rows.end_turn(held, "Enough.")
    rows.say(actor=people.ana, world=world, text="/import-st x", title="x")
    rows.begin_call(held, "import_build")


@pytest.mark.req("RUN-12")
def test_only_a_turn_that_asks_for_an_import_gets_one(people: People) -> None:
    with scripted_beside(reading_script("en")) as model:
        world = model_world(people.ana, model.address)
        Conversation.objects.get(world=world.pk).rows.update(text="Hello there.")
        with pytest.raises(DomainError) as raised:
            prepare(world, record_of(world).choices(), "group")
    assert raised.value.code == "import.no-turn"


@pytest.mark.req("RUN-2", "RUN-3")
def test_a_stop_ends_the_turn_and_keeps_what_is_finished(people: People) -> None:
    with scripted_beside(reading_script("en")) as model:
        world = model_world(people.ana, model.address)
        job = job_of(world)
        stop(job, people.ana)
        assert run_here(job).state == "stopped"
        go_on()
        assert waiting_for(world.pk) == []
        actions.resume(actor=people.ana, world=world)
        assert run(world).state == "done"


@pytest.mark.req("RUN-4")
def test_the_time_for_one_import_ends(people: People, settings: Any) -> None:
    settings.IMPORTS = replace(settings.IMPORTS, timeout_minutes=0)
    with scripted_beside(reading_script("en")) as model:
        world = model_world(people.ana, model.address)
        job = run(world)
        assert (job.state, job.error_code) == ("failed", "import.out-of-time")
        settings.IMPORTS = replace(settings.IMPORTS, timeout_minutes=30)
        actions.resume(actor=people.ana, world=world)
        assert record_of(world).state().spent == 0
        assert run(world).state == "done"
    assert record_of(world).state().spent > 0


@pytest.mark.req("RUN-9")
def test_what_failed_is_asked_again_when_somebody_wants(people: People) -> None:
    broken = Rule((Line(answer={"roles": "none"}),), task="classify")
    with scripted_beside(reading_script("en", broken)) as bad, scripted_beside(reading_script("en")) as good:
        world = model_world(people.ana, bad.address)
        assert run(world).error_code == "task.hopeless"
        failed = [record for record in kept_records(record_of(world)) if record.state == "failed"]
        assert len(failed) >= 5
        other = model_world(people.ana, good.address)
        endpoint = undisturbed_endpoint(other)
        actions.change_endpoint(actor=people.ana, world=world, endpoint_id=endpoint)
        assert kept_records(record_of(world)) == []
        assert run(world).state == "done"
    with pytest.raises(DomainError) as raised:
        actions.retry_failed(actor=people.ana, world=world)
    assert raised.value.kind == "invalid"


def test_without_a_model_nothing_starts(people: People) -> None:
    upload = ready(people.ana, json_bytes(invented("one", 5, "en").to_v3()))
    actions.choose(actor=people.ana, upload=upload, way="model")
    with pytest.raises(DomainError) as raised:
        actions.start_structure(actor=people.ana, upload=upload)
    assert raised.value.code == "import.no-endpoint"
    upload.refresh_from_db()
    assert (upload.state, upload.world) == ("ready", "")
    assert World.objects.count() == 0


@pytest.mark.parametrize("stranger", ["cyd", "ben"])
def test_nobody_elses_endpoint_is_used(people: People, stranger: str) -> None:
    with scripted_beside(reading_script("en")) as model:
        other = model_world(getattr(people, stranger), model.address)
        upload = ready(people.ana, json_bytes(invented("one", 5, "en").to_v3()))
        actions.choose(actor=people.ana, upload=upload, way="model", endpoint=undisturbed_endpoint(other))
        with pytest.raises(DomainError) as raised:
            actions.start_structure(actor=people.ana, upload=upload)
    assert raised.value.kind == "not-found"


def test_an_account_that_is_disabled_meanwhile_asks_nothing_more(people: People) -> None:
    with scripted_beside(reading_script("en")) as model:
        world = model_world(people.ana, model.address)
        prepared = prepare(world, record_of(world).choices(), "g")
        people.ana.is_active = False
        people.ana.save()
        assert run(world).state in ("failed", "stopped")
        assert len(model.asked) == 0
    assert isinstance(prepared.turn, StoredTurn)
    assert isinstance(prepared.caller, calling.Caller)


@pytest.mark.req("RUN-2", "RUN-3")
@pytest.mark.parametrize("tool", ["import_survey", "import_build", "import_finish"])
def test_a_crash_between_a_stage_and_its_row_leaves_no_row_open(
    people: People, tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        """The process dies here."""

    async def dies(turn: StoredTurn, called: str, told: Any) -> None:
        if called == tool:
            raise Killed
        await result(turn, called, told)

    async def quiet(_: Any) -> None:
        return None

    result = StoredTurn.result
    with scripted_beside(reading_script("en")) as model:
        world = model_world(people.ana, model.address)
        prepared = prepare(world, record_of(world).choices(), "g")
        with monkeypatch.context() as patched:
            patched.setattr(StoredTurn, "result", dies)
            with pytest.raises(Killed):
                asyncio.run(steps_of(world, prepared, quiet).run(quiet))
        asyncio.run(steps_of(world, prepared, quiet).run(quiet))
    held = Conversation.objects.get(world=world.pk)
    assert not held.turn_open
    assert [bool(row.result) for row in held.rows.filter(who="tool")] == [True] * 3


SLOW = {"slow-first-byte", "drip", "keepalive-only", "silent-after-start", "endless", "20-mb", "gzip-bomb"}
"""Tried against the tasks alone (`tests/unit/llm/tasks/test_faults.py`)."""
QUICK = sorted(set(FAULTS) - SLOW - {"ok"})
STAGES = ("classify", "location", "generator")
EVERYWHERE = ("401", "no-done", "finish-length", "tool-args-not-json")


@pytest.mark.req("RUN-6", "DRAFT-6", "OUT-1")
@pytest.mark.parametrize("stage", STAGES)
def test_every_fault_ends_in_a_declared_state(
    people: People, stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each fault at one stage, and some at all of them; one database for them, since making it costs most."""
    monkeypatch.setattr("importer.model_import.Retries", partial(Retries, sleep=at_once))
    for number, fault in enumerate(QUICK):
        if fault in EVERYWHERE or STAGES[number % len(STAGES)] == stage:
            broken = Rule((Line(answer={"nothing": 1}, fault=fault),), task=stage)
            with scripted_beside(reading_script("en", broken)) as model:
                world = model_world(people.ana, model.address, name=fault, kind="rules", size=5)
                ended_well(run(world), world)


def ended_well(job: Job, world: World) -> None:
    """Done with every piece accounted for, or halted with a plain sentence and able to go on."""
    state = record_of(world).state()
    if job.state == "done":
        assert state.stage in ("done", "repair")
        totals = queries.totals_of(world)
        assert sum(totals.values()) == len(queries.piece_rows(world))
        assert not totals.get("awaiting")
    else:
        assert (job.state, state.stage) in (("failed", "ready"), ("failed", "surveyed"))
        assert job.error
        assert state.error is not None
        assert state.error.message != state.error.code
