"""Two states of a preset compared: prompts that came, went, moved or changed, and parameters."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from formats.preset.model import PresetPackage, PresetPrompt
from presets.pipeline.editing import fields_of, settings_of
from worlds.library.files.changes import FieldChange, FieldChanges, differing


@dataclass(frozen=True, slots=True)
class PromptChange(FieldChanges):
    """One prompt that is in both states and not the same. `on` is among the fields: whether it takes part."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Move:
    """A prompt that stands elsewhere among those both states have: its places, counted from 1."""

    id: str
    title: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class PresetDiff:
    """What differs between two states, in the order of the newer one."""

    added: tuple[PresetPrompt, ...]
    removed: tuple[PresetPrompt, ...]
    moved: tuple[Move, ...]
    changed: tuple[PromptChange, ...]
    parameters: tuple[FieldChange, ...]
    same: int

    @property
    def differs(self) -> bool:
        """Whether anything is not the same."""
        return bool(self.added or self.removed or self.moved or self.changed or self.parameters)


def diff_presets(old: PresetPackage, new: PresetPackage) -> PresetDiff:
    """Compare two states; prompts are paired by their ids."""
    pairs = [(old.by_id[prompt.id], prompt) for prompt in _in_order(new) if prompt.id in old.by_id]
    on = [{prompt.id for prompt in package.enabled_prompts()} for package in (old, new)]
    changes = []
    for before, after in pairs:
        fields = differing(_said(before, on[0]), _said(after, on[1]))
        if fields:
            changes.append(PromptChange(fields, after.id, after.name))
    return PresetDiff(
        added=tuple(prompt for prompt in _in_order(new) if prompt.id not in old.by_id),
        removed=tuple(prompt for prompt in _in_order(old) if prompt.id not in new.by_id),
        moved=tuple(_moves(old, new)),
        changed=tuple(changes),
        parameters=differing(settings_of(old), settings_of(new)),
        same=len(pairs) - len(changes),
    )


def _in_order(package: PresetPackage) -> list[PresetPrompt]:
    placed = [package.by_id[item.prompt_id] for item in package.prompt_order]
    known = {prompt.id for prompt in placed}
    return [*placed, *(prompt for prompt in package.prompts if prompt.id not in known)]


def _said(prompt: PresetPrompt, on: set[str]) -> dict[str, Any]:
    return {**fields_of(prompt), "on": prompt.id in on}


def _moves(old: PresetPackage, new: PresetPackage) -> list[Move]:
    """The fewest prompts whose moving makes the one order the other: all but a longest run in order."""
    was = {item.prompt_id: place for place, item in enumerate(old.prompt_order, 1)}
    line = [
        (place, item.prompt_id) for place, item in enumerate(new.prompt_order, 1) if item.prompt_id in was
    ]
    staying = _longest_rising([was[prompt_id] for _place, prompt_id in line])
    return [
        Move(prompt_id, new.by_id[prompt_id].name, was[prompt_id], place)
        for place, prompt_id in line
        if was[prompt_id] not in staying
    ]


def _longest_rising(numbers: Sequence[int]) -> set[int]:
    """A longest rising run of different numbers, not necessarily neighbours (patience sorting)."""
    tops: list[int] = []
    below: dict[int, int | None] = {}
    for number in numbers:
        at = bisect_left(tops, number)
        below[number] = tops[at - 1] if at else None
        tops[at : at + 1] = [number]
    run: set[int] = set()
    last = tops[-1] if tops else None
    while last is not None:
        run.add(last)
        last = below[last]
    return run
