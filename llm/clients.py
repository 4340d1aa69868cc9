"""One client for each event loop: connections and waiting lines of one loop hang in another."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from weakref import WeakKeyDictionary

from llm.client import ModelClient, OnUsage
from llm.limits import Deadlines
from net.address import listed_origin
from net.model_door import ModelDoor
from net.model_transport import ModelTransport


class Clients:
    """Gives the client of the running event loop.

    Args:
        listed: addresses of the host's list; only scheme, name and port of them count.
        deadlines, at_once, on_usage: as `ModelClient` takes them.

    Raises:
        RefusedAddress: an address of the list is none.
    """

    def __init__(
        self,
        listed: Iterable[str] = (),
        *,
        deadlines: Deadlines | None = None,
        at_once: int = 4,
        on_usage: OnUsage | None = None,
    ) -> None:
        self.listed = frozenset(listed_origin(address) for address in listed)
        self._deadlines = deadlines or Deadlines()
        self._at_once = at_once
        self._on_usage = on_usage
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, ModelClient] = WeakKeyDictionary()

    def here(self) -> ModelClient:
        """The client of the running event loop."""
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            client = self._clients[loop] = ModelClient(
                self.door(), deadlines=self._deadlines, at_once=self._at_once, on_usage=self._on_usage
            )
        return client

    def door(self) -> ModelDoor:
        """A new way out under the same list and deadlines, for a model client library."""
        deadlines = self._deadlines
        return ModelDoor(ModelTransport(self.listed), connect=deadlines.connect, silence=deadlines.total)
