"""Texts of a model without an end: how much of one is kept, and how much of that a page shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MOST_KEPT: Final = 1_000_000
"""Characters of an answer that are kept; no model means to say as much."""
HEAD: Final = 20_000
TAIL: Final = 2_000


@dataclass(frozen=True, slots=True)
class Shown:
    """How a text begins and ends; `left` characters between are not shown, `is_cut`: not all was kept."""

    head: str
    tail: str = ""
    left: int = 0
    is_cut: bool = False


def shown(text: str) -> Shown:
    """What a page shows of a kept text."""
    left = len(text) - HEAD - TAIL
    if left <= 0:
        return Shown(text)
    return Shown(text[:HEAD], text[-TAIL:], left, len(text) >= MOST_KEPT)
