"""The versions of a preset as a page lists them, newest first, each with its piece of the tree's picture.

The picture is drawn as version control does it: a lane for every line of development that is open at a row.
Each row draws its own piece, so that it is as tall as its text, whatever size a reader has chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from presets.pipeline.item_file import Version

WIDE: Final = 20
TALL: Final = 72
MIDDLE: Final = TALL // 2
MOST_LANES: Final = 8
"""Lanes beyond these are drawn in the last one."""


@dataclass(frozen=True, slots=True)
class TreeRow:
    """One row: a version, or the draft (`version` None). `x` is where its dot stands, `paths` its lines."""

    version: Version | None
    parent: int | None
    x: int
    paths: tuple[str, ...]
    at: datetime | None = None
    in_force: bool = False


def tree_rows(versions: Sequence[Version], head: int, draft_base: int | None) -> tuple[list[TreeRow], int]:
    """The rows, newest first, the draft before all; and the width of the picture."""
    known = {version.number for version in versions}
    nodes: list[tuple[Version | None, int, int | None]] = [
        (version, version.number, _parent(version, known)) for version in versions
    ]
    nodes.sort(key=lambda node: -node[1])
    if draft_base is not None:
        nodes.insert(0, (None, 0, draft_base if draft_base in known else None))
    lanes: list[int | None] = []  # the version that each lane leads down to
    rows = []
    widest = 1
    for version, number, parent in nodes:
        above = list(lanes)
        lane = _lane_for(lanes, number if version else None)
        for place, wanted in enumerate(lanes):
            if version is not None and wanted == number:
                lanes[place] = None
        lanes[lane] = parent
        widest = max(widest, len(lanes))
        paths = _paths(above, lanes, lane, number if version else None)
        at = _time(version.at) if version else None
        rows.append(TreeRow(version, parent, _x(lane), paths, at, number == head))
        while lanes and lanes[-1] is None:
            lanes.pop()
    return rows, WIDE * min(widest, MOST_LANES)


def _parent(version: Version, known: set[int]) -> int | None:
    parent = version.parent
    # A parent is an older version; what a hand wrote else would make a circle.
    return parent if parent is not None and parent in known and parent < version.number else None


def _lane_for(lanes: list[int | None], number: int | None) -> int:
    """The lane that leads here, else the first free one."""
    if number is not None and number in lanes:
        return lanes.index(number)
    if None in lanes:
        return lanes.index(None)
    lanes.append(None)
    return len(lanes) - 1


def _paths(
    above: list[int | None], below: list[int | None], lane: int, number: int | None
) -> tuple[str, ...]:
    paths = []
    for place, wanted in enumerate(above):
        if wanted is None:
            continue
        if number is not None and wanted == number:
            paths.append(_curve(place, lane))
        else:
            paths.append(f"M{_x(place)} 0V{TALL}")
    if below[lane] is not None:
        paths.append(f"M{_x(lane)} {MIDDLE}V{TALL}")
    return tuple(paths)


def _curve(start: int, end: int) -> str:
    """From the top of a lane to the dot."""
    if start == end:
        return f"M{_x(start)} 0V{MIDDLE}"
    return f"M{_x(start)} 0C{_x(start)} {MIDDLE} {_x(end)} {MIDDLE // 2} {_x(end)} {MIDDLE}"


def _x(lane: int) -> int:
    return WIDE * min(lane, MOST_LANES - 1) + WIDE // 2


def _time(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo else None
