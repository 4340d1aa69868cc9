"""How a scan is set, and what holds where nobody says anything.

Depth and recursion: what an entry says goes first, then what the page says, then the book, then the portal.
The portal's own defaults are SillyTavern's shipped ones (recursion on, whole words, a quarter of the context)
but for the depth: four messages, two turns of a story, instead of two messages.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from formats.lorebook.model import BookSettings, Number
from formats.lorebook.simulator.scene import Scene

DEFAULT_SCAN_DEPTH = 4
DEFAULT_RECURSION = True
DEEPEST_SCAN = 1000


@dataclass(frozen=True, slots=True)
class ScanSettings:
    """The settings of one scan; None in the first three leaves the answer to the books.

    * `budget_tokens`: exactly this many tokens, whatever the context holds and the books say. Without it the
      budget is `budget_percent` of the context, at most `budget_cap` where that is not 0, and each book's own
      budget holds for its entries. Without context and cap there is no limit.
    * `max_steps`: steps in all, the first included (1: no recursion); 0: no limit.
    * `min_activations`: read further back until so many entries are in; `max_depth`: no further (0: all).
    """

    scan_depth: int | None = None
    recursion: bool | None = None
    budget_tokens: int | None = None
    budget_percent: Number = 25
    budget_cap: int = 0
    max_steps: int = 0
    min_activations: int = 0
    max_depth: int = 0
    case_sensitive: bool = False
    whole_words: bool = True
    group_scoring: bool = False
    include_names: bool = True

    def depth_of(self, book: BookSettings) -> int:
        """How many messages are read for the entries of a book that say nothing themselves."""
        if self.scan_depth is not None:
            return whole_depth(self.scan_depth)
        return DEFAULT_SCAN_DEPTH if book.scan_depth is None else whole_depth(book.scan_depth)

    def recursion_of(self, book: BookSettings) -> bool:
        """Whether entries of the book wake others and are woken by others."""
        if self.recursion is not None:
            return self.recursion
        return DEFAULT_RECURSION if book.recursive_scanning is None else book.recursive_scanning

    def limit(self, scene: Scene) -> int | None:
        """The budget of the whole scan in tokens; None is no limit."""
        if self.budget_tokens is not None:
            return self.budget_tokens
        if scene.context_size is None:
            return self.budget_cap or None
        share = math.floor(self.budget_percent * scene.context_size / 100 + 0.5) or 1
        return min(share, self.budget_cap) if self.budget_cap else share

    def book_limit(self, book: BookSettings) -> Number | None:
        """The budget a book sets for itself."""
        return book.token_budget if self.budget_tokens is None else None


def whole_depth(depth: Number) -> int:
    """A depth as a number of messages: none below 0, and never more than anybody reads."""
    return int(min(max(depth, 0), DEEPEST_SCAN))
