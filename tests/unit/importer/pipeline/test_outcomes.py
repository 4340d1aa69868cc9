"""One outcome for each piece, never two."""

from __future__ import annotations

import pytest

from formats.card import pieces_of
from importer.pipeline.outcomes import Ledger
from tests.support.cards import v3
from tests.support.imports import read


@pytest.mark.req("OUT-1")
def test_a_piece_waits_until_it_is_settled_and_is_settled_once() -> None:
    pieces = pieces_of(read(v3()))
    ledger = Ledger(pieces)
    assert {piece.outcome for piece in ledger.account().pieces} == {"awaiting"}
    ledger.settle(pieces[:1], "carried", ["world.json"])
    with pytest.raises(ValueError, match="already carried"):
        ledger.settle(pieces[:2], "read")
    assert ledger.settled(pieces[0])
    assert not ledger.settled(pieces[1])
    totals = ledger.account().totals()
    assert totals["carried"] == 1
    assert sum(totals.values()) == len(pieces)
