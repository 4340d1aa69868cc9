"""Endpoints of the four people, and scripted models behind them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from llm.scripted import Line, Rule, Script, ScriptedModel
from portal.endpoints import actions
from portal.endpoints.fields import EndpointFields
from portal.models import ModelEndpoint, Person, SiteSettings

KEY = "sk-invented-key-9d41c07f2a"
PUBLIC = "https://models.example/v1"
YES = Script.of(Line("yes"))


def list_address(address: str) -> None:
    """Let models be at an address of this machine."""
    site, _made = SiteSettings.objects.get_or_create(pk=1)
    site.model_addresses = "\n".join([*site.model_addresses.split(), address])
    site.save()


def an_endpoint(
    owner: Person, address: str = PUBLIC, *, key: str = KEY, everyone: bool = False, **said: Any
) -> ModelEndpoint:
    """An endpoint of this person, as the page would keep it."""
    fields = EndpointFields(**{"name": "Fog", "base_url": address, "model": "scripted", **said})
    row = actions.save_endpoint(actor=owner, fields=fields, key=key)
    return actions.share_with_everyone(actor=owner, endpoint=row, shared=True) if everyone else row


def changed(row: ModelEndpoint, **said: Any) -> EndpointFields:
    """What the page sends for an endpoint when only this is changed."""
    fields = EndpointFields(
        name=row.name,
        kind=row.kind,  # type: ignore[arg-type]
        base_url=row.base_url,
        model=row.model,
        context_length=row.context_length,
        price_input=row.price_input,
        price_output=row.price_output,
        price_cached=row.price_cached,
        currency=row.currency,
        abilities=row.abilities_set,
        strong=row.strong,
    )
    return replace(fields, **said)


@contextmanager
def scripted_beside(script: Script = YES, *, key: str = KEY) -> Iterator[ScriptedModel]:
    """A scripted model in a thread with an event loop of its own: for synchronous tests and for browsers."""
    ready = threading.Event()
    loop = asyncio.new_event_loop()
    model = ScriptedModel(script, key=key)
    ended = asyncio.Event()

    async def serve() -> None:
        async with model:
            ready.set()
            await ended.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), daemon=True)
    thread.start()
    assert ready.wait(20)
    try:
        yield model
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(20)
        loop.close()


def sentences(*rules: Rule, models: tuple[str, ...] = ("scripted",)) -> Script:
    """A script of several rules."""
    return Script(rules, models)
