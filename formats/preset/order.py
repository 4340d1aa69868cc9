"""The order of a preset: which of several counts, and what its places mean (PRE-2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from formats.leniency import INTEGER, boolean
from formats.preset.model import HISTORY, PERSONA, OrderItem, PresetPrompt
from formats.preset.telling import Tally

GENERAL: Final = 100001
"""The order that SillyTavern uses for all characters."""
CORE: Final = ("main", HISTORY, "jailbreak")

DEFAULT_ORDER: Final = (
    ("main", True),
    ("worldInfoBefore", True),
    (PERSONA, True),
    ("charDescription", True),
    ("charPersonality", True),
    ("scenario", True),
    ("enhanceDefinitions", False),
    ("nsfw", True),
    ("worldInfoAfter", True),
    ("dialogueExamples", True),
    (HISTORY, True),
    ("jailbreak", True),
)
"""What SillyTavern gives a preset without an order."""


@dataclass(frozen=True, slots=True)
class FilePlace:
    """One place of an order as the file has it."""

    identifier: str
    enabled: bool
    index: int


@dataclass(frozen=True, slots=True)
class FileOrder:
    """One of the orders of a file, with the path of its list; a file has one for each `character_id`.

    `at` is its place in `prompt_order`; None where that is itself the list of places, or is not there.
    """

    character_id: int | str | None
    places: tuple[FilePlace, ...]
    path: str
    at: int | None = None


def orders_of(value: Any, path: str, tally: Tally) -> list[FileOrder]:
    """Every order of a file's `prompt_order`: a list of orders, one alone, or a bare list of places."""
    value = listed_orders(value)
    if any(isinstance(one, Mapping) and isinstance(one.get("order"), list) for one in value):
        return [
            FileOrder(
                _character_id(one.get("character_id")),
                _places(one["order"], f"{path}[{index}].order", tally),
                f"{path}[{index}].order",
                index,
            )
            for index, one in enumerate(value)
            if isinstance(one, Mapping) and isinstance(one.get("order"), list)
        ]
    places = _places(value, path, tally)
    return [FileOrder(None, places, path)] if places else []


def listed_orders(value: Any) -> list[Any]:
    """What a file has for `prompt_order` as a list: one order alone may stand there without it."""
    if isinstance(value, Mapping) and isinstance(value.get("order"), list):
        return [value]
    return value if isinstance(value, list) else []


def _character_id(value: Any) -> int | str | None:
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    return int(value) if isinstance(value, str) and INTEGER.fullmatch(value) else value


def _places(items: list[Any], path: str, tally: Tally) -> tuple[FilePlace, ...]:
    places = []
    for index, item in enumerate(items):
        identifier = item.get("identifier") if isinstance(item, Mapping) else item
        if isinstance(identifier, int) and not isinstance(identifier, bool):
            identifier = str(identifier)
        if not isinstance(identifier, str) or not identifier:
            tally.add("order-unusable", f"{path}[{index}]")
            continue
        switch = item.get("enabled") if isinstance(item, Mapping) else None
        enabled = boolean(switch)
        if enabled is None:
            tally.add("order-switch-missing", f"{path}[{index}]", identifier)
        places.append(FilePlace(identifier, enabled is not False, index))
    return tuple(places)


def chosen_order(orders: Sequence[FileOrder], prompts: Mapping[str, PresetPrompt]) -> FileOrder | None:
    """The general order, else the one with most enabled content; one without places counts for nothing."""
    filled = [order for order in orders if order.places]
    general = next((order for order in filled if order.character_id == GENERAL), None)
    return general or max(filled, key=lambda order: _weight(order, prompts), default=None)


def _weight(order: FileOrder, prompts: Mapping[str, PresetPrompt]) -> tuple[int, int]:
    """How many prompts an order sends, and how much text; a hole counts as a prompt."""
    placed = (prompts.get(place.identifier) for place in order.places if place.enabled)
    sent = [one for one in placed if one is not None and one.enabled and (one.is_hole or one.content)]
    return len(sent), sum(len(prompt.content) for prompt in sent)


def default_order(prompts: Mapping[str, PresetPrompt]) -> FileOrder:
    """SillyTavern's default order, as far as the file has its prompts; history and persona always."""
    usual = {HISTORY, PERSONA, *prompts}
    known = [(identifier, enabled) for identifier, enabled in DEFAULT_ORDER if identifier in usual]
    places = (FilePlace(identifier, enabled, index) for index, (identifier, enabled) in enumerate(known))
    return FileOrder(None, tuple(places), "")


@dataclass(frozen=True, slots=True)
class Resolved:
    """The places that name a prompt, each prompt once, and the identifiers that name none."""

    items: tuple[OrderItem, ...]
    dangling: tuple[str, ...]


def resolved(order: FileOrder, prompts: Mapping[str, PresetPrompt], tally: Tally) -> Resolved:
    """The order over the prompts of the file; `prompts` are by identifier, the first of equal ones."""
    items: dict[str, OrderItem] = {}
    dangling: dict[str, None] = {}
    for place in order.places:
        where = f"{order.path}[{place.index}]"
        prompt = prompts.get(place.identifier)
        if prompt is None:
            dangling[place.identifier] = None
            tally.add("order-dangling", where, place.identifier)
        elif prompt.id in items:
            tally.add("order-repeated", where, place.identifier)
        else:
            items[prompt.id] = OrderItem(prompt.id, place.enabled, len(items))
    return Resolved(tuple(items.values()), tuple(dangling))


def missing_core(order: FileOrder) -> list[str]:
    """Which of the places that presets usually have an order of a file lacks."""
    named = {place.identifier for place in order.places}
    return [identifier for identifier in CORE if identifier not in named]
