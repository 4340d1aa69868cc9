"""The bell's socket, `/bell/`: a page says what it watches and is told when to look again.

In: `{"watch": ["job:…", "item:…"]}`, `{"unwatch": […]}`. Out: `{"ring": "job:…"}`, nothing else. A group that
begins to be watched rings once at once, since it may have changed while the page was on its way.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections.abc import Collection, Mapping
from typing import Any, Final

from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import DatabaseError, InterfaceError

from formats.stable_json import read_json
from portal import bell
from portal.database import in_database
from portal.models import Person
from portal.open_sockets import OPEN, person_of_session

logger = logging.getLogger(__name__)
GROUP: Final = re.compile(r"[a-z]{1,16}:[^\s\x00-\x1f]{1,200}")
FRAME_LIMIT: Final = 32_768  # characters; the server itself refuses frames over 1 MB
GROUP_LIMIT: Final = 100
BAD_FRAMES: Final = 10
FRAMES_IN_WINDOW: Final = 400
WINDOW: Final = 10.0  # seconds
GATHER: Final = 0.1  # seconds in which rings of one page are gathered
SIGNED_OUT, TOO_MANY, BAD, TOO_BIG = 4401, 1013, 1008, 1009


class Bell(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels has no types
    """One open page."""

    person_id: int
    session_key: str

    async def connect(self) -> None:
        """Let in people with a session, and ring their own group."""
        self.watched: set[str] = set()
        self.rung_groups: set[str] = set()
        self.ringing: asyncio.Task[None] | None = None
        self.bad = self.frames = 0
        self.window_began = time.monotonic()
        user, session = self.scope["user"], self.scope["session"]
        if not user.is_authenticated or not user.is_active:
            await self.close(SIGNED_OUT)
            return
        self.person_id, self.session_key = user.pk, session.session_key
        if not OPEN.add(self):
            await self.close(TOO_MANY)
            return
        bell.serve_in(asyncio.get_running_loop())
        await self.accept()
        await self.watch([f"person:{self.person_id}"])

    async def disconnect(self, code: int) -> None:
        """Leave every group; whatever rings now rings for nobody."""
        OPEN.discard(self)
        if self.ringing is not None:
            self.ringing.cancel()
        for group in self.watched:
            await self.channel_layer.group_discard(bell.channel_group(group), self.channel_name)
        self.watched.clear()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Take one frame. Bad ones are passed over, a page that sends nothing else is ended."""
        if self._too_fast():
            await self.close(BAD)
            return
        if len(text_data or bytes_data or "") > FRAME_LIMIT:
            await self.close(TOO_BIG)
            return
        asked = read_frame(text_data)
        if asked is None:
            self.bad += 1
            if self.bad >= BAD_FRAMES:
                await self.close(BAD)
            return
        await self.watch(asked.get("watch", ()))
        await self.unwatch(asked.get("unwatch", ()))

    async def watch(self, groups: Collection[str]) -> None:
        """Join the groups this person may hear, and ring them once."""
        room = GROUP_LIMIT - len(self.watched)
        asked = [group for group in dict.fromkeys(groups) if group not in self.watched][:room]
        if not asked:
            return  # pages say what they watch after every refresh
        heard = await in_database(heard_by, self.session_key, self.person_id, asked)
        if heard is None:
            await self.hang_up()
            return
        for group in heard:
            self.watched.add(group)
            await self.channel_layer.group_add(bell.channel_group(group), self.channel_name)
            await self.tell(group)

    async def unwatch(self, groups: Collection[str]) -> None:
        for group in self.watched.intersection(groups):
            self.watched.discard(group)
            await self.channel_layer.group_discard(bell.channel_group(group), self.channel_name)

    async def rung(self, message: Mapping[str, Any]) -> None:
        """A ring from the channel layer. Several within a moment become one look at the rights."""
        self.rung_groups.add(message["group"])
        if self.ringing is None or self.ringing.done():
            self.ringing = asyncio.create_task(self._pass_on())

    async def tell(self, group: str) -> None:
        await self.send(text_data=json.dumps({"ring": group}, ensure_ascii=False))

    async def hang_up(self) -> None:
        """End the socket: its session has ended or its account is disabled."""
        OPEN.discard(self)
        await self.close(SIGNED_OUT)

    async def _pass_on(self) -> None:
        await asyncio.sleep(GATHER)
        try:
            while self.rung_groups:
                await self._pass_on_once()
        except OSError:
            return  # the page was left while it was being told; the next one looks for itself
        except (DatabaseError, InterfaceError) as error:
            # The rights are not known, so nothing is told; the page's own polling covers it.
            logger.warning("rings were not passed on: %s", error)

    async def _pass_on_once(self) -> None:
        groups, self.rung_groups = self.rung_groups & self.watched, set()
        heard = await in_database(heard_by, self.session_key, self.person_id, groups)
        if heard is None:
            await self.hang_up()
            return
        for group in heard:
            await self.tell(group)
        await self.unwatch(groups.difference(heard))

    def _too_fast(self) -> bool:
        now = time.monotonic()
        if now - self.window_began > WINDOW:
            self.window_began, self.frames = now, 0
        self.frames += 1
        return self.frames > FRAMES_IN_WINDOW


def read_frame(text: str | None) -> dict[str, list[str]] | None:
    """A frame of ours: lists of well-formed groups under `watch` and `unwatch`; None for anything else."""
    try:
        frame = read_json(text or "")
    except ValueError:
        return None
    if not isinstance(frame, dict) or not frame or not frame.keys() <= {"watch", "unwatch"}:
        return None
    for groups in frame.values():
        if not isinstance(groups, list) or len(groups) > GROUP_LIMIT:
            return None
        if not all(isinstance(group, str) and GROUP.fullmatch(group) for group in groups):
            return None
    return frame


def heard_by(session_key: str, person_id: int, groups: Collection[str]) -> list[str] | None:
    """Those of `groups` this person may hear right now; None when the session is not theirs any more."""
    person: Person | None = person_of_session(session_key)
    if person is None or person.pk != person_id:
        return None
    return [group for group in groups if bell.may_hear(person, group)]
