"""Inclusion groups among entries that ask to be in together: of each group at most one stays.

Groups are decided in the order in which the ranked entries name them. A group with one member left decides
nothing. Members that count by score and score below the best go first; then the highest ranked prioritised
member wins; else the lottery, with the caller's roll: the roll's share of the weights falls to a member, in
rank order. Who loses in one group leaves all its groups (an entry is removed once, and only that entry).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from formats.lorebook.evaluation import Evaluation
from formats.lorebook.model import Number


def group_losers(ranked: Sequence[Evaluation], *, scoring: bool, rolls: Mapping[str, Number]) -> set[int]:
    """The places in `ranked` of those that lose; a group without a roll is rolled 0."""
    lost: set[int] = set()
    for name, places in _members(ranked).items():
        left = [place for place in places if place not in lost]
        if len(left) > 1:
            stays = _winner(ranked, left, scoring=scoring, roll=rolls.get(name, 0))
            lost.update(place for place in left if place != stays)
    return lost


def _members(ranked: Sequence[Evaluation]) -> dict[str, list[int]]:
    members: dict[str, list[int]] = {}
    for place, evaluation in enumerate(ranked):
        for name in evaluation.entry.group.names:
            members.setdefault(name, []).append(place)
    return members


def _winner(ranked: Sequence[Evaluation], places: Sequence[int], *, scoring: bool, roll: Number) -> int:
    best = max(ranked[place].score for place in places)
    left = [
        place
        for place in places
        if ranked[place].score == best or not _counts_by_score(ranked[place], scoring=scoring)
    ]
    for place in left:
        if ranked[place].entry.group.override:
            return place
    weights = [max(0, ranked[place].entry.group.weight) for place in left]
    return left[drawn(weights, roll)]


def _counts_by_score(evaluation: Evaluation, *, scoring: bool) -> bool:
    own = evaluation.entry.use_group_scoring
    return scoring if own is None else own


def drawn(weights: Sequence[Number], roll: Number) -> int:
    """Whose share a roll of 0 to 1 falls to: the first where no weight counts, the last at 1 and over."""
    total = sum(weights)
    if total <= 0:
        return 0
    point, reached = roll * total, 0.0
    for place, weight in enumerate(weights):
        reached += weight
        if point < reached:
            return place
    return len(weights) - 1
