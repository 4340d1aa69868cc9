"""The client of one event loop: one reply, a reply as it comes, and the list of models.

Nothing that a service can do raises anything but `ModelFault`, and every call ends in exactly one `Usage`. A
reply keeps the bytes it was asked with (PRE-18): they are made once, sent, and never built again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from typing import Any

from llm.asking import Ask, Delta, ModelInfo, Reply
from llm.endpoint import Endpoint
from llm.faults import OF_REASON, WITH_VERSION_HINT, ModelFault, check_key
from llm.judge import Judge, path_of
from llm.limits import AtOnce, Deadlines
from llm.protocols import PROTOCOLS
from llm.usage import Outcome, Usage, cost_of
from net.model_door import Answer, ModelDoor, NoAnswer, Sending

OnUsage = Callable[[Endpoint, Usage], None]
FINISHED: dict[str, Outcome] = {"length": "cut", "filtered": "filtered"}
JSON_HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


class ModelClient:
    """Speaks to model services. It belongs to one event loop; `llm.clients.Clients` keeps one for each.

    Args:
        door: the guarded way out.
        deadlines: how long each part of a call may take.
        at_once: calls to one address with one key that run together; more of them wait, and waiting is not
            counted.
        on_usage: told of every call when it has ended, however it ended. It must not block.
    """

    def __init__(
        self,
        door: ModelDoor,
        *,
        deadlines: Deadlines | None = None,
        at_once: int = 4,
        on_usage: OnUsage | None = None,
    ) -> None:
        self._door = door
        self._deadlines = deadlines or Deadlines()
        self._at_once = AtOnce(at_once)
        self._on_usage = on_usage

    async def reply(self, endpoint: Endpoint, ask: Ask) -> Reply:
        """The whole answer. It is streamed where the endpoint can, so that silence is noticed.

        Raises:
            ModelFault: there is no whole answer.
        """
        streamed = endpoint.abilities.streaming is not False
        async with aclosing(self.stream(endpoint, ask, streamed=streamed)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Reply):
                    return piece
        raise AssertionError("a stream ends with its reply")

    async def stream(
        self, endpoint: Endpoint, ask: Ask, *, streamed: bool = True
    ) -> AsyncGenerator[Delta | Reply]:
        """The answer piece by piece, and at the end the whole `Reply`; `aclosing` stops the call.

        Raises:
            ModelFault: there is no whole answer; `.partial` has what came of it.
        """
        async with self._at_once.place((endpoint.base_url, endpoint.key)):
            call = _Call(endpoint, ask, streamed, self._deadlines)
            try:
                async with aclosing(call.deltas(self._door)) as deltas:
                    async for delta in deltas:
                        yield delta
                reply = call.reply()
            except ModelFault as fault:
                fault.usage = call.end(fault.outcome)
                fault.partial, fault.sent = call.judge.gathered.text, call.sent
                raise
            finally:
                if self._on_usage is not None:
                    self._on_usage(endpoint, call.end("stopped"))
        yield reply

    async def models(self, endpoint: Endpoint, *, seconds: float = 10.0) -> list[ModelInfo]:
        """The models that the service lists, in its order.

        Raises:
            ModelFault: it lists none, or does not answer.
        """
        protocol = PROTOCOLS[endpoint.kind]
        address = protocol.models_address(endpoint)
        check_key(endpoint.key)
        try:
            async with asyncio.timeout(seconds):
                value = await self._value(endpoint, address)
        except TimeoutError as error:
            raise ModelFault("too-slow") from error
        except NoAnswer as error:
            raise ModelFault(OF_REASON[error.reason]) from error
        except ModelFault as fault:
            raise _with_better_address(fault, endpoint) from None
        models = protocol.read_models(value)
        if models is None:
            raise ModelFault("broken")
        return models

    async def _value(self, endpoint: Endpoint, address: str) -> Any:
        judge = Judge(endpoint, path_of(address))
        sending = Sending("GET", address, PROTOCOLS[endpoint.kind].headers(endpoint))
        async with self._door.ask(sending) as answer:
            judge.opened(answer.status, answer.headers)
            async for part in answer.parts():
                judge.heard(part)
        return judge.value()


def _with_better_address(fault: ModelFault, endpoint: Endpoint) -> ModelFault:
    """Most services of the OpenAI kind live under /v1, which people leave out."""
    lost = fault.outcome in ("not-found", "web-page")
    if lost and endpoint.kind == "openai" and "/v" not in path_of(endpoint.base_url):
        return fault.with_hint(WITH_VERSION_HINT, address=endpoint.address("v1"))
    return fault


class _Call:
    """One call from its bytes to its record."""

    def __init__(self, endpoint: Endpoint, ask: Ask, streamed: bool, deadlines: Deadlines) -> None:
        protocol = PROTOCOLS[endpoint.kind]
        self._endpoint = endpoint
        self._address = protocol.chat_address(endpoint, streamed=streamed)
        self._headers = {**protocol.headers(endpoint), **JSON_HEADERS}
        body = protocol.body(endpoint, ask, streamed=streamed)
        self.sent = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        self.judge = Judge(endpoint, path_of(self._address))
        self._clock = asyncio.get_running_loop().time
        self._patience = _Patience(deadlines, self._clock(), streamed)
        self._started = self._clock()
        self._first: float | None = None
        self._usage: Usage | None = None

    async def deltas(self, door: ModelDoor) -> AsyncGenerator[Delta]:
        """The pieces of the answer.

        Raises:
            ModelFault: what is wrong with it.
        """
        check_key(self._endpoint.key)
        try:
            async with AsyncExitStack() as opened:
                async with asyncio.timeout_at(self._patience.until):
                    sending = Sending("POST", self._address, self._headers, self.sent)
                    answer = await opened.enter_async_context(door.ask(sending))
                self.judge.opened(answer.status, answer.headers)
                parts = await opened.enter_async_context(aclosing(self._parts(answer)))
                async for part in parts:
                    for delta in self.judge.heard(part):
                        if self._noticed(delta):
                            yield delta
        except TimeoutError as error:
            raise ModelFault("too-slow") from error
        except NoAnswer as error:
            raise ModelFault(OF_REASON[error.reason]) from error
        except ModelFault as fault:
            raise _with_better_address(fault, self._endpoint) from None
        for delta in self._last():
            if self._noticed(delta):
                yield delta

    async def _parts(self, answer: Answer) -> AsyncGenerator[bytes]:
        """The body as it comes. Once the answer is whole, nothing that its connection does can spoil it."""
        async with aclosing(answer.parts()) as parts:
            while not self._patience.over:
                try:
                    async with asyncio.timeout_at(self._patience.until):
                        part = await anext(parts, None)
                except (TimeoutError, NoAnswer):
                    if self.judge.gathered.finish is None:
                        raise
                    return
                if part is None:
                    return
                yield part

    def _noticed(self, delta: Delta) -> bool:
        """Take the time by a piece; whether it is one to pass on."""
        self._patience.heard(delta, self._clock())
        if delta.has_content and self._first is None:
            self._first = self._clock()
        return bool(delta.text or delta.thinking or delta.calls)

    def _last(self) -> list[Delta]:
        try:
            return self.judge.ended()
        except ModelFault as fault:
            raise _with_better_address(fault, self._endpoint) from None

    def reply(self) -> Reply:
        """The whole answer."""
        gathered = self.judge.gathered
        finish = gathered.check_whole()
        return Reply(
            text=gathered.text,
            thinking=gathered.thinking,
            calls=gathered.calls,
            finish=finish,
            model=gathered.model or self._endpoint.model,
            usage=self.end(FINISHED.get(finish, "ok")),
            streamed=self.judge.streamed,
            sent=self.sent,
            first_tokens=gathered.first_tokens,
        )

    def end(self, outcome: Outcome) -> Usage:
        """The record of the call; the first end is the one that counts."""
        if self._usage is None:
            tokens = self.judge.gathered.tokens
            self._usage = Usage(
                model=self._endpoint.model,
                outcome=outcome,
                seconds=self._clock() - self._started,
                tokens=tokens,
                first_seconds=None if self._first is None else self._first - self._started,
                cost=cost_of(self._endpoint.prices, tokens),
                currency=self._endpoint.prices.currency,
            )
        return self._usage


@dataclass
class _Patience:
    """Until when the next piece must come. Signs of life without content do not count: a service can send
    them for ever. Times are those of the event loop, which no change of the clock moves."""

    deadlines: Deadlines
    started: float
    streamed: bool

    def __post_init__(self) -> None:
        self.over = False
        self._end = self.started + self.deadlines.total
        # A whole answer has its first byte when its last word is known.
        self.until = min(self._end, self.started + self.deadlines.first) if self.streamed else self._end

    def heard(self, delta: Delta, now: float) -> None:
        if delta.finish:
            self.until = min(self._end, now + self.deadlines.after_end)
        elif delta.has_content:
            self.until = min(self._end, now + self.deadlines.between)
        self.over = self.over or delta.end
