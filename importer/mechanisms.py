"""What a card's maker relied on, and what was repaired in it, as lines of a page (PREV-4, OUT-2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from formats.finding import SEVERITIES, Finding
from importer.pipeline.preview import GroupedFinding, Mechanism
from importer.words import BECOMES, MECHANISMS, Word

SHOWN_NAMES = 200
GROUPS = 60


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


@dataclass(frozen=True, slots=True)
class ToldGroup:
    """Findings that say the same: the first of them, how many, and the first places."""

    finding: Finding
    count: int
    places: list[str]


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


def grouped_notes(notes: Iterable[Mapping[str, Any]]) -> list[ToldGroup]:
    """Notes of a report, the same sentence once with all its places."""
    found: dict[tuple[str, str], tuple[Finding, list[str]]] = {}
    for note in notes:
        finding = Finding.from_json(note)
        _first, places = found.setdefault((finding.code, finding.text), (finding, []))
        places.append(finding.where)
    return [ToldGroup(first, len(places), places[:10]) for first, places in found.values()][:GROUPS]
