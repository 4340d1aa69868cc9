"""The sockets this process holds open: how many a person may have, and whether their sessions still hold."""

from __future__ import annotations

import asyncio
import logging
from importlib import import_module
from typing import Any, Final, Protocol

from django.conf import settings
from django.contrib.auth import get_user
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest

from portal.database import in_database
from portal.models import Person

logger = logging.getLogger(__name__)
PER_PERSON: Final = 50
EVERY: Final = 1.0  # seconds between two looks at the sessions: a socket ends at most two after its session


class OpenSocket(Protocol):
    """What is known of an open socket, and how it is ended."""

    person_id: int
    session_key: str

    async def hang_up(self) -> None: ...


def person_of_session(session_key: str) -> Person | None:
    """Whose session it is: None when it has ended, the password has changed or the account is disabled."""
    store: Any = import_module(settings.SESSION_ENGINE)
    request = HttpRequest()
    request.session = store.SessionStore(session_key)
    user = get_user(request)
    return user if isinstance(user, Person) and user.is_active else None


class OpenSockets:
    """Counts sockets and ends those whose person has signed out, in one look for all of them."""

    def __init__(self, per_person: int = PER_PERSON, every: float = EVERY) -> None:
        self._per_person = per_person
        self._every = every
        self._open: set[OpenSocket] = set()
        self._watch: asyncio.Task[None] | None = None

    def add(self, opened: OpenSocket) -> bool:
        """Take a socket in; False when its person has enough of them."""
        if sum(known.person_id == opened.person_id for known in self._open) >= self._per_person:
            return False
        self._open.add(opened)
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._look_after())
        return True

    def discard(self, closed: OpenSocket) -> None:
        self._open.discard(closed)

    async def _look_after(self) -> None:
        while self._open:
            await asyncio.sleep(self._every)
            try:
                await self._look()
            except (DatabaseError, InterfaceError) as error:
                logger.warning("sessions of open sockets could not be checked: %s", error)

    async def _look(self) -> None:
        sockets = list(self._open)
        pairs = {(socket.session_key, socket.person_id) for socket in sockets}
        ended = await in_database(_ended, pairs)
        for socket in sockets:
            if (socket.session_key, socket.person_id) in ended:
                await socket.hang_up()


def _ended(pairs: set[tuple[str, int]]) -> set[tuple[str, int]]:
    """Sessions that no longer belong to their person."""
    ended = set()
    for key, person_id in pairs:
        person = person_of_session(key)
        if person is None or person.pk != person_id:
            ended.add((key, person_id))
    return ended


OPEN: Final = OpenSockets()
