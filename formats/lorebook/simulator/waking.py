"""What wakes an entry that no gate keeps out: a line in its text, being constant or sticky, or its keys.

A pattern that was not run leaves its key open. The keys decide all the same where both answers would give the
same; where they would not, the entry stays out and the verdict says which pattern was not run.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from formats.lorebook.model import Logic
from formats.lorebook.simulator.parts import Hit, Scope
from formats.lorebook.simulator.reading import NotRun, Reading, Shelf
from formats.lorebook.simulator.reasons import Reason, listed, quote, reason_of_hit
from formats.lorebook.simulator.rules import Rule


@dataclass(frozen=True, slots=True)
class Wake:
    """How an entry was woken. `score`: how many keys it matches, for groups that choose by it."""

    reason: Reason
    hits: tuple[Hit, ...] = ()
    score: int = 0


@dataclass(frozen=True, slots=True)
class Asleep:
    """Why an entry was not woken, and the keys that were found all the same."""

    reason: Reason
    hits: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """Some keys, looked for: the hits, the keys that are not there, and those nobody knows of."""

    hits: tuple[Hit, ...]
    missing: tuple[str, ...]
    open: tuple[NotRun, ...]


def needs_keys(rule: Rule, *, is_sticky: bool) -> bool:
    """Whether anything hangs on the keys of a rule: its waking, or its score in a group."""
    if rule.entry.group.name:
        return True
    return not (rule.calls or rule.silent or rule.entry.constant or is_sticky)


class Waker:
    """Asks the reading for the keys of one rule in one scope."""

    def __init__(self, reading: Reading, shelf: Shelf, rule: Rule, scope: Scope, step: int) -> None:
        self._reading = reading
        self._shelf = shelf
        self._rule = rule
        self._scope = scope
        self._step = step

    def wake(self, *, sticky: Reason | None) -> Wake | Asleep:
        """Whether the rule wakes. `sticky`: why it is still active, if it is."""
        rule = self._rule
        if rule.calls:
            return self._without_keys(Reason("called"))
        if rule.silent:
            return Asleep(Reason("silent"))
        if rule.entry.constant:
            return self._without_keys(Reason("constant"))
        return self._without_keys(sticky) if sticky else self._by_keys()

    def _without_keys(self, reason: Reason) -> Wake:
        """Awake whatever its keys say; they are looked for only where a group may count them."""
        if not needs_keys(self._rule, is_sticky=True):
            return Wake(reason)
        primary, secondary = self._find(self._rule.keys), self._find(self._rule.secondary, secondary=True)
        return Wake(reason, (*primary.hits, *secondary.hits), self._score(primary, secondary))

    def _by_keys(self) -> Wake | Asleep:
        rule = self._rule
        if not rule.keys:
            return Asleep(Reason("no-keys"))
        if not self._scope.depth:
            return Asleep(Reason("depth-zero"))
        primary = self._find(rule.keys)
        if not primary.hits:
            missing = "vector" if rule.entry.vectorized else "key"
            return Asleep(_not_run(primary.open) if primary.open else Reason(missing))
        return self._kept_out(primary) or self._with_second_keys(primary)

    def _kept_out(self, primary: Found) -> Asleep | None:
        """The keys of decorators: of each list that is also needed one, of those that exclude none."""
        for keys in self._rule.also:
            found = self._find(keys, secondary=True)
            if not found.hits:
                args = {"key": quote(primary.hits[0].key), "missing": listed(keys)}
                return Asleep(
                    _not_run(found.open) if found.open else Reason("additional", args), primary.hits
                )
        never = self._find(self._rule.never, secondary=True)
        if never.hits:
            args = {"key": quote(primary.hits[0].key), "found": quote(never.hits[0].key)}
            return Asleep(Reason("excluded", args), (*primary.hits, *never.hits))
        return Asleep(_not_run(never.open), primary.hits) if never.open else None

    def _with_second_keys(self, primary: Found) -> Wake | Asleep:
        secondary = self._find(self._rule.secondary, secondary=True)
        hits = (*primary.hits, *secondary.hits)
        total, matched = len(self._rule.secondary), len(secondary.hits)
        if total:
            logic = self._rule.entry.selective_logic
            without = is_enough(logic, matched, total)
            if without != is_enough(logic, matched + len(secondary.open), total):
                return Asleep(_not_run(secondary.open), hits)
            if not without:
                return Asleep(_second_refusal(logic, primary, secondary), hits)
        return Wake(reason_of_hit(primary.hits[0]), hits, self._score(primary, secondary))

    def _find(self, keys: Iterable[str], *, secondary: bool = False) -> Found:
        hits: list[Hit] = []
        missing: list[str] = []
        unknown: list[NotRun] = []
        for key in keys:
            found = self._reading.find(
                self._shelf, self._rule, key, self._scope, step=self._step, secondary=secondary
            )
            if found is None:
                missing.append(key)
            elif isinstance(found, NotRun):
                unknown.append(found)
            else:
                hits.append(found)
        return Found(tuple(hits), tuple(missing), tuple(unknown))

    def _score(self, primary: Found, secondary: Found) -> int:
        """Only the logics that ask for second keys count them; the one that asks for all, all or none."""
        logic, score = self._rule.entry.selective_logic, len(primary.hits)
        counts = logic == "and_any" or (logic == "and_all" and not secondary.missing and not secondary.open)
        return score + len(secondary.hits) if counts and self._rule.keys else score


def is_enough(logic: Logic, matched: int, total: int) -> bool:
    """The four logics of second keys, of which there is at least one."""
    if logic == "and_any":
        return matched > 0
    if logic == "not_all":
        return matched < total
    return matched == 0 if logic == "not_any" else matched == total


def _second_refusal(logic: Logic, primary: Found, secondary: Found) -> Reason:
    key = quote(primary.hits[0].key)
    if logic in ("and_any", "and_all"):
        code = "second-any" if logic == "and_any" else "second-all"
        return Reason(code, {"key": key, "missing": listed(secondary.missing)})
    if logic == "not_any":
        return Reason("second-not-any", {"key": key, "found": quote(secondary.hits[0].key)})
    return Reason("second-not-all", {"key": key})


def _not_run(patterns: tuple[NotRun, ...]) -> Reason:
    return Reason(f"not-run-{patterns[0].reason}", {"key": quote(patterns[0].key)})
