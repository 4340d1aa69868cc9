"""Whether one entry asks to be in, by its keys alone.

The order of the questions: disabled; constant; vectorised (in only by a vector match that the caller states,
whatever its keys say); a primary key; the secondary keys, where the entry is selective and has any. The score
is the number of primary keys that hit, and the secondary ones too where "any" or "all" of them were asked for
and given; an entry that is in without a key scores 1. A pattern that was not run is no hit and no miss: an
entry whose answer hangs on it is out, with a reason of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from formats.lorebook.key_match import KeyMatch, TextReading
from formats.lorebook.model import Entry, Logic

PRIMARY_NOT_RUN = "primary-pattern-not-run"
SECONDARY_NOT_RUN = "secondary-pattern-not-run"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The verdict on one entry, with every key that was asked: which of them hit, and where."""

    entry: Entry
    eligible: bool
    reason: str
    score: int = 0
    primary: tuple[KeyMatch, ...] = ()
    secondary: tuple[KeyMatch, ...] = ()

    @property
    def primary_matches(self) -> list[str]:
        """The primary keys that hit, as written and in their order."""
        return [match.key for match in self.primary if match.matched]

    @property
    def secondary_matches(self) -> list[str]:
        """The secondary keys that hit, whether or not they were asked for."""
        return [match.key for match in self.secondary if match.matched]

    @property
    def not_run(self) -> list[KeyMatch]:
        """The patterns among the keys that nobody ran, with the reason."""
        return [match for match in (*self.primary, *self.secondary) if match.error]

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return {"eligible": self.eligible, "reason": self.reason, **self.matches_json()}

    def matches_json(self) -> dict[str, Any]:
        """Score and keys; patterns that were not run are named only where there are some."""
        stated: dict[str, Any] = {
            "score": self.score,
            "primaryMatches": self.primary_matches,
            "secondaryMatches": self.secondary_matches,
        }
        if self.not_run:
            stated["notRun"] = [{"key": match.key, "reason": match.error} for match in self.not_run]
        return stated


def evaluate(
    entry: Entry, reading: TextReading, *, case_sensitive: bool, whole_words: bool, vector_matched: bool
) -> Evaluation:
    """The verdict on an entry; the settings are for entries that say nothing themselves."""
    if not entry.enabled:
        return Evaluation(entry, False, "disabled")
    case = case_sensitive if entry.case_sensitive is None else entry.case_sensitive
    whole = whole_words if entry.match_whole_words is None else entry.match_whole_words

    def ask(keys: Sequence[str]) -> tuple[KeyMatch, ...]:
        return tuple(reading.match(key, case_sensitive=case, whole_words=whole) for key in keys)

    primary, secondary = ask(entry.keys), ask(entry.secondary_keys)
    eligible, reason, score = _verdict(entry, primary, secondary, vector_matched)
    return Evaluation(entry, eligible, reason, score, primary, secondary)


def _verdict(
    entry: Entry, primary: Sequence[KeyMatch], secondary: Sequence[KeyMatch], vector_matched: bool
) -> tuple[bool, str, int]:
    hits = sum(match.matched for match in primary)
    if entry.constant:
        return True, "constant", max(1, hits)
    if entry.vectorized and vector_matched:
        return True, "vector-match", max(1, hits)
    if entry.vectorized:
        return False, "external-vector-match-required", 0
    if not hits:
        unsure = any(match.error for match in primary)
        return False, PRIMARY_NOT_RUN if unsure else "primary-key-miss", 0
    if entry.selective and secondary:
        return _secondary_verdict(entry.selective_logic, hits, secondary)
    return True, "primary-key-match", hits


def _secondary_verdict(logic: Logic, hits: int, secondary: Sequence[KeyMatch]) -> tuple[bool, str, int]:
    further = sum(match.matched for match in secondary)
    answer = holds(logic, further, len(secondary), sum(bool(match.error) for match in secondary))
    if answer is None:
        return False, SECONDARY_NOT_RUN, hits
    if not answer:
        return False, f"secondary-{logic}-miss", hits
    return True, f"secondary-{logic}-match", hits + (further if logic in ("and_any", "and_all") else 0)


def holds(logic: Logic, matched: int, total: int, unknown: int = 0) -> bool | None:
    """The truth table of secondary keys; None where the unknown ones would decide.

    At least one; fewer than all; none; all. With `unknown` keys the answer counts only if it is the same
    whether none or all of them hit.
    """
    least, most = _holds(logic, matched, total), _holds(logic, matched + unknown, total)
    return least if least == most else None


def _holds(logic: Logic, matched: int, total: int) -> bool:
    match logic:
        case "and_any":
            return matched >= 1
        case "not_all":
            return matched < total
        case "not_any":
            return matched == 0
        case "and_all":
            return matched == total
