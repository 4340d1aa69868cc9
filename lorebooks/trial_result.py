"""What came of a trial as a page shows it: rows with reasons, the order, the steps, the text with its marks.

A book may have ten thousand entries, so every list is bounded, and words are made for rows that are shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from formats.lorebook.simulator import Activation, DepthPlace, PlacedEntry, SceneMessage, Step, Verdict
from formats.lorebook.simulator.reasons import reason_of_hit
from formats.text.names import compared
from lorebooks.entry_form import ROLES
from lorebooks.marked_text import Run, Span, marked
from lorebooks.pipeline.entry_facts import storable
from lorebooks.trial_words import OUTCOMES, depth_words, effect_words, number_words, reason_words, title_of
from lorebooks.trials import TrialRun
from lorebooks.words import POSITIONS

MOST_ROWS: Final = 25
MOST_OUT: Final = 40
MOST_PLACED: Final = 200
MOST_MESSAGES: Final = 20
MOST_BESIDE: Final = 5
"""Always-on entries and cut ones that stand among the others; more of a kind are folded."""

_ALWAYS: Final = frozenset({"constant", "called"})
_AFTER_KEYS: Final = ("group-", "probability")
_NO_KEY: Final = ("key", "vector", "disabled")


@dataclass(frozen=True, slots=True)
class Row:
    """One entry. `key` is the one in its file, `book` the id of a further book or empty."""

    title: str
    key: str
    book: str
    book_name: str
    word: str
    colour: str
    why: SafeString
    more_hits: int
    tokens: int | None
    step: int


@dataclass(frozen=True, slots=True)
class Rows:
    """Some entries, the first of them as rows."""

    shown: list[Row]
    total: int

    @property
    def more(self) -> int:
        """How many are not shown."""
        return self.total - len(self.shown)


@dataclass(frozen=True, slots=True)
class Place:
    """Entries of one place, in their order: title, order, role."""

    label: str
    entries: list[tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class MessageTold:
    """One message with its marks; `read`: it is within the scan depth of the book."""

    number: int
    name: str
    runs: list[Run]
    read: bool


@dataclass(frozen=True)
class TrialResult:
    """Everything of one run. `rows_wanted`: rows of entries that go in, `find`: words to look for outside."""

    run: TrialRun
    rows_wanted: int = MOST_ROWS
    find: str = ""

    @property
    def _activation(self) -> Activation:
        return self.run.activation

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """How many entries are in, cut, out, not run."""
        found = Counter(verdict.outcome for verdict in self._activation.verdicts)
        return {name: found[name] for name in ("in", "cut", "out")} | {"not_run": found["not-run"]}

    @cached_property
    def _in(self) -> tuple[list[Verdict], list[Verdict]]:
        """Those that go in: woken by something, and always on."""
        accepted = self._activation.accepted
        always = [one for one in accepted if one.code in _ALWAYS]
        if len(always) <= MOST_BESIDE:
            return list(accepted), []
        return [one for one in accepted if one.code not in _ALWAYS], always

    @cached_property
    def going_in(self) -> Rows:
        """The entries that go in, as they came in."""
        return self._rows(self._in[0], self.rows_wanted)

    @cached_property
    def always(self) -> Rows:
        """Always-on entries, where there are many."""
        return self._rows(self._in[1], self.rows_wanted)

    @property
    def always_tokens(self) -> int:
        """What they cost together."""
        return sum(one.tokens or 0 for one in self._in[1])

    @cached_property
    def cut(self) -> Rows:
        """Woken, but the budget refused them."""
        return self._rows(self._with("cut"), self.rows_wanted)

    @property
    def is_cut_folded(self) -> bool:
        """Whether they are too many to stand among the others."""
        return self.cut.total > MOST_BESIDE

    @cached_property
    def not_run(self) -> Rows:
        """Those that hang on a pattern without an answer."""
        return self._rows(self._with("not-run"), self.rows_wanted)

    @property
    def slow(self) -> bool:
        """Whether patterns were stopped because of their time."""
        return any("too-slow" in verdict.code for verdict in self._with("not-run"))

    @cached_property
    def out(self) -> Rows:
        """Those that stay out and fit the search, the near misses first."""
        words = compared(self.find).split()[:8]
        found = [one for one in self._with("out") if not words or _fits(one, words)]
        found.sort(key=lambda one: (one.code in _NO_KEY, -one.reason.rank))
        return self._rows(found, MOST_OUT)

    @cached_property
    def near(self) -> int:
        """How many of those outside had a key or another chance, and were refused by something else."""
        return sum(one.code not in _NO_KEY for one in self._with("out"))

    def _with(self, outcome: str) -> list[Verdict]:
        return [verdict for verdict in self._activation.verdicts if verdict.outcome == outcome]

    def _rows(self, verdicts: list[Verdict], most: int) -> Rows:
        return Rows([self._row(one) for one in verdicts[:most]], len(verdicts))

    def _row(self, one: Verdict) -> Row:
        word, colour = OUTCOMES[one.outcome]
        book = self._names.get(one.book, "")
        woken_by_key = one.code.startswith("key-")
        return Row(
            title=title_of(one.entry),
            key=one.entry.source.key,
            book=one.book if book else "",
            book_name=book,
            word=str(word),
            colour=colour,
            why=_why(one),
            more_hits=len(one.hits) - 1 if woken_by_key else 0,
            tokens=one.tokens,
            step=one.step,
        )

    @cached_property
    def _names(self) -> dict[str, str]:
        return {book.pk: book.name for book in self.run.with_books.further}

    @property
    def used(self) -> int:
        """Tokens of everything that goes in."""
        return self._activation.budget.used + self._activation.budget.free

    @property
    def budget(self) -> tuple[int, int, int] | None:
        """Tokens that count, the limit, what is left of it; None without a limit."""
        use = self._activation.budget
        limits = [book.model.settings.token_budget for book in self.run.with_books.books]
        own = limits[0] if len(limits) == 1 and self.run.trial.budget_tokens is None else None
        limit = min((one for one in (use.limit, own) if one is not None), default=None)
        if limit is None:
            return None
        return use.used, int(limit), max(int(limit) - use.used, 0)

    @property
    def placed_total(self) -> int:
        """Entries in the order; those without a text have no place."""
        return sum(len(place.entries) for place in self.places)

    @cached_property
    def places(self) -> list[Place]:
        """What goes where, in the order in which it is sent."""
        placed = self._activation.placed
        found = [
            _place(str(POSITIONS["before_character_definition"]), placed.before_character),
            _place(str(POSITIONS["after_character_definition"]), placed.after_character),
            _place(str(POSITIONS["before_example_messages"]), placed.before_examples),
            _place(str(POSITIONS["after_example_messages"]), placed.after_examples),
            _place(str(POSITIONS["before_author_note"]), placed.before_note),
            _place(str(POSITIONS["after_author_note"]), placed.after_note),
        ]
        found += [self._depth(place) for place in placed.at_depth]
        found += [_place(_outlet(name), entries) for name, entries in placed.outlets.items()]
        return _bounded(place for place in found if place.entries)

    def _depth(self, place: DepthPlace) -> Place:
        return _place(depth_words(place, len(self._messages)), place.entries, with_role=True)

    @cached_property
    def steps(self) -> list[tuple[Step, list[Row], int]]:
        """The steps after the first: who was woken in each, and how many more."""
        rows = {(one.book, one.key): one for one in self._activation.accepted}
        return [
            (
                step,
                [self._row(rows[seat]) for seat in step.came_in[:MOST_ROWS]],
                len(step.came_in) - MOST_ROWS,
            )
            for step in self._activation.steps[1:]
            if step.came_in
        ]

    @cached_property
    def lasting(self) -> list[SafeString]:
        """What holds in the next messages because of this one."""
        length = self.run.trial.scene().length
        titles = {(one.book, one.entry.uid): title_of(one.entry) for one in self._activation.accepted}
        effects = self._activation.state.effects[:MOST_ROWS]
        return [effect_words(one, titles.get((one.book, one.uid), ""), length) for one in effects]

    @cached_property
    def _messages(self) -> tuple[SceneMessage, ...]:
        return self.run.trial.messages()

    @property
    def depth(self) -> int:
        """How many messages are read for an entry that does not say."""
        trial, books = self.run.trial, self.run.with_books.books
        return trial.settings().depth_of(books[0].model.settings)

    @cached_property
    def told(self) -> list[MessageTold]:
        """The newest messages and those in which something was found, with the marks."""
        spans = self._spans()
        messages = self._messages
        first_shown = len(messages) - MOST_MESSAGES
        first_read = len(messages) - self.depth
        found = []
        for index, message in enumerate(messages):
            if index >= first_shown or index in spans:
                lead = f"{message.name}: " if message.name else ""
                shifted = [(start + len(lead), end + len(lead)) for start, end in spans.get(index, ())]
                runs = marked(lead + message.text, shifted)
                found.append(MessageTold(index + 1, message.name, runs, index >= first_read))
        return found[-2 * MOST_MESSAGES :]

    def _spans(self) -> dict[int, list[Span]]:
        found: dict[int, list[Span]] = {}
        for verdict in self._activation.verdicts:
            for hit in verdict.hits:
                if hit.where == "message":
                    found.setdefault(hit.index, []).append((hit.offset, hit.offset + hit.length))
        return found


def _why(one: Verdict) -> SafeString:
    """The reason; before one that says nothing of keys, the key that had woken the entry."""
    reason = reason_words(one.reason)
    if one.hits and ("budget" in one.code or one.code.startswith(_AFTER_KEYS)):
        return format_html("{} {}", reason_words(reason_of_hit(one.hits[0])), reason)
    return reason


def _fits(verdict: Verdict, words: list[str]) -> bool:
    entry = verdict.entry
    text = compared("\n".join((entry.comment, *entry.keys, *entry.secondary_keys)))
    return all(word in text for word in words)


def _outlet(name: str) -> str:
    return _("Outlet “%(name)s”") % {"name": storable(name)} if name else _("An outlet without a name")


def _place(label: str, entries: Iterable[PlacedEntry], *, with_role: bool = False) -> Place:
    roles = dict(ROLES)
    return Place(
        label,
        [
            (
                storable(one.title) or one.key.rpartition("@")[0],
                number_words(one.order),
                str(roles[one.role]) if with_role else "",
            )
            for one in entries
        ],
    )


def _bounded(places: Iterable[Place]) -> list[Place]:
    """The first entries of all places together."""
    left, found = MOST_PLACED, []
    for place in places:
        if left > 0:
            found.append(Place(place.label, place.entries[:left]))
            left -= len(place.entries)
    return found
