"""Long forms of keys that begin alike, of which a text holds one after the other.

An automaton tells where their beginning stands; a family tells which of them go on from there, however many
they are: the longest that does is found by halving, and the others that do are beginnings of it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

LONGEST_STEM = 2_048
"""What is compared of a form wherever its beginning stands. Of a longer one the rest is searched once."""


class Family:
    """Forms with one beginning, in order, each with the longest other that it begins with.

    A form of more than `LONGEST_STEM` characters stands here as its stem.
    """

    def __init__(self, forms: Iterable[str]) -> None:
        self._wholes: dict[str, list[str]] = {}
        for form in forms:
            self._wholes.setdefault(form[:LONGEST_STEM], []).append(form)
        self._stems = ["", *sorted(self._wholes)]
        self._longest = max(map(len, self._stems))
        self._parents = [0]
        self._jumps = [0]
        self._grow()

    def _grow(self) -> None:
        """Parents, and jumps over several of them, so that every ancestor is a few jumps and steps away."""
        parents, jumps, depths = self._parents, self._jumps, [0]
        line = [0]
        for number, stem in enumerate(self._stems[1:], 1):
            while not stem.startswith(self._stems[line[-1]]):
                line.pop()
            parent = line[-1]
            near, far = jumps[parent], jumps[jumps[parent]]
            as_far = depths[parent] - depths[near] == depths[near] - depths[far]
            parents.append(parent)
            jumps.append(far if as_far else parent)
            depths.append(depths[parent] + 1)
            line.append(number)

    def at(self, text: str, start: int, settled: set[str]) -> Iterator[tuple[str, int]]:
        """The forms that stand at a place, longest first, and of one longer than a stem its first place from
        there on.

        `settled`: the stems that stood in the text before, and so did all that they begin with.
        """
        number = self._longest_at(text, start)
        while number and (stem := self._stems[number]) not in settled:
            settled.add(stem)
            for form in self._wholes[stem]:
                place = text.find(form, start)
                if place >= 0:
                    yield form, place
            number = self._parents[number]

    def _longest_at(self, text: str, start: int) -> int:
        stems = self._stems
        number = bisect_right(stems, text[start : start + self._longest]) - 1
        while not text.startswith(stems[number], start):
            jump = self._jumps[number]
            number = self._parents[number] if text.startswith(stems[jump], start) else jump
        return number
