"""What a card's maker relied on, and what was repaired in it, as lines of a page (PREV-4, OUT-2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from formats.finding import SEVERITIES, Finding
from importer.pipeline.preview import GroupedFinding, Mechanism
from importer.words import BECOMES, MECHANISMS, Word
from portal.told import GROUPS, ToldGroup

SHOWN_NAMES = 200


@dataclass(frozen=True, slots=True)
class MechanismRow:
    """A mechanism, how often, what becomes of it (code, word, colour of its tag), and its names."""

    code: str
    becomes_code: str
    label: Word
    count: int
    becomes: Word
    tag: str
    names: list[tuple[str, int]]


def mechanism_rows(mechanisms: Iterable[Mechanism]) -> list[MechanismRow]:
    """The mechanisms in words; the most frequent names first."""
    rows = []
    for mechanism in mechanisms:
        becomes, tag = BECOMES[mechanism.becomes]
        names = sorted(mechanism.names.items(), key=lambda named: (-named[1], named[0]))[:SHOWN_NAMES]
        label = MECHANISMS[mechanism.code]
        rows.append(
            MechanismRow(mechanism.code, mechanism.becomes, label, mechanism.count, becomes, tag, names)
        )
    return rows


def told_groups(groups: Iterable[GroupedFinding]) -> list[ToldGroup]:
    """Findings of a reading, those that matter most first."""
    told = [
        ToldGroup(
            Finding(severity, group.code, "", group.message, group.hint, group.args),
            group.count,
            [place for place in group.places if place],
        )
        for severity in SEVERITIES
        for group in groups
        if group.severity == severity
    ]
    return told[:GROUPS]
