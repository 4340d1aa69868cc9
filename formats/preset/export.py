"""`sillytavern_of`: a package as SillyTavern's file, our holes taken out again.

What was not edited is not touched: the file is read once more, and only what differs from that is written
over its raw objects. Unknown fields, odd spellings and other orders stay as they were. Secrets are not there
any more, since the package does not have them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, Final

from formats.preset.generation import FILE_NAMES, RUNTIME_NAMES
from formats.preset.kinds import OLD_TEXTS, body_of, shape_of
from formats.preset.model import (
    OUR_HOLES,
    Generation,
    MessagePolicy,
    OrderItem,
    PresetPackage,
    PresetPrompt,
    ToolPolicy,
)
from formats.preset.order import GENERAL, listed_orders
from formats.preset.policies import SQUASH_FIELD, TOOL_FIELDS, squash_value
from formats.preset.prompts import INJECTION_FIELDS
from formats.preset.reader import Ordered, read_body, read_settings
from formats.preset.telling import Tally

PROMPT_NAMES: Final[Mapping[str, str]] = {
    "source_identifier": "identifier",
    "name": "name",
    "enabled": "enabled",
    "role": "role",
    "content": "content",
    "marker": "marker",
    "system_prompt": "system_prompt",
    "forbid_overrides": "forbid_overrides",
}


def sillytavern_of(package: PresetPackage) -> dict[str, Any]:
    """The preset as a chat-completion file of SillyTavern. Nothing of the package's `raw` is changed."""
    package = _with_own_identifiers(package)
    body = {name: value for name, value in body_of(package.raw).items() if not _is_moved(name, value)}
    before, settings = read_body(body, "", Tally()), read_settings(body, Tally())
    written = dict(body)
    _write_generation(written, package.generation, settings.generation)
    if package.message_policy != settings.message_policy:
        _write_squash(written, package.message_policy)
    if package.tool_policy != settings.tool_policy:
        _write_tool_policy(written, package.tool_policy)
    written["prompts"] = list(_prompts(package, body, before))
    if _is_reordered(package, before):
        written["prompt_order"] = _orders(package, body, before)
    elif before.chosen is not None and before.chosen.at is None:
        written["prompt_order"] = [_general(_wrapped(listed_orders(body["prompt_order"])))]
    elif before.chosen is not None:
        written["prompt_order"] = listed_orders(body["prompt_order"])
    if shape_of(written) is None:
        written["prompt_order"] = []  # by which a file without prompts is known as a preset
    return written


def _with_own_identifiers(package: PresetPackage) -> PresetPackage:
    """Every prompt of the order can be named there: one without an identifier, or with that of an earlier
    prompt, gets its id for one."""
    placed = {item.prompt_id for item in package.prompt_order}
    taken: set[str] = set()
    prompts = []
    for prompt in package.prompts:
        if prompt.id in placed and (not prompt.source_identifier or prompt.source_identifier in taken):
            prompt = replace(prompt, source_identifier=prompt.id)
        taken.add(prompt.source_identifier)
        prompts.append(prompt)
    return replace(package, prompts=tuple(prompts))


def _is_moved(name: str, value: Any) -> bool:
    """Whether a text of very old presets became a prompt: left here it would win over that."""
    return name in OLD_TEXTS and isinstance(value, str) and bool(value)


def _is_reordered(package: PresetPackage, before: Ordered) -> bool:
    """Whether the file's order would say something else: a name that meant nothing may mean a new prompt."""
    named = {prompt.source_identifier for prompt in package.prompts}
    now = _line(package.prompt_order, package.prompts)
    return now != _line(before.holed.items, before.holed.prompts) or not named.isdisjoint(
        before.resolved.dangling
    )


def _line(items: Iterable[OrderItem], prompts: Iterable[PresetPrompt]) -> list[tuple[str, str, bool]]:
    identifiers = {prompt.id: prompt.source_identifier for prompt in prompts}
    return [(item.prompt_id, identifiers.get(item.prompt_id, ""), item.enabled) for item in items]


def _write_generation(written: dict[str, Any], now: Generation, before: Generation) -> None:
    for one in fields(Generation):
        value = getattr(now, one.name)
        if value == getattr(before, one.name):
            continue
        written.pop(RUNTIME_NAMES.get(one.name, ""), None)
        written.pop(FILE_NAMES[one.name], None)
        if value is not None:
            written[FILE_NAMES[one.name]] = value


