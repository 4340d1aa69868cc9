"""Many findings told in few lines: the same sentence once, with how often and where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from formats.finding import SEVERITIES, Finding

GROUPS = 60
PLACES = 20


@dataclass(frozen=True, slots=True)
class ToldGroup:
    """Findings that say the same: the first of them, how many, and the first places (`parts/told.html`).

    `addresses` are pages where places can be seen.
    """

    finding: Finding
    count: int
    places: list[str]
    addresses: Mapping[str, str] = field(default_factory=dict)

    @property
    def linked(self) -> list[tuple[str, str]]:
        """The places, each with its address or nothing."""
        return [(place, self.addresses.get(place, "")) for place in self.places]


def told_groups(findings: Iterable[Finding], addresses: Mapping[str, str] | None = None) -> list[ToldGroup]:
    """Findings grouped by what they say, what matters most first; `addresses` of pages by place.

    One that stands for many already (`args["count"]`) says so, and where, in its own words; its place is
    listed only where it has an address.
    """
    addresses = addresses or {}
    found: dict[tuple[str, str, str], tuple[Finding, int, list[str]]] = {}
    for finding in findings:
        key = (finding.severity, finding.code, finding.text)
        first, count, places = found.get(key, (finding, 0, []))
        is_listed = finding.where in addresses or "count" not in finding.args
        if finding.where and is_listed and len(places) < PLACES:
            places.append(finding.where)
        found[key] = (first, count + 1, places)
    groups = [ToldGroup(*group, addresses) for group in found.values()]
    return sorted(groups, key=lambda group: SEVERITIES.index(group.finding.severity))[:GROUPS]
