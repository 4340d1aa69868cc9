"""Inclusion groups: of the entries that share one, one goes in.

An entry that is refused leaves all its groups, and takes no other entry with it. A group that has a member
from an earlier step is closed; groups are compared one by one, not by the text that lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from formats.lorebook.model import Number
from formats.lorebook.simulator.reasons import Reason, quote
from formats.lorebook.simulator.rules import Rule
from formats.lorebook.simulator.timed import Seat


@dataclass(frozen=True, slots=True)
class Contender:
    """An entry that was woken in this step."""

    seat: Seat
    rule: Rule
    sticky: bool
    score: int

    @property
    def title(self) -> str:
        """The entry inside a sentence."""
        return quote(self.rule.title)


class GroupRound:
    """One step's decision. `taken`: by group, the title of the member that is in already."""

    def __init__(
        self,
        contenders: Sequence[Contender],
        taken: Mapping[str, str],
        *,
        scoring: bool,
        roll: Callable[[str], float],
    ) -> None:
        self._taken = taken
        self._scoring = scoring
        self._roll = roll
        self.refused: dict[Seat, Reason] = {}
        self._groups: dict[str, list[Contender]] = {}
        for contender in contenders:
            for name in contender.rule.entry.group.names:
                self._groups.setdefault(name, []).append(contender)

    def settle(self) -> dict[Seat, Reason]:
        """Who is refused, and why. Each rule is applied to all groups before the next one."""
        for rule in (self._sticky_first, self._best_score, self._choose):
            for name, members in self._groups.items():
                left = [one for one in members if one.seat not in self.refused]
                if left:
                    rule(name, left)
        return self.refused

    def _sticky_first(self, name: str, members: list[Contender]) -> None:
        sticky = next((one for one in members if one.sticky), None)
        if sticky is not None:
            args = {"group": name, "title": sticky.title}
            self._refuse([one for one in members if not one.sticky], Reason("group-sticky", args))

    def _best_score(self, name: str, members: list[Contender]) -> None:
        """Those that go by score are measured against all members, but only they can lose by it."""
        by_score = [one for one in members if self._goes_by_score(one)]
        if not by_score or any(one.sticky for one in members):
            return
        best = max(members, key=lambda one: one.score)
        for one in by_score:
            if one.score < best.score:
                args = {"group": name, "title": best.title, "best": best.score, "score": one.score}
                self._refuse([one], Reason("group-score", args))

    def _goes_by_score(self, one: Contender) -> bool:
        said = one.rule.entry.use_group_scoring
        return self._scoring if said is None else said

    def _choose(self, name: str, members: list[Contender]) -> None:
        if any(one.sticky for one in members):
            return
        if name in self._taken:
            self._refuse(members, Reason("group-taken", {"group": name, "title": self._taken[name]}))
            return
        if len(members) == 1:
            return
        first = [one for one in members if one.rule.entry.group.override]
        if first:
            winner = max(first, key=lambda one: one.rule.entry.insertion_order)
            reason = Reason("group-priority", {"group": name, "title": winner.title})
        else:
            winner, reason = self._draw(name, members)
        self._refuse([one for one in members if one is not winner], reason)

    def _draw(self, name: str, members: list[Contender]) -> tuple[Contender, Reason]:
        roll = self._roll(name)
        winner = drawn(members, [one.rule.entry.group.weight for one in members], roll)
        args = {"group": name, "title": winner.title, "roll": round(roll, 4)}
        return winner, Reason("group-lottery", {**args, "weight": winner.rule.entry.group.weight})

    def _refuse(self, members: list[Contender], reason: Reason) -> None:
        for one in members:
            self.refused.setdefault(one.seat, reason)


def drawn(members: Sequence[Contender], weights: Sequence[Number], roll: float) -> Contender:
    """The member on whose share of the weights the roll falls; without any weight, the first."""
    shares = [max(weight, 0) for weight in weights]
    point, reached = roll * sum(shares), 0.0
    for member, share in zip(members, shares, strict=True):
        reached += share
        if point < reached:
            return member
    return members[0] if not any(shares) else members[-1]
