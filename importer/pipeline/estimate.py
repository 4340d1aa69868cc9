"""What an import with a model will ask for, before it starts: requests, tokens, money, minutes. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from formats.text.split import PIECE_LIMIT
from importer.pipeline.build.passages import SUBSTANTIAL
from importer.pipeline.build.variables import GROUP
from importer.pipeline.survey.index import INDEX_LIMIT, SHORTEST_LINE
from llm.endpoint import Prices

AROUND = 700
"""Tokens of instructions and examples around one question."""
OUT = 140
"""Tokens of an answer on the average."""
SECONDS = (3, 12)
"""How long one request takes, from a quick hosted model to a slow one."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Numbers to be read as "about": the card decides how many people and places there are, so half as much
    or twice as much is not unusual. `money` is None where a price is not known; `minutes` from and to."""

    requests: int
    tokens_in: int
    tokens_out: int
    money: Decimal | None
    currency: str
    minutes: tuple[int, int]


def estimate(sizes: Sequence[int], *, wide: bool, prices: Prices, at_once: int) -> Estimate:
    """From the sizes in characters of the texts that are passed on, the empty ones left out.

    Every piece is sorted, searched for rules, and written as something; of the rest there is one question
    each. `wide`: the texts are in a script without spaces, of which a character costs more.
    """
    pieces = sum(-(-size // PIECE_LIMIT) for size in sizes)
    searched = sum(-(-size // PIECE_LIMIT) for size in sizes if size >= SUBSTANTIAL)
    text = sum(sizes) * (2 if wide else 1) // (3 if wide else 4)
    requests = pieces + searched + max(1, pieces * 2 // 3) + 1 + sum(sizes) // (6 * GROUP) + 4
    index = min(INDEX_LIMIT, SHORTEST_LINE * 3 * pieces) // 3
    tokens_in, tokens_out = pieces * index + requests * AROUND + 4 * text, requests * OUT
    money = None
    if prices.input is not None and prices.output is not None:
        money = (prices.input * tokens_in + prices.output * tokens_out) / 1_000_000
    quick, slow = (max(1, round(requests * seconds / at_once / 60)) for seconds in SECONDS)
    return Estimate(requests, tokens_in, tokens_out, money, prices.currency, (quick, slow))
