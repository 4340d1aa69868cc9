"""Squash: messages merged and folded for endpoints that take no system message or no two of one role.

Five levels (PRE-7). What never happens at any of them: a text is lost, a tool group is merged or moved, a
turn of the history is changed by more than being merged with a neighbour of its own role.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, NamedTuple

from formats.preset.message import Message, Origin, Part, Zone, merged
from formats.preset.model import SQUASHES, Squash

OPENING: Final = "[Start]"
"""The short user message that `strict` puts before a first message that is not the user's (D23)."""
ORDINARY: Final = ("user", "assistant")


@dataclass(frozen=True, slots=True)
class Shaped:
    """The messages; `level` is the one that was applied, `opened` whether `OPENING` was put first."""

    messages: list[Message]
    level: Squash
    opened: bool = False


class Zones(NamedTuple):
    """The three parts of a request. Without a history all of it is `before`."""

    before: list[Message]
    history: list[Message]
    after: list[Message]


def squash(
    messages: Sequence[Mapping[str, Any]], mode: Squash, *, history: tuple[int, int] = (0, 0)
) -> list[dict[str, Any]]:
    """Messages as an endpoint takes them, shaped; `history` says which are the history (first, end).

    Raises:
        ValueError: no such level.
    """
    if mode not in SQUASHES:
        raise ValueError(f"{mode} is no level of squash")
    read = [_read(index, message, history) for index, message in enumerate(messages)]
    return [message.to_json() for message in shape(read, mode).messages]


def shape(messages: Sequence[Message], mode: Squash) -> Shaped:
    """Apply a level. A request with a tool group is shaped by `merge` at most."""
    level = level_for(messages, mode)
    if level == "none":
        return Shaped(list(messages), level)
    if level == "merge":
        return Shaped(merge_neighbours(messages), level)
    zones = zones_of(messages)
    if level == "single-user-turn":
        return Shaped([*_one_user(zones.before), *zones.history, *_one_user(zones.after)], level)
    folded = merge_neighbours([*fold_systems(zones.before), *zones.history, *fold_systems(zones.after)])
    if level == "strict" and folded and folded[0].role != "user":
        opening = Message("user", (Part(OPENING, Origin("opening")),), folded[0].zone)
        return Shaped([opening, *folded], level, opened=True)
    return Shaped(folded, level)


def level_for(messages: Sequence[Message], mode: Squash) -> Squash:
    """The level that can be applied to these messages."""
    if mode not in ("none", "merge") and any(message.is_of_tools for message in messages):
        return "merge"
    return mode


def zones_of(messages: Sequence[Message]) -> Zones:
    """What is before, in and after the history."""
    in_history = [index for index, message in enumerate(messages) if message.zone == "history"]
    if not in_history:
        return Zones(list(messages), [], [])
    first, end = in_history[0], in_history[-1] + 1
    return Zones(list(messages[:first]), list(messages[first:end]), list(messages[end:]))


def merge_neighbours(messages: Sequence[Message]) -> list[Message]:
    """Neighbours of one role as one message."""
    runs = groupby(
        enumerate(messages), key=lambda pair: (pair[1].role, pair[0] if pair[1].is_fixed else None)
    )
    return [_as_one([message for _, message in run]) for _, run in runs]


def fold_systems(zone: Sequence[Message]) -> list[Message]:
    """Each run of system messages inside the ordinary message that follows it, else in the one before it.

    Where there is neither, the run becomes a user message. The order of the texts stays.
    """
    runs = groupby(zone, key=lambda message: message.role == "system" and not message.is_fixed)
    result: list[Message] = []
    waiting: list[Message] = []
    for is_system, run in runs:
        if is_system:
            waiting = list(run)
            continue
        following = list(run)
        if waiting and _takes_text(following[0]):
            following[0] = merged([*waiting, following[0]], following[0].role)
            waiting = []
        result += [*_settled(result, waiting), *following]
        waiting = []
    return result + _settled(result, waiting)


def _settled(result: list[Message], waiting: list[Message]) -> list[Message]:
    """A run that nothing follows goes into the last message of the result, or stands as the user's."""
    if waiting and result and _takes_text(result[-1]):
        result[-1] = merged([result[-1], *waiting])
        return []
    return [merged(waiting, "user")] if waiting else []


def _takes_text(message: Message) -> bool:
    return message.role in ORDINARY and not message.is_fixed


def _one_user(zone: Sequence[Message]) -> list[Message]:
    runs = groupby(enumerate(zone), key=lambda pair: pair[0] if pair[1].is_fixed else None)
    return [
        run[0] if run[0].is_fixed else merged(run, "user")
        for run in ([message for _, message in pairs] for _, pairs in runs)
    ]


def _as_one(run: list[Message]) -> Message:
    return run[0] if len(run) == 1 else merged(run)


def _read(index: int, message: Mapping[str, Any], history: tuple[int, int]) -> Message:
    extra = {name: value for name, value in message.items() if name not in ("role", "content")}
    content = message.get("content")
    if not isinstance(content, str):
        extra["content"] = content
        content = ""
    zone: Zone = "history" if history[0] <= index < history[1] else "before"
    return Message(
        str(message.get("role", "")), (Part(content, Origin("message", number=index)),), zone, extra
    )
