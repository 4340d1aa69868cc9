"""Many findings told in few lines: the same sentence once, with how often and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from formats.finding import SEVERITIES, Finding

GROUPS = 60
PLACES = 20


@dataclass(frozen=True, slots=True)
class ToldGroup:
    """Findings that say the same: the first of them, how many, and the first places (`parts/told.html`)."""

    finding: Finding
    count: int
    places: list[str]


def told_groups(findings: Iterable[Finding]) -> list[ToldGroup]:
    """Findings grouped by what they say, what matters most first.

    One that stands for many already (`args["count"]`) says so, and where, in its own words.
    """
    found: dict[tuple[str, str, str], tuple[Finding, int, list[str]]] = {}
    for finding in findings:
        key = (finding.severity, finding.code, finding.text)
        first, count, places = found.get(key, (finding, 0, []))
        if finding.where and len(places) < PLACES and "count" not in finding.args:
            places.append(finding.where)
        found[key] = (first, count + 1, places)
    groups = [ToldGroup(*group) for group in found.values()]
    return sorted(groups, key=lambda group: SEVERITIES.index(group.finding.severity))[:GROUPS]
