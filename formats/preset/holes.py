"""The holes this program fills are put around the history of a SillyTavern order (PRE-3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from formats.preset.model import (
    CURRENT_TURN,
    HISTORY,
    HOLES,
    OUR_HOLES,
    POST_TURN,
    WORLD_AFTER,
    WORLD_BEFORE,
    OrderItem,
    PresetPrompt,
)
from formats.preset.order import FileOrder
from formats.preset.telling import Tally

NAMES: Final[Mapping[str, str]] = {
    HISTORY: "Chat History",
    WORLD_BEFORE: "World Book (before)",
    WORLD_AFTER: "World Book (after)",
    CURRENT_TURN: "Current Turn",
    POST_TURN: "Post Turn",
}
TAVERN_NAMES: Final[Mapping[str, str]] = {
    "worldInfoBefore": "World Info (before)",
    "personaDescription": "Persona Description",
    "charDescription": "Char Description",
    "charPersonality": "Char Personality",
    "scenario": "Scenario",
    "worldInfoAfter": "World Info (after)",
    "dialogueExamples": "Chat Examples",
}


@dataclass(frozen=True, slots=True)
class Holed:
    """Prompts and order with every hole in place; `added` are the ids that the order did not have."""

    prompts: tuple[PresetPrompt, ...]
    items: tuple[OrderItem, ...]
    added: tuple[str, ...]
    native: bool


def with_holes(prompts: Sequence[PresetPrompt], items: Sequence[OrderItem]) -> Holed:
    """An order with the history and the four holes around it.

    An order that already has holes is a native one: it stays as it is, and gets those it lacks.
    """
    by_id = {prompt.id: prompt for prompt in prompts}
    line = [item.prompt_id for item in items]
    native = any(by_id[id].source_identifier in OUR_HOLES for id in line)
    known = {prompt.source_identifier: prompt.id for prompt in reversed(prompts)}
    ids = {name: known.get(name, name) for name in NAMES}
    placed = _completed(line, ids) if native else _sandwiched(line, ids)
    switches = {item.prompt_id: item.enabled for item in items}
    return Holed(
        (*prompts, *(hole(name) for name, id in ids.items() if id not in by_id)),
        tuple(OrderItem(id, switches.get(id, True), index) for index, id in enumerate(placed)),
        tuple(id for id in placed if id not in switches),
        native,
    )


def _sandwiched(line: list[str], ids: Mapping[str, str]) -> list[str]:
    history = ids[HISTORY]
    at = line.index(history) if history in line else len(line)
    before, after = line[:at], line[at + 1 :]
    filled = [ids[WORLD_BEFORE], history, ids[WORLD_AFTER], ids[CURRENT_TURN]]
    return [*before, *filled, *after, ids[POST_TURN]]


def _completed(line: list[str], ids: Mapping[str, str]) -> list[str]:
    """A native order with what it lacks put where an imported one has it."""
    line = list(line)
    history, before, after = ids[HISTORY], ids[WORLD_BEFORE], ids[WORLD_AFTER]
    turn, post = ids[CURRENT_TURN], ids[POST_TURN]
    if history not in line:
        line.insert(
            min((line.index(id) for id in (after, turn, post) if id in line), default=len(line)), history
        )
    if before not in line:
        line.insert(line.index(history), before)
    if after not in line:
        line.insert(line.index(history) + 1, after)
    if turn not in line:
        line.insert(max(line.index(history), line.index(after)) + 1, turn)
    return line if post in line else [*line, post]


def hole(name: str) -> PresetPrompt:
    """A hole that an order names, or must have, and whose prompt the file lacks."""
    shown = NAMES.get(name) or TAVERN_NAMES[name]
    made = PresetPrompt(id=name, name=shown, marker=True, source_identifier=name)
    return replace(made, role="user") if name == CURRENT_TURN else made


def holes_lacking(order: FileOrder, prompts: Mapping[str, PresetPrompt]) -> list[PresetPrompt]:
    """Holes that the order names without a prompt for them, as in an export of a prompt manager."""
    named = dict.fromkeys(place.identifier for place in order.places)
    return [hole(name) for name in named if name in HOLES and name not in prompts]


def tell_holes(holed: Holed, where: str, tally: Tally) -> None:
    """What was added to the order, and whether the history is on."""
    if holed.native:
        for id in holed.added:
            tally.add("holes-completed", where, id)
    elif HISTORY in holed.added:
        tally.add("history-added", where)
    by_id = {prompt.id: prompt for prompt in holed.prompts}
    for item in holed.items:
        prompt = by_id[item.prompt_id]
        if prompt.source_identifier == HISTORY and not (item.enabled and prompt.enabled):
            tally.add("history-off", where)
