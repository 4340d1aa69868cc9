"""What a parameter may be: the range it has everywhere, and that of one kind of endpoint."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

from formats.preset.model import NOT_SET

Moved = Literal["lowered", "raised", "rounded"]


class Range(NamedTuple):
    """From `least` to `most`; `whole`: no fraction."""

    least: float
    most: float
    whole: bool = False

    def holds(self, value: float) -> bool:
        """Whether a value is one of it."""
        return self.least <= value <= self.most and (not self.whole or value == int(value))


MOST_TOKENS: Final = 2**31 - 1
"""More than any service takes in a field for a number of tokens."""
RANGES: Final[Mapping[str, Range]] = {
    "temperature": Range(0, 2),
    "top_p": Range(0, 1),
    "top_k": Range(0, MOST_TOKENS, whole=True),
    "min_p": Range(0, 1),
    "frequency_penalty": Range(-2, 2),
    "presence_penalty": Range(-2, 2),
    "repetition_penalty": Range(0, 2),
    "max_context_tokens": Range(1, MOST_TOKENS, whole=True),
    "max_output_tokens": Range(1, MOST_TOKENS, whole=True),
    "seed": Range(-(2**63), 2**63 - 1, whole=True),
    "variants": Range(1, 128, whole=True),
}
"""By our names; what is no number is not here."""
NARROWER: Final[Mapping[str, Mapping[str, Range]]] = {
    "anthropic": {"temperature": Range(0, 1)},
    "google": {"seed": Range(-(2**31), 2**31 - 1, whole=True), "variants": Range(1, 8, whole=True)},
}
"""By the kind of endpoint: where its service takes less."""
NO_AMOUNT: Final = frozenset({"max_output_tokens", "top_k"})
"""Below their range these mean "no limit" to their authors; the least value would be the opposite."""


class Fitted(NamedTuple):
    """A value an endpoint takes, and how it had to be moved; no value: it cannot be sent at all."""

    value: Any
    moved: Moved | None = None


def is_in_range(name: str, value: float) -> bool:
    """Whether a person may give a parameter this value; what means "not set" is one of them."""
    return NOT_SET.get(name) == value or name not in RANGES or RANGES[name].holds(value)


def fitted_to(name: str, value: Any, kind: str) -> Fitted:
    """A value as near to the given one as the endpoint takes."""
    limits = NARROWER.get(kind, {}).get(name) or RANGES.get(name)
    if limits is None:
        return Fitted(value)
    if (isinstance(value, float) and not math.isfinite(value)) or (name in NO_AMOUNT and value < 1):
        return Fitted(None)
    if limits.holds(value):
        return Fitted(int(value) if limits.whole else value)
    moved = min(max(value, limits.least), limits.most)
    if moved == value:
        return Fitted(int(value), "rounded")
    return Fitted(None if NOT_SET.get(name) == moved else moved, "lowered" if moved < value else "raised")
