"""Prompts that go into the history, counted from its end (PRE-5)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from formats.preset.message import Message
from formats.preset.model import Injection


class Placed(NamedTuple):
    """A message that leaves the line, and where it wants to stand. Lists are in the order collected."""

    message: Message
    injection: Injection


def with_insertions(history: Sequence[Message], placed: Sequence[Placed]) -> list[Message]:
    """The history with the messages in it: depth N stands before the Nth from the end, 0 after the last.

    A depth beyond the history is before its oldest message, the deeper ones first. At one depth a larger
    order is later, and equal ones keep the order in which they were collected. The answers of a tool stay
    with the call: what would stand between them stands before the call.
    """
    at: defaultdict[int, list[Message]] = defaultdict(list)
    for one in sorted(placed, key=lambda one: (-one.injection.depth_used, one.injection.order_used)):
        at[_place(history, one.injection.depth_used)].append(one.message._replace(zone="history"))
    result: list[Message] = []
    for place in range(len(history) + 1):
        result += at.get(place, ())
        result += history[place : place + 1]
    return result


def _place(history: Sequence[Message], depth: int) -> int:
    place = max(0, len(history) - depth)
    while 0 < place < len(history) and history[place].role == "tool":
        place -= 1
    return place
