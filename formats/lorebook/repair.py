"""`repair_book`: the leniencies for lorebooks in one step (D6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from formats.finding import Finding


@dataclass(frozen=True, slots=True)
class RepairedBook:
    """A book as every other part of the program expects it.

    `value`: V3 character-book form, None where there is no book. `foreign`: the name of the shape it came in,
    when that was another one.
    """

    value: dict[str, Any] | None
    findings: list[Finding] = field(default_factory=list)
    foreign: str | None = None


def repair_book(value: Any, where: str) -> RepairedBook:
    """Turn any known book value into V3 character-book form."""
    raise NotImplementedError
