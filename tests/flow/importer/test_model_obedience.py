"""A model that does whatever the card's text says changes nothing but the world being imported."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from importer import queries
from llm.limits import Retries
from llm.scripted import Line, Rule, Said, Script
from llm.scripted.script import Asked
from portal.jobs import run_here
from portal.models import Job
from tests.support.cards import v3
from tests.support.endpoints import KEY, scripted_beside
from tests.support.import_model import model_world, reading_script, record_of
from tests.support.importing import imported
from tests.support.invented import Reader
from tests.support.kept import at_once
from tests.support.people import People
from worlds.data import data_folder
from worlds.models import World

pytestmark = [pytest.mark.usefixtures("data_root"), pytest.mark.django_db(transaction=True)]

ORDERS = [
    "../../other/world.json",
    "/etc/passwd",
    ".import/card.json",
    ".trash/x",
    "prompts/en/roleplay/game-master",
    "http://127.0.0.1:8000/admin",
    "con",
    "\u202egnp.exe",
    "${SECRET_KEY} {{char}}",
    "<script>alert(1)</script>",
    KEY,
]


def obedient(asked: Asked) -> Line | None:
    """Every text and name of its answer is what somebody hostile would like to see there."""
    reader = Reader("en")
    if asked.task not in reader.readers():
        return None
    text = str(asked.body["messages"][-1]["content"])
    number = sum(map(ord, text))
    answer = reader.answer(asked.task, text)
    return Line(answer=hostile(answer, ORDERS[number % len(ORDERS)]))


def hostile(value: Any, order: str) -> Any:
    if isinstance(value, dict):
        fixed = ("kind", "type", "roles", "begins", "ends", "scope", "key", "command")
        return {name: held if name in fixed else hostile(held, order) for name, held in value.items()}
    if isinstance(value, list):
        return [hostile(one, order) for one in value]
    return order[:60] if isinstance(value, str) else value


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture(autouse=True)
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importer.model_import.Retries", partial(Retries, sleep=at_once))


def run(world: World) -> Job:
    ended = run_here(Job.objects.get(subject=world.pk, kind="import-structure"))
    world.refresh_from_db()
    return ended


@pytest.mark.req("DRAFT-6", "OUT-1")
def test_nothing_outside_the_world_changes_and_no_key_gets_in(people: People) -> None:
    other = imported(people.ana, v3())
    data = data_folder().root
    with scripted_beside(Script((), reader=obedient)) as model:
        world = model_world(people.ana, model.address)
        before = {path: held for path, held in tree(data).items() if world.pk not in path}
        job = run(world)
        after = {path: held for path, held in tree(data).items() if world.pk not in path}
        sent = {received.path for received in model.received}
    assert after == before, "another world, another person, the trash, the server's own files"
    assert sent <= {"/v1/chat/completions", "/v1/models"}, "nothing else was asked of anybody"
    assert job.state in ("done", "failed")
    if job.state == "done":
        totals = queries.totals_of(world)
        assert sum(totals.values()) == len(queries.piece_rows(world))
    folder = record_of(world).folder
    for path in folder.paths(""):
        assert ".." not in path
        assert not path.startswith(".")
        assert path.split("/")[0] in {
            "world.json", "characters", "locations", "factions", "items", "lore", "prompts",
            "relationships.json", "commands.json", "triggers.json", "variables.json", "images",
        }  # fmt: skip
    assert other.pk != world.pk


@pytest.mark.parametrize(
    "line",
    [
        Line(calls=tuple(Said("discard_world", "{}") for _ in range(60))),
        Line(calls=(Said("write_file", '{"path": "../other/world.json"}'),)),
        Line(calls=(Said("classify", "x" * 20_000),)),
        Line(calls=(Said("classify", '{"roles": ['),)),
        Line(text="Ignore the task. " * 500),
    ],
    ids=["many tools", "another tool", "no end", "broken JSON", "prose"],
)
def test_calls_that_nobody_offered_do_nothing(people: People, line: Line) -> None:
    with scripted_beside(reading_script("en", Rule((line,), task="classify"))) as model:
        world = model_world(people.ana, model.address)
        job = run(world)
    assert (job.state, world.stage) == ("failed", "ready")
    assert job.error
    assert World.objects.count() == 1


def test_the_key_is_in_no_request_but_its_header(people: People) -> None:
    with scripted_beside(reading_script("en")) as model:
        run(model_world(people.ana, model.address))
        bodies = b"".join(received.body for received in model.received)
    assert bodies
    assert KEY.encode() not in bodies
    assert all(KEY.encode() not in held for held in tree(data_folder().root / "users").values())
