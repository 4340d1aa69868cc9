"""Texts and patterns as JavaScript sees them, for an engine that thinks in code points.

Without the flag `u` JavaScript matches UTF-16 units: `.` is half of an emoji and `[😀]` is two halves. The
engine takes whole characters only, so every surrogate unit is played by a private character of plane 16.
Real characters above U+FFFF become two such players in the text and in the pattern, and none is left to be
mistaken for one.

The engine also folds some letters that JavaScript folds only with `u` (`ſ` with `s`, the Kelvin sign with
`k`). Without `u` each of them has no other case at all, so players of plane 15, which have none either, take
their part. That is exact with and without the flag `i`, and so nobody has to know which flags hold where.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property, lru_cache

SURROGATES = (0xD800, 0xDFFF)
SURROGATE_PLAYERS = 0x10F800 - 0xD800
LONE_LETTERS = (
    (0x00DF, 0x00DF),
    (0x0131, 0x0131),
    (0x017F, 0x017F),
    (0x03F4, 0x03F4),
    (0x1E9E, 0x1E9E),
    (0x1F80, 0x1FAF),
    (0x1FB3, 0x1FB3),
    (0x1FBC, 0x1FBC),
    (0x1FC3, 0x1FC3),
    (0x1FCC, 0x1FCC),
    (0x1FF3, 0x1FF3),
    (0x1FFC, 0x1FFC),
    (0x2126, 0x2126),
    (0x212A, 0x212B),
)
LONE_PLAYERS = 0xF0000
PLAYED = tuple(sorted(((*bounds, LONE_PLAYERS) for bounds in LONE_LETTERS), key=lambda part: part[0]))
PLAYED += ((*SURROGATES, SURROGATE_PLAYERS),)

_PLAYED_CLASS = "".join(f"{chr(low)}-{chr(high)}" for low, high, _ in PLAYED)
_PLAYED_OR_ASTRAL = re.compile(f"[{_PLAYED_CLASS}\U00010000-\U0010ffff]")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class EngineText:
    """One text as the engine reads it, and the way back from the engine's offsets."""

    def __init__(self, text: str, *, unicode: bool) -> None:
        self.original = text
        self.text = with_points(text) if unicode else with_units(text)
        self._has_halves = not unicode and self.text is not text

    @cached_property
    def _encoded(self) -> bytes:
        return self.text.encode()

    @cached_property
    def _split_units(self) -> list[int]:
        """Where, in units, each character stands that is played by two."""
        if not self._has_halves:
            return []
        return [found.start() + earlier for earlier, found in enumerate(_ASTRAL.finditer(self.original))]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Code points of the original for bytes of the engine; half a character counts as the whole of it."""
        first, last = self._units(start), self._units(end)
        return self._point(first, up=False), self._point(last, up=last > first)

    def _units(self, offset: int) -> int:
        return offset if self.text.isascii() else len(self._encoded[:offset].decode())

    def _point(self, unit: int, *, up: bool) -> int:
        before = bisect_left(self._split_units, unit)
        inside = before > 0 and self._split_units[before - 1] + 1 == unit
        return unit - before + (1 if inside and up else 0)


def with_points(text: str) -> str:
    """A text for the flag `u`: only a surrogate that stands alone needs a player."""
    return text if text.isascii() else _SURROGATE.sub(lambda found: played(ord(found[0])), text)


def with_units(text: str) -> str:
    """A text in UTF-16 units; the very same object where nothing has to be played."""
    if text.isascii() or _PLAYED_OR_ASTRAL.search(text) is None:
        return text
    return _PLAYED_OR_ASTRAL.sub(lambda found: players_of(found[0]), text)


@lru_cache(maxsize=4096)
def players_of(character: str) -> str:
    """What the engine sees for one character of a text or pattern: itself, a player, or two."""
    return "".join(map(played, units_of(character)))


def units_of(character: str) -> tuple[int, ...]:
    point = ord(character)
    if point < 0x10000:
        return (point,)
    return 0xD800 + (point - 0x10000 >> 10), 0xDC00 + (point - 0x10000 & 0x3FF)


def played(unit: int) -> str:
    """The character the engine sees for one unit."""
    for low, high, shift in PLAYED:
        if low <= unit <= high:
            return chr(unit + shift)
    return chr(unit)


def played_range(low: int, high: int) -> Iterator[tuple[int, int]]:
    """What a range of units is to the engine: the parts that stand for themselves, and the players."""
    at = low
    for first, last, shift in PLAYED:
        start, end = max(first, at), min(last, high)
        if start <= end:
            if at < start:
                yield at, start - 1
            yield start + shift, end + shift
            at = end + 1
    if at <= high:
        yield at, high
