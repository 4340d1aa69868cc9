"""Writing and reading the rows of a conversation (D46). A turn begins with what a person said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from formats.errors import DomainError
from formats.messages import gettext_noop
from portal import bell
from portal.access import nothing_here
from portal.models import Person
from worlds.models import Conversation, ConversationRow, World
from worlds.store.paths import new_token

Who = ConversationRow.Who
MOST_CALLS: Mapping[str, int] = {"import_build": 2}
"""How often a tool may be called in one turn (RUN-7)."""


def conversations_of(world: World) -> QuerySet[Conversation]:
    """The conversations about a world, newest first."""
    return Conversation.objects.filter(world=world.pk)


def conversation_of(world: World, conversation_id: str) -> Conversation:
    """One conversation about a world that the reader may see.

    Raises:
        DomainError: `not-found`.
    """
    found = conversations_of(world).filter(pk=conversation_id).first()
    if found is None:
        raise nothing_here()
    return found


def say(*, actor: Person, world: World, text: str, title: str) -> Conversation:
    """Begin a turn with what a person says, in the world's newest conversation or a new one.

    A turn that is still open goes on instead: nothing is said twice.
    """
    with transaction.atomic():
        held = Conversation.objects.select_for_update().filter(world=world.pk).first()
        if held is None:
            held = Conversation.objects.create(
                id=new_token(), world=world.pk, owner=actor, title=title[:300], created_at=timezone.now()
            )
        if not held.turn_open:
            Conversation.objects.filter(pk=held.pk).update(turn_open=True)
            _add(held, Who.PERSON, turn=_turn(held) + 1, text=text)
    held.refresh_from_db()
    return held


def begin_call(conversation: Conversation, tool: str) -> None:
    """Store that a tool is called; a call that was interrupted goes on.

    Raises:
        DomainError: `conflict`, it may not be called again in this turn (RUN-7).
    """
    with transaction.atomic():
        turn = _turn(conversation)
        calls = conversation.rows.filter(turn=turn, tool=tool)
        if calls.filter(result__isnull=True).exists():
            return
        if calls.count() >= MOST_CALLS.get(tool, 1_000):
            raise DomainError(
                "conflict",
                "too-many-calls",
                tool,
                gettext_noop("{tool} was called as often as it may be in one turn. Nothing was changed."),
                gettext_noop("Go on with the import to begin another turn."),
                {"tool": tool},
            )
        _add(conversation, Who.TOOL, turn=turn, tool=tool)
    bell.ring(f"item:{conversation.world}")


def end_call(conversation: Conversation, tool: str, result: Mapping[str, Any]) -> None:
    """Store what the open call of a tool gave."""
    open_calls = conversation.rows.filter(turn=_turn(conversation), tool=tool, result__isnull=True)
    open_calls.update(result=dict(result))
    bell.ring(f"item:{conversation.world}")


def end_turn(conversation: Conversation, text: str, args: Mapping[str, Any] | None = None) -> None:
    """Close the turn with the assistant's words: a marked template and its values."""
    with transaction.atomic():
        if Conversation.objects.filter(pk=conversation.pk, turn_open=True).update(turn_open=False):
            _add(conversation, Who.ASSISTANT, turn=_turn(conversation), text=text, args=dict(args or {}))
    bell.ring(f"item:{conversation.world}")


def person_said(conversation: Conversation) -> str:
    """What the person said that began the newest turn."""
    row = conversation.rows.filter(who=Who.PERSON).last()
    return row.text if row else ""


def _turn(conversation: Conversation) -> int:
    last = conversation.rows.last()
    return last.turn if last else 0


def _add(conversation: Conversation, who: str, **fields: Any) -> None:
    last = conversation.rows.last()
    number = last.number + 1 if last else 1
    conversation.rows.create(number=number, who=who, at=timezone.now(), **fields)
