"""Where prompts stand as people see them, and what a move in that list makes of a package. Pure.

The list is the order, but for the prompts that go into the history: they stand there, at their depth,
whatever their place in the order. So a prompt that is put beside one of them takes its depth and rank, and
one that is put beside a prompt of the line leaves the history.
"""

from __future__ import annotations

from dataclasses import dataclass

from formats.preset.model import Injection, PresetPackage, PresetPrompt
from presets.pipeline.editing import LAST, bad_field, moved, prompt_in, replaced, with_fields


@dataclass(frozen=True, slots=True)
class Seen:
    """Ids as they are listed: those of the line, and those inside the history, the oldest place first."""

    line: tuple[str, ...]
    inside: tuple[str, ...]

    def beside(self, prompt_id: str) -> tuple[str, ...]:
        """The part of the list in which a prompt stands."""
        return self.inside if prompt_id in self.inside else self.line


def seen(package: PresetPackage) -> Seen:
    """The prompts of the order as they take effect."""
    placed = [package.by_id[item.prompt_id] for item in package.prompt_order]
    inside = sorted((prompt for prompt in placed if prompt.in_history), key=place_in_history)
    return Seen(
        tuple(prompt.id for prompt in placed if not prompt.in_history),
        tuple(prompt.id for prompt in inside),
    )


def place_in_history(prompt: PresetPrompt) -> tuple[int, int | float]:
    """Sorts prompts of the history as they will stand in it."""
    place = prompt.injection or Injection()
    return -place.depth_used, place.order_used


def put_beside(
    package: PresetPackage, prompt_id: str, neighbour: str, *, after: bool = False
) -> PresetPackage:
    """The package with a prompt right before or after another one of the list.

    One that is not in the order yet comes in, switched on.

    Raises:
        DomainError: `not-found`; `invalid` beside itself or one in no order, and for the history and the
            places around it, which cannot go into it.
    """
    prompt, other = prompt_in(package, prompt_id), prompt_in(package, neighbour)
    line = [item.prompt_id for item in package.prompt_order if item.prompt_id != prompt_id]
    if neighbour not in line:
        raise bad_field("before")
    placed = with_fields(prompt, _place_of(other) if other.in_history else {"in_history": False})
    following = line[line.index(neighbour) + 1 :]
    before = (following[0] if following else LAST) if after else neighbour
    return moved(replaced(package, placed), prompt_id, before=before)


def stepped(package: PresetPackage, prompt_id: str, by: int) -> PresetPackage:
    """The package with a prompt so many rows further down (up, below zero) in its part of the list.

    At the ends it stays; one that is in no order comes in, before what is always last.
    """
    prompt_in(package, prompt_id)
    part = seen(package).beside(prompt_id)
    if prompt_id not in part:
        return moved(package, prompt_id)
    at = part.index(prompt_id)
    to = max(0, min(at + by, len(part) - 1))
    return package if to == at else put_beside(package, prompt_id, part[to], after=to > at)


def put_at(package: PresetPackage, prompt_id: str, place: int) -> PresetPackage:
    """The package with a prompt at a place of the line, counted from 1; beyond its ends, at them."""
    prompt_in(package, prompt_id)
    line = [one for one in seen(package).line if one != prompt_id]
    at = max(0, place - 1)
    if at < len(line):
        return put_beside(package, prompt_id, line[at])
    return put_beside(package, prompt_id, line[-1], after=True)


def _place_of(prompt: PresetPrompt) -> dict[str, int | float | bool]:
    place = prompt.injection or Injection()
    return {"in_history": True, "depth": place.depth_used, "order": place.order_used}
