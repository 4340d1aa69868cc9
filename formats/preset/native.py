"""A preset in our own form (`PresetPackage.to_json()`) is read back; it is a file like any other, so nothing
in it is believed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from formats.leniency import boolean, number
from formats.messages import gettext_noop
from formats.preset.generation import read_native_generation
from formats.preset.holes import holes_lacking, tell_holes, with_holes
from formats.preset.model import DeclaredTool, PresetPackage, Source, Unsupported
from formats.preset.order import FileOrder, FilePlace, missing_core, resolved
from formats.preset.policies import read_native_message_policy, read_tool_policy
from formats.preset.prompts import read_native_prompts
from formats.preset.reading import Reading
from formats.preset.telling import Tally

UNKNOWN: Final = gettext_noop("An unknown field; it is kept as it is.")
FIELDS: Final = frozenset(
    {"id", "name", "source", "prompts", "promptOrder", "generation", "unsupported", "messagePolicy"}
    | {"toolPolicy", "declaredTools", "orderCharacterId", "raw"}
)


def read_native(value: Mapping[str, Any], tally: Tally) -> tuple[PresetPackage, Reading]:
    """The package a native file describes. One without a `raw` of its own is its own raw."""
    prompts = read_native_prompts(value["prompts"], tally)
    by_id = {prompt.id: prompt for prompt in prompts}
    order = FileOrder(None, _places(value["promptOrder"], tally), "promptOrder")
    for missing in holes_lacking(order, by_id):
        by_id[missing.id] = missing
        prompts.append(missing)
    found = resolved(order, by_id, tally)
    holed = with_holes(prompts, found.items)
    tell_holes(holed, order.path, tally)
    lacking = missing_core(order)
    for identifier in lacking:
        tally.add("core-missing", order.path, identifier)
    raw = value.get("raw")
    package = PresetPackage(
        id=_text(value.get("id")),
        name=_text(value.get("name")),
        source=_source(value.get("source")),
        prompts=holed.prompts,
        prompt_order=holed.items,
        generation=read_native_generation(value.get("generation"), tally),
        unsupported=_unsupported(value),
        message_policy=read_native_message_policy(value.get("messagePolicy"), tally),
        tool_policy=read_tool_policy(value),
        declared_tools=_tools(value.get("declaredTools")),
        order_character_id=_character_id(value.get("orderCharacterId")),
        raw=raw if isinstance(raw, Mapping) else value,
    )
    reading = Reading("native", dangling=found.dangling, missing_core=tuple(lacking))
    return package, reading


def _places(items: list[Any], tally: Tally) -> tuple[FilePlace, ...]:
    """The places in the order of their `orderIndex`; one without it keeps its place in the list."""
    places: list[tuple[float, FilePlace]] = []
    for index, item in enumerate(items):
        id = item.get("promptId") if isinstance(item, Mapping) else None
        if not isinstance(id, str) or not id:
            tally.add("order-unusable", f"promptOrder[{index}]")
            continue
        rank = number(item.get("orderIndex"))
        enabled = boolean(item.get("enabled")) is not False
        places.append((index if rank is None else rank, FilePlace(id, enabled, index)))
    return tuple(place for _, place in sorted(places, key=lambda one: one[0]))


def _source(value: Any) -> Source:
    return "sillytavern" if value == "sillytavern" else "native"


def _unsupported(value: Mapping[str, Any]) -> tuple[Unsupported, ...]:
    given = value.get("unsupported")
    told = [
        Unsupported(_text(one.get("path")), _text(one.get("reason")))
        for one in (given if isinstance(given, list) else ())
        if isinstance(one, Mapping) and isinstance(one.get("path"), str)
    ]
    known = {one.path for one in told}
    return (*told, *(Unsupported(name, UNKNOWN) for name in value if name not in FIELDS | known))


def _tools(value: Any) -> tuple[DeclaredTool, ...]:
    return tuple(
        DeclaredTool(
            one["name"],
            _text(one.get("description")),
            one["parameters"],
            _text(one.get("path")),
        )
        for one in (value if isinstance(value, list) else ())
        if isinstance(one, Mapping) and _text(one.get("name")) and isinstance(one.get("parameters"), Mapping)
    )


def _character_id(value: Any) -> int | str | None:
    return value if isinstance(value, int | str) and not isinstance(value, bool) else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
