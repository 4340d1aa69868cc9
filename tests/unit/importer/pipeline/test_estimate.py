"""The estimate before the start, held against what an import really asks for."""

from __future__ import annotations

import asyncio
from decimal import Decimal

import pytest

from formats.card.choice import Language
from importer.pipeline.estimate import estimate
from llm.endpoint import Prices
from tests.support.asking import Readers
from tests.support.invented import KINDS, Kind, Reader
from tests.unit.importer.pipeline.test_invented_cards import context_for, whole

PRICES = Prices(Decimal(1), Decimal(4))


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("size", [5, 60])
@pytest.mark.parametrize("kind", KINDS)
def test_requests_are_told_within_a_factor_of_two(kind: Kind, size: int, language: Language) -> None:
    asking = Readers(Reader(language).readers())
    context = context_for(kind, size, language, asking)
    asyncio.run(whole(context))
    sizes = [piece.size for piece in context.pieces.values()]
    told = estimate(sizes, wide=language == "zh-hans", prices=PRICES, at_once=4)
    assert told.requests / 2 <= len(asking.asked) <= told.requests * 2


def test_money_is_told_only_where_prices_are_known() -> None:
    told = estimate([500] * 10, wide=False, prices=PRICES, at_once=4)
    assert told.money == (told.tokens_in + 4 * told.tokens_out) / Decimal(1_000_000)
    assert estimate([500], wide=False, prices=Prices(Decimal(1)), at_once=4).money is None


def test_more_at_once_is_quicker_and_a_wide_script_costs_more() -> None:
    slow = estimate([3000] * 100, wide=False, prices=PRICES, at_once=1)
    quick = estimate([3000] * 100, wide=False, prices=PRICES, at_once=10)
    wide = estimate([3000] * 100, wide=True, prices=PRICES, at_once=1)
    assert quick.minutes < slow.minutes
    assert wide.tokens_in > slow.tokens_in
    assert estimate([], wide=False, prices=PRICES, at_once=4).requests > 0
