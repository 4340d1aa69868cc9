"""The one way from the apps to a model: who may use it is asked anew, and every call is stored.

A call is stored once it has ended, however it ended: whole, refused, broken off, cancelled by the work
around it, or closed early by whoever was reading. Storing happens in a thread of the database, and goes on
when the task that called is cancelled meanwhile. A call that was cancelled while it still waited for a free
place has not been made, and is not stored.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal

from django.db import DatabaseError

from llm.asking import Ask, Delta, Reply
from llm.client import ModelClient
from llm.clients import Clients
from llm.endpoint import Endpoint
from llm.usage import Usage
from net.model_transport import usual_trust
from portal.access import nothing_here
from portal.database import in_database
from portal.endpoints.access import endpoint_for
from portal.endpoints.addresses import listed_addresses
from portal.endpoints.queries import endpoint_of
from portal.models import ModelCall, ModelEndpoint, Person

log = logging.getLogger("portal.endpoints")
MOST_TOKENS = 2**53
MOST_MONEY = Decimal(10**9)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls which endpoint, what for (`Purpose`), about which item (`preset:<id>`), and within which
    `group` of calls: one trial run, story or import (PRE-19)."""

    person_id: int
    endpoint_id: str
    purpose: str
    about: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class Opened:
    """An endpoint as it may be used now. `endpoint` holds the key."""

    row: ModelEndpoint
    endpoint: Endpoint
    listed: frozenset[str]


async def reply(caller: Caller, ask: Ask) -> Reply:
    """The whole answer.

    Raises:
        DomainError: `not-found`, the person may not use the endpoint; `invalid`, its key cannot be read.
        ModelFault: there is no whole answer.
    """
    async with aclosing(stream(caller, ask)) as pieces:
        async for piece in pieces:
            if isinstance(piece, Reply):
                return piece
    raise AssertionError("a stream ends with its reply")


async def stream(caller: Caller, ask: Ask) -> AsyncGenerator[Delta | Reply]:
    """The answer piece by piece, and at the end the whole `Reply`; `aclosing` stops the call.

    Raises:
        As `reply`.
    """
    opened = await _opened(caller)
    told: list[Usage] = []
    streamed = opened.endpoint.abilities.streaming is not False
    _waiting[id(opened.endpoint)] = told
    try:
        client = _clients_for(opened.listed).here()
        async with aclosing(client.stream(opened.endpoint, ask, streamed=streamed)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Reply):
                    await _store(caller, opened.row, told)
                yield piece
    finally:
        del _waiting[id(opened.endpoint)]
        await _store(caller, opened.row, told)


@asynccontextmanager
async def client_for_test(caller: Caller) -> AsyncIterator[tuple[ModelClient, Opened]]:
    """A client that may make several calls to one endpoint; they are stored when the block is left."""
    opened = await _opened(caller)
    told: list[Usage] = []
    clients = Clients(opened.listed, on_usage=lambda _endpoint, usage: told.append(usage))
    try:
        yield clients.here(), opened
    finally:
        await _store(caller, opened.row, told)


async def _opened(caller: Caller) -> Opened:
    opened = await in_database(open_endpoint, caller.person_id, caller.endpoint_id)
    await asyncio.to_thread(usual_trust)  # no client may read the authorities on the event loop
    return opened


def open_endpoint(person_id: int, endpoint_id: str) -> Opened:
    """Whether the person may use the endpoint now, and with what.

    Raises:
        DomainError: as `reply`.
    """
    person = Person.objects.filter(pk=person_id, is_active=True).first()
    if person is None:
        raise nothing_here()
    row = endpoint_for(person, endpoint_id)
    return Opened(row, endpoint_of(row), listed_addresses())


# --- the clients of this process -------------------------------------------------------------------

_waiting: dict[int, list[Usage]] = {}  # by the identity of the endpoint, which is made anew for each call
_clients: Clients | None = None


def _clients_for(listed: frozenset[str]) -> Clients:
    """The clients of this process under the host's list as it is now; calls under an older one run on."""
    global _clients
    if _clients is None or _clients.listed != listed:
        _clients = Clients(listed, on_usage=_noted)
    return _clients


def _noted(endpoint: Endpoint, usage: Usage) -> None:
    told = _waiting.get(id(endpoint))
    if told is not None:
        told.append(usage)


# --- the record ------------------------------------------------------------------------------------

_storing: set[asyncio.Task[None]] = set()


async def _store(caller: Caller, row: ModelEndpoint, told: list[Usage]) -> None:
    """Store what was told, once. Whoever is cancelled meanwhile leaves the storing running."""
    usages, told[:] = list(told), []
    if not usages:
        return
    task = asyncio.create_task(in_database(store_calls, caller, row, usages))
    _storing.add(task)
    task.add_done_callback(_storing.discard)
    await asyncio.shield(task)


def store_calls(caller: Caller, row: ModelEndpoint, usages: list[Usage]) -> None:
    """One `ModelCall` for each usage. A database that does not take them costs the record, not the answer."""
    known = ModelEndpoint.objects.filter(pk=row.pk).exists()  # it may have been deleted during the call
    calls = [_call(caller, row if known else None, row.name, usage) for usage in usages]
    try:
        ModelCall.objects.bulk_create(calls)
    except DatabaseError:
        log.exception("a model call could not be stored: %s %s", row.pk, caller.purpose)


def _call(caller: Caller, row: ModelEndpoint | None, name: str, usage: Usage) -> ModelCall:
    tokens = usage.tokens
    cost = usage.cost
    return ModelCall(
        owner_id=caller.person_id,
        endpoint=row,
        endpoint_name=name,
        model=usage.model[:200],
        purpose=caller.purpose,
        about=caller.about[:200],
        group=caller.group[:64],
        outcome=usage.outcome,
        tokens_in=None if tokens is None else min(tokens.input, MOST_TOKENS),
        tokens_cached=None if tokens is None else min(tokens.cached, MOST_TOKENS),
        tokens_out=None if tokens is None else min(tokens.output, MOST_TOKENS),
        seconds=usage.seconds,
        first_seconds=usage.first_seconds,
        cost=None if cost is None or cost >= MOST_MONEY else round(cost, 8),
        currency=usage.currency,
    )
