"""`simulate`: which entries of some books come in at one moment of a story, step by step, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from formats.finding import Finding
from formats.lorebook.patterns import PatternRunner
from formats.lorebook.simulator.budget import Budget
from formats.lorebook.simulator.candidates import Candidates
from formats.lorebook.simulator.fates import Accepted, Fates, Woken, may_wake, placed, turn, verdict_in
from formats.lorebook.simulator.gates import recursion_refusal, scene_refusal
from formats.lorebook.simulator.groups import Contender, GroupRound
from formats.lorebook.simulator.parts import Hit, Part, Scope
from formats.lorebook.simulator.placing import place
from formats.lorebook.simulator.reading import Reading, Shelf
from formats.lorebook.simulator.reasons import Reason, cut_short, quote, split_macro
from formats.lorebook.simulator.rules import Rule
from formats.lorebook.simulator.scene import Book, Dice, Scene, hidden_keys
from formats.lorebook.simulator.settings import DEEPEST_SCAN, ScanSettings
from formats.lorebook.simulator.timed import Seat, TimedState, Timing
from formats.lorebook.simulator.verdicts import Activation, Step, StepKind
from formats.lorebook.simulator.waking import Asleep, Waker, needs_keys

NOTHING = TimedState()


def simulate(
    books: Sequence[Book],
    scene: Scene,
    settings: ScanSettings,
    state: TimedState = NOTHING,
    *,
    dice: Dice,
    run_patterns: PatternRunner | None,
    count_tokens: Callable[[str], int],
) -> Activation:
    """Scan books of one story together: entries of one book wake those of another.

    Nothing is kept between two calls: `Activation.state` is for the caller to store, or to drop where the
    scan was only a trial. The same arguments give the same result.
    """
    return Run(books, scene, settings, state, dice, run_patterns, count_tokens).activation()


class Run:
    """One scan. Every entry has one fate; a refusal that a later step may lift is only remembered."""

    def __init__(
        self,
        books: Sequence[Book],
        scene: Scene,
        settings: ScanSettings,
        state: TimedState,
        dice: Dice,
        run_patterns: PatternRunner | None,
        count_tokens: Callable[[str], int],
    ) -> None:
        self._scene = scene
        self._settings = settings
        self._dice = dice
        self._count_tokens = count_tokens
        self._reading = Reading(books, scene, settings, run_patterns)
        self._shelves = self._reading.shelves
        self._timing = Timing(self._shelves, state, scene.length)
        own = {shelf.book.id: settings.book_limit(shelf.book.model.settings) for shelf in self._shelves}
        self._budget = Budget(settings.limit(scene), own)
        self._candidates = Candidates(self._reading, self._timing.sticky)
        self._replies = scene.assistant_messages
        self._bound = min(len(scene.messages), settings.max_depth or DEEPEST_SCAN)
        self._skew = 0
        levels = sorted(set().union(*(shelf.plan.levels for shelf in self._shelves)))
        self._level, self._levels = (levels[0], levels[1:]) if levels else (0, [])
        self._fates = Fates()
        self._taken: dict[str, str] = {}
        self._steps: list[Step] = []
        self._findings: tuple[Finding, ...] = ()

    def activation(self) -> Activation:
        """Run all steps."""
        kind: StepKind | None = "messages"
        while kind is not None:
            kind = self._step(kind)
        accepted = self._fates.accepted.values()
        came_in = [(one.woken.seat, one.woken.shelf, one.woken.rule) for one in accepted]
        return Activation(
            accepted=tuple(map(verdict_in, accepted)),
            placed=place(map(placed, accepted), len(self._scene.messages)),
            budget=self._budget.use(),
            steps=tuple(self._steps),
            state=self._timing.after(came_in),
            findings=(*self._findings, *self._split_macros()),
            _explain=partial(self._fates.verdicts, self._shelves, self._shut_gate),
        )

    def _split_macros(self) -> Iterator[Finding]:
        accepted = self._fates.accepted.values() if self._scene.expand else ()
        return split_macro((quote(one.woken.rule.title), one.text) for one in accepted)

    def _step(self, kind: StepKind) -> StepKind | None:
        depths = [self._depth(shelf) for shelf in self._shelves]
        self._reading.deepen(max(depths, default=0))
        woken = self._examine(kind)
        new = self._settle(woken)
        came_in = tuple((one.woken.shelf.book.id, one.woken.rule.entry.candidate_key) for one in new)
        self._steps.append(Step(self._number, kind, self._level, max(depths, default=0), came_in))
        following = self._following(kind, new)
        if following is not None and not self._is_fed(new):
            self._findings = (cut_short(self._number - 1),)
            return None
        return following

    def _is_fed(self, new: list[Accepted]) -> bool:
        """Read the texts of those that came in; whether that was no more than a scan may read."""
        for one in new:
            if self._reading.is_exhausted:
                break
            self._feed(one)
        return not self._reading.is_exhausted

    @property
    def _number(self) -> int:
        return len(self._steps) + 1

    def _depth(self, shelf: Shelf) -> int:
        """Messages read for entries that say nothing themselves; deeper in a search for more entries."""
        return min(shelf.depth + self._skew, max(shelf.depth, self._bound))

    def _scope(self, shelf: Shelf, rule: Rule, kind: StepKind) -> Scope:
        depth = self._depth(shelf) if rule.scan_depth is None else rule.scan_depth
        return Scope(depth, rule.sources, shelf.recursion and kind != "deeper")

    def _examine(self, kind: StepKind) -> list[Woken]:
        """Look at every entry that something may have happened to; those woken, in order."""
        looked_at: list[tuple[Seat, Shelf, Rule, Scope, Reason | None]] = []
        for shelf, number in self._candidates.due(kind, self._level):
            rule = shelf.rule(number)
            held = self._gate((shelf.number, number), shelf, rule, kind)
            if held is None or held.code == "recursion-excluded":
                scope = self._scope(shelf, rule, kind)
                looked_at.append(((shelf.number, number), shelf, rule, scope, held))
        self._reading.ask_patterns(
            (shelf, rule, scope)
            for seat, shelf, rule, scope, _ in looked_at
            if needs_keys(rule, is_sticky=seat in self._timing.sticky)
        )
        woken = [self._look(*one) for one in looked_at]
        return sorted(filter(None, woken), key=turn)

    def _gate(self, seat: Seat, shelf: Shelf, rule: Rule, kind: StepKind) -> Reason | None:
        final = self._shut_gate(seat, rule)
        if final is not None:
            self._refuse(shelf, rule, final, is_final=True)
            return final
        if seat in self._timing.sticky:
            return None
        held = recursion_refusal(
            rule,
            is_recursion=kind == "recursion",
            level=self._level,
            recursion_on=shelf.recursion,
        )
        if held is not None and held.code != "recursion-excluded":
            self._refuse(shelf, rule, held)
        return held

    def _shut_gate(self, seat: Seat, rule: Rule) -> Reason | None:
        """A gate that nothing in this scan opens."""
        return scene_refusal(rule, self._scene, self._replies) or self._timing.refusal(seat, rule)

    def _look(self, seat: Seat, shelf: Shelf, rule: Rule, scope: Scope, held: Reason | None) -> Woken | None:
        sticky = self._timing.sticky_reason(seat) if seat in self._timing.sticky else None
        found = Waker(self._reading, shelf, rule, scope, self._number).wake(sticky=sticky)
        if isinstance(found, Asleep):
            self._refuse(shelf, rule, found.reason, hits=found.hits)
        elif held is not None:
            self._refuse(shelf, rule, held, hits=found.hits)
        else:
            return Woken(seat, shelf, rule, found, sticky is not None)
        return None

    def _refuse(
        self,
        shelf: Shelf,
        rule: Rule,
        reason: Reason,
        *,
        hits: tuple[Hit, ...] = (),
        tokens: int | None = None,
        is_final: bool = False,
    ) -> None:
        if is_final:
            self._candidates.close((shelf.number, rule.number))
        else:
            self._candidates.keep(shelf, rule, reason)
        step = self._number
        self._fates.refuse(shelf, rule, reason, step=step, is_final=is_final, hits=hits, tokens=tokens)

    def _settle(self, woken: list[Woken]) -> list[Accepted]:
        """Groups, then the roll, then the budget."""
        contenders = [Contender(one.seat, one.rule, one.sticky, one.wake.score) for one in woken]
        scoring, roll = self._settings.group_scoring, self._dice.for_group
        losers = GroupRound(contenders, self._taken, scoring=scoring, roll=roll).settle()
        return [new for one in woken if (new := self._admit(one, losers.get(one.seat)))]

    def _admit(self, one: Woken, lost: Reason | None) -> Accepted | None:
        rule, shelf = one.rule, one.shelf
        reason, tokens = lost or self._roll(one), None
        if reason is None:
            text = self._scene.expanded(rule.text)
            tokens = self._count_tokens(text) if text else 0
            reason = self._budget.take(shelf.book.id, tokens, ignored=rule.entry.ignore_budget)
        if reason is not None:
            self._refuse(shelf, rule, reason, hits=one.wake.hits, tokens=tokens, is_final=True)
            return None
        self._candidates.close(one.seat)
        for name in rule.entry.group.names:
            self._taken.setdefault(name, quote(rule.title))
        return self._fates.accept(Accepted(one, self._number, text, tokens or 0))

    def _roll(self, one: Woken) -> Reason | None:
        entry = one.rule.entry
        if not entry.use_probability or entry.probability == 100 or one.sticky:
            return None
        roll = self._dice.for_entry(one.shelf.book.id, entry.candidate_key) * 100
        if roll < entry.probability:
            return None
        return Reason("probability", {"roll": round(roll, 2), "probability": entry.probability})

    def _following(self, kind: StepKind, new: list[Accepted]) -> StepKind | None:
        """The next step: what came in may wake others, else more of the story, else the next level."""
        if self._settings.max_steps and len(self._steps) >= self._settings.max_steps:
            return None
        if not self._budget.is_closed:
            if any(map(may_wake, new)) or (kind == "deeper" and self._reading.entries):
                return "recursion"
            if len(self._fates.accepted) < self._settings.min_activations and self._can_deepen():
                self._skew += 1
                return "deeper"
        if self._levels:
            self._level = self._levels.pop(0)
            return "recursion"
        return None

    def _can_deepen(self) -> bool:
        return any(shelf.depth + self._skew < self._bound for shelf in self._shelves)

    def _feed(self, one: Accepted) -> None:
        rule, shelf = one.woken.rule, one.woken.shelf
        text = "\n".join([one.text, *hidden_keys(rule.text)])
        if may_wake(one) and text.strip():
            key, title = rule.entry.candidate_key, quote(rule.title)
            self._reading.feed(Part("entry", text, name=key, book=shelf.book.id, title=title))
