"""What services say is untrusted: the readers of the protocols, of events and of prices take anything."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm.asking import Ask, price
from llm.endpoint import KINDS, Endpoint, Kind, Prices
from llm.faults import ModelFault
from llm.judge import Judge
from llm.protocols import PROTOCOLS
from llm.protocols.openai import OPENAI
from llm.sse import EventReader, ServerEvent
from llm.usage import Tokens, cost_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "choices",
                    "message",
                    "delta",
                    "content",
                    "usage",
                    "error",
                    "tool_calls",
                    "function",
                    "type",
                    "index",
                    "candidates",
                    "parts",
                    "functionCall",
                    "data",
                    "models",
                    "id",
                    "name",
                    "pricing",
                    "finish_reason",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON, st.sampled_from(KINDS))
def test_nothing_that_a_service_says_breaks_a_reader(value: Any, kind: Kind) -> None:
    protocol = PROTOCOLS[kind]
    protocol.read_reply(value)
    protocol.read_models(value)
    protocol.error_of(value)
    protocol.read_event(ServerEvent("", json.dumps(value)))


@given(JSON, st.sampled_from(KINDS), st.booleans())
def test_every_answer_is_whole_or_a_declared_fault(value: Any, kind: Kind, streamed: bool) -> None:
    judge = Judge(Endpoint(kind, "https://a.example", "m"))
    try:
        judge.opened(200, {"content-type": "text/event-stream" if streamed else "application/json"})
        judge.heard((b"data: " if streamed else b"") + json.dumps(value).encode() + b"\n\n")
        judge.ended()
    except ModelFault:
        return
    assert judge.gathered.finish


def events_of(*parts: bytes) -> list[tuple[str, str]]:
    reader = EventReader()
    events = [event for part in parts for event in reader.feed(part)]
    return [(event.name, event.data) for event in [*events, *reader.end()]]


@pytest.mark.parametrize(
    ("stream", "events"),
    [
        (b"data: a\n\ndata: b\n\n", [("", "a"), ("", "b")]),
        (b"data:a\r\n\r\ndata: b\r\n\r\n", [("", "a"), ("", "b")]),
        (b"data: a\r\rdata: b\r\r", [("", "a"), ("", "b")]),
        (b"\xef\xbb\xbfdata: a\n\n", [("", "a")]),
        (b": life\n\nevent: x\ndata: a\ndata: b\n\n", [("x", "a\nb")]),
        (b"data: a", [("", "a")]),
        (b"data: a\n", [("", "a")]),
        (b"data: a\r", [("", "a")]),
        (b"id: 7\nretry: 5\n\n", []),
        (b"event: lost\n\ndata: a\n\n", [("", "a")]),
        ("data: 门\n\n".encode(), [("", "门")]),
        (b"data: \xff\n\n", [("", "\ufffd")]),
        (b"", []),
    ],
)
def test_events_are_read_however_they_are_cut(stream: bytes, events: list[tuple[str, str]]) -> None:
    assert events_of(stream) == events
    assert events_of(*[stream[place : place + 1] for place in range(len(stream))]) == events
    for place in range(len(stream)):
        assert events_of(stream[:place], stream[place:]) == events


@given(
    st.lists(st.text(st.characters(exclude_characters="\r\n\ufeff", exclude_categories=["Cs"]), min_size=1)),
    st.randoms(),
)
def test_any_data_comes_out_of_any_cuts(datas: list[str], dice: Any) -> None:
    stream = "".join(f"data: {data}\n\n" for data in datas).encode()
    cuts = sorted(dice.randrange(len(stream) + 1) for _ in range(5))
    parts = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert events_of(*parts) == [("", data) for data in datas]


def test_a_line_of_megabytes_in_single_bytes_is_read_in_time() -> None:
    reader = EventReader()
    for _ in range(300_000):
        reader.feed(b"x")
    assert reader.feed(b"\n\n") == []


@pytest.mark.parametrize(
    ("row", "length"),
    [
        ({"context_length": 8192}, 8192),
        ({"max_model_len": 4096}, 4096),
        ({"meta": {"n_ctx_train": 2048}}, 2048),
        ({"context_length": "many"}, None),
        ({"context_length": -1}, None),
        ({"context_length": True}, None),
        ({}, None),
    ],
)
def test_the_context_length_stands_under_many_names(row: dict[str, Any], length: int | None) -> None:
    models = OPENAI.read_models({"data": [{"id": "m", **row}]})
    assert models is not None
    assert models[0].context_length == length


def test_prices_of_a_list_are_for_a_token_and_become_those_of_a_million() -> None:
    row = {
        "id": "m",
        "pricing": {"prompt": "0.000003", "completion": "0.000015", "input_cache_read": "0.0000003"},
    }
    models = OPENAI.read_models({"data": [row]})
    assert models is not None
    assert models[0].prices == Prices(Decimal(3), Decimal(15), Decimal("0.3"))


@pytest.mark.parametrize("value", [None, True, "dear", "-1", "nan", "inf", [], {}])
def test_what_is_no_price(value: Any) -> None:
    assert price(value) is None


@pytest.mark.parametrize(
    ("prices", "tokens", "cost"),
    [
        (Prices(Decimal(2), Decimal(4)), Tokens(1_000_000, 0, 500_000), Decimal(4)),
        (Prices(Decimal(2), Decimal(4), Decimal(1)), Tokens(1_000_000, 400_000, 0), Decimal("1.6")),
        (Prices(Decimal(2), Decimal(4)), Tokens(1_000_000, 400_000, 0), Decimal(2)),
        (Prices(Decimal(2), Decimal(4), Decimal(0)), Tokens(100, 900, 0), Decimal(0)),
        (Prices(Decimal(2)), Tokens(5, 0, 5), None),
        (Prices(), Tokens(5, 0, 5), None),
        (Prices(Decimal(2), Decimal(4)), None, None),
    ],
)
def test_a_call_costs_what_its_tokens_cost(
    prices: Prices, tokens: Tokens | None, cost: Decimal | None
) -> None:
    assert cost_of(prices, tokens) == cost


def test_the_newest_name_of_the_limit_is_used_where_no_other_is_taken() -> None:
    ask = Ask(({"role": "user", "content": "Hi"},), {"max_tokens": 5})
    own = OPENAI.body(Endpoint("openai", "https://api.openai.com/v1", "m"), ask, streamed=False)
    other = OPENAI.body(Endpoint("openai", "https://a.example/v1", "m"), ask, streamed=False)
    assert (own["max_completion_tokens"], "max_tokens" in own) == (5, False)
    assert other["max_tokens"] == 5


def test_settings_cannot_take_the_place_of_the_request() -> None:
    ask = Ask(({"role": "user", "content": "Hi"},), {"model": "x", "messages": [], "stream": True})
    body = OPENAI.body(Endpoint("openai", "https://a.example/v1", "m"), ask, streamed=False)
    assert (body["model"], len(body["messages"]), body["stream"]) == ("m", 1, False)
