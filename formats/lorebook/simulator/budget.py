"""The budget of a scan: what an entry costs, and the first one that does not fit closes it.

As in SillyTavern an entry must stay below the limit, and smaller entries after the first that does not are
not tried. Each entry that came in costs its own tokens once, and one that ignores the budget costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from formats.lorebook.model import Number
from formats.lorebook.simulator.reasons import Reason


@dataclass(slots=True)
class Purse:
    """One limit; None is none. `code` begins the codes of its refusals."""

    limit: Number | None
    code: str
    used: int = 0
    is_closed: bool = False

    def refusal(self, tokens: int) -> Reason | None:
        """Why an entry of so many tokens does not fit."""
        if self.is_closed:
            return Reason(f"{self.code}-closed", {"limit": self.limit})
        if self.limit is None or self.used + tokens < self.limit:
            return None
        self.is_closed = True
        return Reason(self.code, {"tokens": tokens, "limit": self.limit, "used": self.used})


@dataclass(frozen=True, slots=True)
class BudgetUse:
    """What the scan used of its budget. `free`: tokens of entries that ignore it; `books`: used by each."""

    used: int
    limit: int | None
    free: int
    overflowed: bool
    books: dict[str, int]


class Budget:
    """The limit of the scan and those of its books."""

    def __init__(self, limit: int | None, books: dict[str, Number | None]) -> None:
        self._whole = Purse(limit, "budget")
        self._limit = limit
        self._books = {book: Purse(own, "book-budget") for book, own in books.items()}
        self._free = 0

    @property
    def is_closed(self) -> bool:
        """Whether nothing more is tried."""
        return self._whole.is_closed

    def take(self, book: str, tokens: int, *, ignored: bool) -> Reason | None:
        """Take an entry's tokens, or say why they do not fit."""
        if ignored:
            self._free += tokens
            return None
        own = self._books[book]
        refusal = self._whole.refusal(tokens) or own.refusal(tokens)
        if refusal is None:
            self._whole.used += tokens
            own.used += tokens
        return refusal

    def use(self) -> BudgetUse:
        """What was used."""
        used = {book: purse.used for book, purse in self._books.items()}
        return BudgetUse(self._whole.used, self._limit, self._free, self._whole.is_closed, used)
