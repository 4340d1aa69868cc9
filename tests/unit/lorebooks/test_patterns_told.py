"""Which keys of a book are patterns that cannot be run."""

from __future__ import annotations

from collections.abc import Sequence

from formats.lorebook.patterns import Pattern, PatternOutcome
from formats.lorebook.reader import parse_sillytavern
from lorebooks.patterns_told import told_patterns
from tests.support.lorebooks import st_entry


def engine(patterns: Sequence[Pattern], texts: Sequence[str]) -> list[PatternOutcome]:
    kinds = {"(": "not-compiling", "slow": "not-run"}
    return [PatternOutcome(kinds.get(pattern.source, "ran")) for pattern in patterns]  # type: ignore[arg-type]


def test_patterns_are_counted_and_the_broken_ones_named_with_their_entry() -> None:
    entries = {
        "0": st_entry(0, ["/(/", "fog", "/home/user"], "x", comment="Fog"),
        "1": st_entry(1, ["/slow/i", "/(/"], "x", keysecondary=["/fine/"]),
    }
    told = told_patterns(parse_sillytavern({"entries": entries}, name="b"), engine)
    assert (told.total, told.tried, told.unknown) == (4, 3, 1)
    assert told.broken == [("/(/", "Fog")]


def test_a_book_without_patterns_asks_no_engine() -> None:
    def never(patterns: Sequence[Pattern], texts: Sequence[str]) -> list[PatternOutcome]:
        raise AssertionError("nothing to try")

    told = told_patterns(parse_sillytavern({"entries": {"0": st_entry(0, ["fog"], "x")}}, name="b"), never)
    assert (told.total, told.broken) == (0, [])
