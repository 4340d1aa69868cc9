"""`Reading`: all that one scan reads, and the one question asked of it: is this key there for this entry?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from formats.lorebook.patterns import PatternRunner
from formats.lorebook.simulator.keybank import BankReading, KeyBank, Variant, variant_of
from formats.lorebook.simulator.parts import Hit, Part, Scope, message_parts, source_parts
from formats.lorebook.simulator.pattern_reading import JoinedText, PatternReading, join
from formats.lorebook.simulator.rules import Plan, Rule, plan_of
from formats.lorebook.simulator.scene import SOURCE_NAMES, Book, Scene
from formats.lorebook.simulator.settings import ScanSettings

MOST_LOOKS = 2_000_000
"""Keys looked for or found in one scan, before nothing more is read. A real book of ten thousand entries
needs some ten thousand; one made so that each step looks through all its keys again would take hours."""


@dataclass(frozen=True, slots=True)
class NotRun:
    """A pattern whose answer nobody has, and why."""

    key: str
    reason: str


class Shelf:
    """One book of the scan: its plan, what the scan found of its keys, and what holds for all its entries."""

    def __init__(self, number: int, book: Book, scene: Scene, settings: ScanSettings) -> None:
        self.number = number
        self.book = book
        self.plan: Plan = plan_of(book.model)
        self.depth = settings.depth_of(book.model.settings)
        self.recursion = settings.recursion_of(book.model.settings)
        self.default: Variant = (settings.case_sensitive, settings.whole_words)
        self._filled: dict[int, Rule] = {}
        self._banks = [BankReading(self.plan.bank, self.default)]
        if scene.expand and self.plan.with_macros:
            filled = [rule.with_macros(scene) for rule in self.plan.with_macros]
            self._filled = {rule.number: rule for rule in filled}
            bank = KeyBank((rule.number, rule.all_keys, rule.entry) for rule in filled)
            self._banks.append(BankReading(bank, self.default))
        self.always = self.plan.always.union(*(one.bank.with_patterns for one in self._banks))

    def rule(self, number: int) -> Rule:
        """The rule as this scan reads it, the macros of its keys filled."""
        return self._filled.get(number) or self.plan.rules[number]

    def bank_of(self, rule: Rule) -> BankReading:
        """Where the rule's keys are."""
        return self._banks[-1 if rule.number in self._filled else 0]

    def read(self, part: Part) -> set[int]:
        """Read a part; the rules for which it holds something new."""
        return set().union(*(bank.read(part) for bank in self._banks))

    @property
    def looks(self) -> int:
        """The work that was done in reading."""
        return sum(bank.looks for bank in self._banks)


class Reading:
    """The parts read so far. `touched`: per book, the rules with something new since they were last taken."""

    def __init__(
        self, books: Sequence[Book], scene: Scene, settings: ScanSettings, runner: PatternRunner | None
    ) -> None:
        once: dict[str, Book] = {}
        for book in books:
            once.setdefault(book.id, book)
        self.shelves = [Shelf(number, book, scene, settings) for number, book in enumerate(once.values())]
        self._looks = 0
        self._waiting = message_parts(scene, with_names=settings.include_names)
        self._messages: list[Part] = []
        self._sources = source_parts(scene)
        self.entries: list[Part] = []
        self._patterns = PatternReading(runner)
        self._touched: list[set[int]] = [set() for _ in self.shelves]
        self._own_depth = max((shelf.plan.deepest for shelf in self.shelves), default=0)
        for part in self._sources:
            self._read(part)

    def _read(self, part: Part) -> None:
        for shelf, touched in zip(self.shelves, self._touched, strict=True):
            if part.kind != "entry" or shelf.recursion:
                touched |= shelf.read(part)

    def deepen(self, depth: int) -> None:
        """Read messages down to a depth, or to the deepest one that an entry asks for."""
        wanted = max(depth, self._own_depth)
        while self._waiting and len(self._messages) < wanted:
            part = self._waiting.pop(0)
            self._messages.append(part)
            self._read(part)

    def feed(self, part: Part) -> None:
        """Read the text of an entry that has come in."""
        self.entries.append(part)
        self._read(part)

    @property
    def is_exhausted(self) -> bool:
        """Whether the scan has looked for so many keys that it must end."""
        return self._looks + sum(shelf.looks for shelf in self.shelves) > MOST_LOOKS

    def taken(self, shelf: Shelf) -> set[int]:
        """The rules of a book that were touched since this was last asked."""
        touched, self._touched[shelf.number] = self._touched[shelf.number], set()
        return touched

    def ask_patterns(self, asked: Iterable[tuple[Shelf, Rule, Scope]]) -> None:
        """Run the patterns of these rules, those of one text in one request."""
        by_scope: dict[Scope, dict[str, KeyBank]] = {}
        for shelf, rule, scope in asked:
            bank = shelf.bank_of(rule).bank
            if scope.depth and rule.number in bank.with_patterns:
                keys = by_scope.setdefault(scope, {})
                keys.update((key, bank) for key in rule.all_keys if key in bank.patterns)
        for scope, keys in by_scope.items():
            patterns = [bank.patterns[key] for key, bank in keys.items()]
            self._patterns.ask(patterns, scope, self._age(scope), partial(self._text, scope))

    def may_change(self, shelf: Shelf, rule: Rule) -> bool:
        """Whether new text may bring something for a rule that no plain key tells: it has patterns."""
        return not self._patterns.gave_up and rule.number in shelf.bank_of(rule).bank.with_patterns

    def _age(self, scope: Scope) -> int:
        return len(self.entries) if scope.recursion else 0

    def _text(self, scope: Scope) -> JoinedText:
        order = {name: place for place, name in enumerate(SOURCE_NAMES)}
        sources = sorted(self._sources, key=lambda part: order[part.name])
        return join(part for part in (*self._messages, *sources, *self.entries) if scope.has(part))

    def find(
        self, shelf: Shelf, rule: Rule, key: str, scope: Scope, *, step: int, secondary: bool = False
    ) -> Hit | NotRun | None:
        """Where a key of a rule is within a scope."""
        self._looks += 1
        reading = shelf.bank_of(rule)
        pattern = reading.bank.patterns.get(key)
        if pattern is not None and scope.depth:
            outcome = self._patterns.outcome(pattern, scope)
            if outcome.kind == "not-run":
                return NotRun(key, outcome.reason)
            if outcome.kind == "ran":
                span = outcome.spans[0]
                if span is None:
                    return None
                part, start = self._patterns.place(scope, span[0])
                return part.hit(key, start, start + span[1] - span[0], secondary=secondary, step=step)
        spot = reading.find(key, variant_of(rule.entry, shelf.default), scope)
        if spot is None:
            return None
        part, (start, end) = spot
        return part.hit(key, start, end, secondary=secondary, step=step)
