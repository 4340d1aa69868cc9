"""The bell: tells open pages that stored state has changed. A lost ring loses nothing.

Groups are `person:<id>`, `job:<id>`, `item:<id>`. Rings are heard after the surrounding transaction commits.
Who may hear a group says the slot `bell.<prefix>(person, rest) -> bool`, asked when a page begins to watch it
and again before every ring.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from typing import Any

from asgiref.sync import async_to_sync
from channels.exceptions import ChannelFull
from channels.layers import BaseChannelLayer, InMemoryChannelLayer, get_channel_layer
from django.db import transaction
from redis.exceptions import RedisError

from portal import slots
from portal.models import Person

logger = logging.getLogger(__name__)
_serving: list[asyncio.AbstractEventLoop] = []


def channel_group(group: str) -> str:
    """The channel layer's name of a group: it allows ASCII only, item ids hold any script."""
    return f"bell.{hashlib.sha256(group.encode()).hexdigest()[:40]}"


def serve_in(loop: asyncio.AbstractEventLoop | None) -> None:
    """Name the event loop that serves this process's sockets (start-up and shutdown of the server)."""
    _serving[:] = [loop] if loop else []


def ring(group: str) -> None:
    """Tell every page that watches `group` to look again. For synchronous code, in any thread.

    A channel layer that does not answer is logged and never breaks the write it follows: pages poll too.
    """
    transaction.on_commit(lambda: _deliver({"type": "rung", "group": group}, group), robust=True)


def _deliver(message: dict[str, Any], group: str) -> None:
    """Send from synchronous code. The in-memory layer is bound to the loop that serves the sockets."""
    if _serving and not _serving[0].is_closed():
        asyncio.run_coroutine_threadsafe(_send(message, group), _serving[0])
    elif not isinstance(get_channel_layer(), InMemoryChannelLayer):
        async_to_sync(_send)(message, group)


def may_hear(person: Person, group: str) -> bool:
    """Whether this person may watch a group. Nobody hears a group no room answers for."""
    prefix, colon, rest = group.partition(":")
    return bool(colon and rest) and any(fill(person, rest) for fill in slots.filled(f"bell.{prefix}"))


async def _send(message: dict[str, Any], group: str) -> None:
    layer: BaseChannelLayer | None = get_channel_layer()
    assert layer is not None  # a system check refuses to start without one
    try:
        await layer.group_send(channel_group(group), message)
    except (OSError, RedisError, ChannelFull) as error:
        logger.warning("the bell did not ring for %s: %s", group, error)