def _write_squash(written: dict[str, Any], policy: MessagePolicy | None) -> None:
    written.pop(SQUASH_FIELD, None)
    if policy is not None:
        written[SQUASH_FIELD] = squash_value(policy)


def _write_tool_policy(written: dict[str, Any], policy: ToolPolicy) -> None:
    for name in TOOL_FIELDS:
        written.pop(name, None)
    written[TOOL_FIELDS[0]] = policy.to_json()


def _prompts(package: PresetPackage, body: Mapping[str, Any], before: Ordered) -> Iterator[Any]:
    """The raw list with what was edited written over it; what is new comes after it."""
    raw = _list_of(body.get("prompts"))
    was = _by_raw_index(before.holed.prompts)
    now = _by_raw_index(package.prompts)
    for index, item in enumerate(raw):
        if index not in was:
            yield item
        elif index in now:
            yield _written(item, now[index], was[index])
    for prompt in package.prompts:
        is_old = prompt.raw_index in was and now[prompt.raw_index] is prompt
        if not is_old and not prompt.is_our_hole and not prompt.was_added:
            yield _written({}, prompt, None)


def _by_raw_index(prompts: Iterable[PresetPrompt]) -> dict[int | None, PresetPrompt]:
    """The prompts by the item each is from; the first counts, a copy of it is a new one."""
    found: dict[int | None, PresetPrompt] = {}
    for prompt in prompts:
        if prompt.raw_index is not None:
            found.setdefault(prompt.raw_index, prompt)
    return found


def _written(item: Mapping[str, Any], now: PresetPrompt, was: PresetPrompt | None) -> dict[str, Any]:
    written = dict(item)
    for field, name in PROMPT_NAMES.items():
        value = getattr(now, field)
        if was is None or value != getattr(was, field):
            _put(written, name, value)
    for field, name in INJECTION_FIELDS.items():
        value = getattr(now.injection, field, None)
        if value != (getattr(was.injection, field, None) if was else None):
            _put(written, name, value)
    if now.triggers != (was.triggers if was else ()):
        written["injection_trigger"] = list(now.triggers)
    if was is None and not now.source_identifier:
        written["identifier"] = now.id
    return written


def _put(written: dict[str, Any], name: str, value: Any) -> None:
    if value is None:
        written.pop(name, None)
    else:
        written[name] = value


def _wrapped(places: list[Any]) -> list[Any]:
    """A bare list of places, as an order of SillyTavern holds them."""
    return [one if isinstance(one, Mapping) else {"identifier": str(one), "enabled": True} for one in places]


def _general(places: list[Any]) -> dict[str, Any]:
    return {"character_id": GENERAL, "order": places}


def _orders(package: PresetPackage, body: Mapping[str, Any], before: Ordered) -> list[Any]:
    """Every order of the file, with the chosen one written anew, without the holes that reading put in."""
    left_out = set(OUR_HOLES) & set(before.holed.added)
    orders, chosen = listed_orders(body.get("prompt_order")), before.chosen
    if chosen is None or chosen.at is None:
        general = _general(list(_places(package, orders, left_out)))
        return [*(one for one in orders if _is_another_order(one)), general]
    taken = orders[chosen.at]
    places = list(_places(package, _list_of(taken["order"]), left_out))
    return [{**one, "order": places} if one is taken else one for one in orders]


def _is_another_order(value: Any) -> bool:
    """Whether an item of `prompt_order` is an order, and not the general one (which then has no places)."""
    return isinstance(value, Mapping) and "order" in value and str(value.get("character_id")) != str(GENERAL)


def _places(package: PresetPackage, raw: list[Any], left_out: set[str]) -> Iterator[dict[str, Any]]:
    known: dict[Any, Mapping[str, Any]] = {}
    for place in raw:
        if isinstance(place, Mapping) and isinstance(place.get("identifier"), str):
            known.setdefault(place["identifier"], place)
    for item in package.prompt_order:
        prompt = package.by_id.get(item.prompt_id)
        if prompt is None or prompt.id in left_out:
            continue
        identifier = prompt.source_identifier
        yield {**known.get(identifier, {"identifier": identifier}), "enabled": item.enabled}


def _list_of(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
