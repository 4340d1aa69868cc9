"""Whether an answer is whole. Half of what can go wrong raises nothing in any HTTP library, so it is judged
here: an error inside a 200, a web page, a stream that just ends (reliability, part 6)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from llm.asking import CallPart, Delta, Finish, ToolCall
from llm.endpoint import Endpoint
from llm.faults import ModelFault, fault_of_status
from llm.protocols import PROTOCOLS
from llm.sse import EventReader, ServerEvent
from llm.usage import Tokens

EVENT_STARTS = (b"data:", b"event:", b": ")
MAX_CALLS = 128  # of tools in one answer


class Gathered:
    """An answer as far as it has come."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._calls: dict[int, list[CallPart]] = {}
        self.finish: Finish | None = None
        self.tokens: Tokens | None = None
        self.model = ""
        self.first_tokens: Mapping[str, float] = {}

    def add(self, delta: Delta) -> None:
        self._text.append(delta.text)
        self._thinking.append(delta.thinking)
        for call in delta.calls:
            index = call.index if call.index >= 0 else len(self._calls)
            if len(self._calls) >= MAX_CALLS and index not in self._calls:
                raise ModelFault("broken")
            self._calls.setdefault(index, []).append(call)
        self.finish = delta.finish or self.finish
        self.model = delta.model or self.model
        self.first_tokens = self.first_tokens or delta.first_tokens
        if delta.tokens:
            self.tokens = delta.tokens.largest(self.tokens or Tokens())

    @property
    def text(self) -> str:
        return "".join(self._text)

    @property
    def thinking(self) -> str:
        return "".join(self._thinking)

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls in their order; one without an id gets a number, since its result must name it."""
        calls = []
        for place, (_, pieces) in enumerate(sorted(self._calls.items())):
            name = next((piece.name for piece in pieces if piece.name), "")
            number = next((piece.id for piece in pieces if piece.id), f"call_{place}")
            calls.append(ToolCall(number, name, "".join(piece.arguments for piece in pieces) or "{}"))
        return tuple(calls)

    def check_whole(self) -> Finish:
        """How the answer ended.

        Raises:
            ModelFault: it did not end, or nothing is in it.
        """
        if self.finish is None:
            raise ModelFault("unfinished")
        if self._calls and self.finish == "stop":
            return "tool-calls"  # several servers say `stop` for both
        if self.finish == "stop" and not self.text.strip():
            raise ModelFault("empty")
        return self.finish


class Judge:
    """Reads one answer of a service, whole or streamed, as its bytes come; raises what is wrong with it.

    It is the `net.model_door.Watch` of the model client library, and reads the replies of `llm.client`.
    """

    def __init__(self, endpoint: Endpoint, path: str = "") -> None:
        self._endpoint = endpoint
        self._protocol = PROTOCOLS[endpoint.kind]
        self._path = path
        self._status = 0
        self._headers: Mapping[str, str] = {}
        self._events: EventReader | None = None
        self._body: list[bytes] = []
        self.gathered = Gathered()

    def opened(self, status: int, headers: Mapping[str, str]) -> None:
        """The head has come.

        Raises:
            ModelFault: it leads elsewhere, or is the head of a web page.
        """
        self._status, self._headers = status, headers
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if 300 <= status < 400:
            raise fault_of_status(status, headers, "")
        if status == 200 and kind in ("text/html", "application/xhtml+xml"):
            raise ModelFault("web-page", status=status)
        if status == 200 and kind == "text/event-stream":
            self._events = EventReader()

    @property
    def streamed(self) -> bool:
        """Whether the answer comes as events."""
        return self._events is not None

    def heard(self, part: bytes) -> list[Delta]:
        """A part of the body; what it brought, when the answer is streamed.

        Raises:
            ModelFault: it holds an error, or is not what the protocol says.
        """
        if self._events is None and not self._body and part.lstrip().startswith(EVENT_STARTS):
            self._events = EventReader()  # a stream under a wrong name
        if self._events is None:
            self._body.append(part)
            return []
        return self._take(self._events.feed(part))

    def ended(self) -> list[Delta]:
        """The body has ended; what came last.

        Raises:
            ModelFault: the answer is not whole, or says why there is none.
        """
        if self._events is not None:
            last = self._take(self._events.end())
            self.gathered.check_whole()
            return last
        value = self.value()
        delta = self._protocol.read_reply(value)
        if words := self._protocol.error_of(value) if isinstance(value, dict) and value.get("error") else "":
            raise self._error(words)
        self._add(delta)
        if delta.finish is None and not delta.has_content:
            raise ModelFault("empty" if _is_reply(value) else "broken", status=self._status)
        self.gathered.check_whole()
        return [delta]

    def value(self) -> Any:
        """The JSON of a body that is not streamed.

        Raises:
            ModelFault: the status says no, or the body is no JSON.
        """
        body = b"".join(self._body)
        try:
            value = json.loads(body)
        except (ValueError, RecursionError):
            value = None
        if self._status != 200:
            words = self._protocol.error_of(value[0] if isinstance(value, list) and value else value)
            said = words or _plain_words(body, self._headers)
            raise fault_of_status(self._status, self._headers, self._endpoint.without_key(said), self._path)
        if value is None:
            start = body[:200].lstrip().lower()
            if start.startswith((b"<!doctype html", b"<html")):
                raise ModelFault("web-page", status=self._status)
            cut_off = start[:1] in (b"{", b"[") and not body.rstrip().endswith((b"}", b"]"))
            raise ModelFault("unfinished" if cut_off else "broken", status=self._status)
        return value

    def _take(self, events: list[ServerEvent]) -> list[Delta]:
        deltas = []
        for event in events:
            delta = self._protocol.read_event(event)
            if delta is None:
                raise ModelFault("broken", status=self._status)
            self._add(delta)
            deltas.append(delta)
        return deltas

    def _add(self, delta: Delta) -> None:
        if delta.error:
            raise self._error(delta.error)
        self.gathered.add(delta)

    def _error(self, words: str) -> ModelFault:
        return ModelFault("provider-error", said=self._endpoint.without_key(words), status=self._status)


def _is_reply(value: Any) -> bool:
    """Whether a value has the outer form of an answer of any of the protocols."""
    return isinstance(value, dict) and bool({"choices", "content", "candidates"} & value.keys())


def _plain_words(body: bytes, headers: Mapping[str, str]) -> str:
    """What a body without JSON says, unless it is a page."""
    if "html" in headers.get("content-type", "") or body[:200].lstrip().startswith(b"<"):
        return ""
    return body[:2_000].decode("utf-8", "replace")


def path_of(address: str) -> str:
    """The path of an address, for the sentence about a missing one."""
    return urlsplit(address).path
