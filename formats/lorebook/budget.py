"""The token budget of the candidates: an entry that would go over it stays out, a smaller one still fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from formats.lorebook.model import Entry, Number

UNITS_A_TOKEN = 4


def default_cost(text: str) -> int:
    """The cost of a text nobody counted: a token for four UTF-16 units or part of them, at least one."""
    units = len(text.encode("utf-16-le", "surrogatepass")) // 2
    return max(1, -(-units // UNITS_A_TOKEN))


@dataclass(frozen=True, slots=True)
class Budget:
    """How much there is and how much is used; no limit is None."""

    limit: Number | None = None
    used: Number = 0

    @property
    def remaining(self) -> Number | None:
        """What is left."""
        return None if self.limit is None else max(0, self.limit - self.used)

    def takes(self, entry: Entry, cost: Number) -> bool:
        """Whether an entry fits; one that ignores the budget always does."""
        return entry.ignore_budget or self.limit is None or self.used + cost <= self.limit

    def less(self, entry: Entry, cost: Number) -> Budget:
        """The budget after an entry; one that ignores it uses nothing."""
        return self if entry.ignore_budget else Budget(self.limit, self.used + cost)

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return {"limit": self.limit, "used": self.used, "remaining": self.remaining}
