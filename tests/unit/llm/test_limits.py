"""When a call is tried again, and how long is waited."""

from __future__ import annotations

import asyncio

import pytest

from llm.faults import MEANINGS, ModelFault
from llm.limits import AtOnce, Retries
from llm.scripted import Line, Script
from llm.usage import Outcome
from tests.support.models import HELLO, talking


class Tries:
    """Fails with these faults, then answers; waits are written down, not waited."""

    def __init__(self, *faults: ModelFault, chance: float = 0.5) -> None:
        self._faults = list(faults)
        self.calls = 0
        self.waits: list[float] = []
        self.retries = Retries(chance=lambda: chance, sleep=self._wait)

    async def _wait(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def __call__(self) -> str:
        self.calls += 1
        if self._faults:
            raise self._faults.pop(0)
        return "answer"


async def test_what_passes_is_tried_three_times_with_longer_waits() -> None:
    tries = Tries(ModelFault("unreachable"), ModelFault("overloaded"))
    assert await tries.retries.run(tries) == "answer"
    assert tries.waits == [1.0, 2.0]


async def test_the_last_fault_is_raised() -> None:
    last = ModelFault("too-slow")
    tries = Tries(ModelFault("unfinished"), ModelFault("unfinished"), last)
    with pytest.raises(ModelFault) as raised:
        await tries.retries.run(tries)
    assert raised.value is last
    assert tries.calls == 3


@pytest.mark.parametrize(("chance", "wait"), [(0.0, 0.5), (0.999, 1.499)])
async def test_waits_differ_a_little(chance: float, wait: float) -> None:
    tries = Tries(ModelFault("unreachable"), chance=chance)
    await tries.retries.run(tries)
    assert tries.waits == [pytest.approx(wait)]


FINAL = [outcome for outcome, meaning in MEANINGS.items() if not meaning.passing]


@pytest.mark.parametrize("outcome", FINAL)
async def test_what_cannot_pass_is_not_tried_again(outcome: Outcome) -> None:
    assert {"key-refused", "forbidden", "not-found", "too-long", "web-page", "moved"} <= set(FINAL)
    tries = Tries(ModelFault(outcome))
    with pytest.raises(ModelFault):
        await tries.retries.run(tries)
    assert (tries.calls, tries.waits) == (1, [])


@pytest.mark.parametrize(("asked", "waits"), [(2, [2]), (60, [60]), (61, []), (86_400, [])])
async def test_a_service_is_obeyed_up_to_a_minute(asked: float, waits: list[float]) -> None:
    tries = Tries(ModelFault("rate-limited", wait=asked))
    if waits:
        assert await tries.retries.run(tries) == "answer"
    else:
        with pytest.raises(ModelFault) as raised:
            await tries.retries.run(tries)
        assert raised.value.wait == asked
    assert tries.waits == waits


async def test_a_service_that_fails_once_answers_the_second_time() -> None:
    async with talking(Script.of(Line(fault="500"), Line("There."))) as talk:
        tries = Tries()
        reply = await tries.retries.run(lambda: talk.client.reply(talk.endpoint, HELLO))
    assert reply.text == "There."
    assert [usage.outcome for usage in talk.usages] == ["overloaded", "ok"]


async def test_places_are_for_each_address() -> None:
    at_once = AtOnce(1)
    inside: list[str] = []

    async def hold(address: str, until: asyncio.Event) -> None:
        async with at_once.place(address):
            inside.append(address)
            await until.wait()

    end = asyncio.Event()
    tasks = [asyncio.create_task(hold(address, end)) for address in ("a", "a", "b")]
    for _ in range(5):
        await asyncio.sleep(0)
    assert inside == ["a", "b"]
    end.set()
    await asyncio.gather(*tasks)
    assert inside == ["a", "b", "a"]
    assert at_once._places == {}
