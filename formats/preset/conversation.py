"""The history of a story as messages: from a list, or from text with a heading for each turn (PRE-15)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from formats.errors import DomainError
from formats.messages import gettext_noop
from formats.preset.message import Message, Origin, Part

History = str | Sequence[Mapping[str, Any]]

HEADING: Final = re.compile(r"^##[ \t]*(用户|助手|user|assistant)[ \t]*\r?$\n?", re.IGNORECASE | re.MULTILINE)
SPEAKERS: Final = {"用户": "user", "助手": "assistant"}
HISTORY_ROLES: Final = frozenset({"system", "user", "assistant", "tool"})
KEPT: Final = ("tool_calls", "tool_call_id")
"""What a turn may have besides role and content; anything else is the store's, and not sent."""


def history_messages(history: History) -> list[Message]:
    """One message a turn, in their order; a turn with neither text nor tool calls is none.

    Raises:
        DomainError: a turn of an unknown role.
    """
    turns = turns_of(history) if isinstance(history, str) else history
    messages = [_message(index, turn) for index, turn in enumerate(turns)]
    return [message for message in messages if not message.is_empty]


def turns_of(text: str) -> list[dict[str, str]]:
    """The turns of a stored conversation; what stands before the first heading is the assistant's."""
    pieces = HEADING.split(text)
    turns = [{"role": "assistant", "content": pieces[0]}]
    for speaker, content in zip(pieces[1::2], pieces[2::2], strict=True):
        turns.append({"role": SPEAKERS.get(speaker, speaker.lower()), "content": content})
    stripped = [{**turn, "content": turn["content"].strip()} for turn in turns]
    return [turn for turn in stripped if turn["content"]]


def last_user_text(messages: Sequence[Message]) -> str:
    """The text of the user's last turn; empty where there is none."""
    return next((message.text for message in reversed(messages) if message.role == "user"), "")


def _message(index: int, turn: Mapping[str, Any]) -> Message:
    role = turn.get("role")
    if role not in HISTORY_ROLES:
        raise DomainError(
            "invalid",
            "history.role",
            f"history[{index}].role",
            gettext_noop(
                "A turn of the history is by {role}; turns are by the user, the assistant or a tool."
            ),
            args={"role": str(role)},
        )
    extra = {name: turn[name] for name in KEPT if turn.get(name) is not None}
    content = turn.get("content")
    if not isinstance(content, str) and (content is not None or extra):
        extra["content"] = content  # none beside a call; pictures and text in pieces: sent as they are
    text = content if isinstance(content, str) else ""
    return Message(role, (Part(text, Origin("history", number=index)),), "history", extra)
