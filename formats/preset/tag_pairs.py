"""Tags and macros that one prompt opens and another closes: what merging or moving would scatter."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, NamedTuple

from formats.preset.model import PresetPrompt

TAG: Final = re.compile(r"<(/?)([^\W\d][\w.:-]{0,63})(?:\s[^<>]{0,300})?(/?)>")
VOID: Final = frozenset({"br", "hr", "img", "input", "meta", "link", "wbr", "source", "area", "col"})
BRACES: Final = re.compile(r"\{\{|\}\}")
MACRO: Final = "{{ }}"
MOST_PAIRS: Final = 200


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair that crosses prompts. `scattered`: something else can come to stand in between, or the two have
    different roles, so that merging tears them apart."""

    name: str
    opened_in: str
    closed_in: str
    scattered: bool

    def to_json(self) -> dict[str, Any]:
        """For the report."""
        return {
            "name": self.name,
            "openedIn": self.opened_in,
            "closedIn": self.closed_in,
            "scattered": self.scattered,
        }


class Loose(NamedTuple):
    """What one text leaves open, and what it closes without having opened it."""

    opened: list[str]
    closed: list[str]


def tag_pairs(prompts: Sequence[PresetPrompt]) -> list[Pair]:
    """The tags that cross prompts, given as they are sent."""
    closed_somewhere = {
        tag[2].casefold() for prompt in prompts for tag in TAG.finditer(prompt.content) if tag[1]
    }
    loose = [_loose_tags(prompt.content, closed_somewhere) for prompt in prompts]
    return list(islice(_pairs(prompts, loose), MOST_PAIRS))


def macro_pairs(prompts: Sequence[PresetPrompt]) -> list[Pair]:
    """The macros that one prompt opens and a later one closes: both halves stay as they are written."""
    loose = [_loose_braces(prompt.content) for prompt in prompts]
    return list(islice(_pairs(prompts, loose), MOST_PAIRS))


def _pairs(prompts: Sequence[PresetPrompt], loose: Iterable[Loose]) -> Iterator[Pair]:
    waiting: dict[str, list[int]] = {}
    for at, (opened, closed) in enumerate(loose):
        for name in closed:
            if waiting.get(name):
                start = waiting[name].pop()
                yield Pair(name, prompts[start].id, prompts[at].id, _scattered(prompts[start : at + 1]))
        for name in opened:
            waiting.setdefault(name, []).append(at)


def _scattered(between: Sequence[PresetPrompt]) -> bool:
    first = between[0]
    return any(one.is_hole or one.in_history or one.role != first.role for one in between)


def _loose_tags(text: str, closed_somewhere: set[str]) -> Loose:
    opened: Counter[str] = Counter()
    closed: list[str] = []
    for tag in TAG.finditer(text):
        name = tag[2].casefold()
        if tag[3] or name in VOID or name not in closed_somewhere:
            continue
        if not tag[1]:
            opened[name] += 1
        elif opened[name]:
            opened[name] -= 1
        else:
            closed.append(name)
    return Loose(list(opened.elements()), closed)


def _loose_braces(text: str) -> Loose:
    depth = 0
    closed: list[str] = []
    for braces in BRACES.finditer(text):
        if braces[0] == "{{":
            depth += 1
        elif depth:
            depth -= 1
        else:
            closed.append(MACRO)
    return Loose([MACRO] * depth, closed)
