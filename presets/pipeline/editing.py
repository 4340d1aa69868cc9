"""Edits of a package, one by one: prompts, their places and switches, parameters. A package is never changed.

Every edit gives a new package, or raises DomainError `invalid`, `not-found` or `full` with nothing done.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields as fields_of_class
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

from formats.errors import DomainError
from formats.messages import gettext_noop
from formats.preset.model import (
    FIXED_HOLES,
    IN_HISTORY,
    PARAMETERS,
    POST_TURN,
    ROLES,
    SQUASHES,
    TOOL_MODES,
    Generation,
    Injection,
    MessagePolicy,
    OrderItem,
    PresetPackage,
    PresetPrompt,
    ToolPolicy,
)
from formats.preset.ranges import is_in_range
from formats.preset.reader import MOST_PROMPTS
from formats.stable_json import canonical_json

LONGEST_NAME: Final = 300
LONGEST_TEXT: Final = 1_000_000
DEEPEST: Final = 10_000
PROMPT_FIELDS: Final = ("name", "role", "content", "in_history", "depth", "order")
TEXT_PARAMETERS: Final = ("verbosity", "reasoning_effort")
SWITCH_PARAMETERS: Final = ("stream",)
OTHER_SETTINGS: Final = ("squash", "tool_mode")
LAST: Final = ""
"""What `moved` takes for the end of the order."""


def etag_of_prompt(prompt: PresetPrompt) -> str:
    """Equal as long as nothing of the prompt has changed; its place in the order is not part of it."""
    return _etag(prompt.to_json())


def fields_of(prompt: PresetPrompt) -> dict[str, Any]:
    """A prompt as the flat fields of a form."""
    place = prompt.injection or Injection()
    return {
        "name": prompt.name,
        "role": prompt.role,
        "content": prompt.content,
        "in_history": prompt.in_history,
        "depth": place.depth_used,
        "order": place.order_used,
    }


def prompt_in(package: PresetPackage, prompt_id: str) -> PresetPrompt:
    """A prompt of the package. Raises DomainError `not-found`."""
    prompt = package.by_id.get(prompt_id)
    if prompt is None:
        raise DomainError(
            "not-found",
            "preset.no-such-prompt",
            prompt_id[:200],
            gettext_noop("This prompt is not in the preset any more. It may have been deleted meanwhile."),
            gettext_noop("An earlier version of the preset still has it."),
        )
    return prompt


def with_fields(prompt: PresetPrompt, fields: Mapping[str, Any]) -> PresetPrompt:
    """The prompt with some of its flat fields replaced; what they leave as it was keeps its spelling."""
    there = fields_of(prompt)
    new = {name: value for name, value in fields.items() if name not in there or there[name] != value}
    for name, value in new.items():
        check_field(name, value)
    plain = {name: new[name] for name in ("name", "role", "content") if name in new}
    if prompt.is_hole and "content" in plain:
        raise bad_field("content")
    injection = prompt.injection
    if {"in_history", "depth", "order"} & new.keys():
        injection = _placed(prompt, new)
    return replace(prompt, **plain, injection=injection)


def replaced(package: PresetPackage, prompt: PresetPrompt) -> PresetPackage:
    """The package with the prompt in the place of that of its id."""
    prompts = (prompt if one.id == prompt.id else one for one in package.prompts)
    return replace(package, prompts=tuple(prompts))


def added(package: PresetPackage, prompt: PresetPrompt, after: str = "") -> PresetPackage:
    """The package with a new prompt, on, after another of the order; else last, before what comes last."""
    refuse_too_many(package)
    line = [item.prompt_id for item in package.prompt_order]
    at = line.index(after) + 1 if after in line else _end_of(package)
    order = [*package.prompt_order[:at], OrderItem(prompt.id, True, 0), *package.prompt_order[at:]]
    return replace(package, prompts=(*package.prompts, prompt), prompt_order=_numbered(order))


def without(package: PresetPackage, prompt_id: str) -> PresetPackage:
    """The package without a prompt. The history and the places around it cannot be taken out."""
    _refuse_fixed(prompt_in(package, prompt_id))
    order = [item for item in package.prompt_order if item.prompt_id != prompt_id]
    prompts = tuple(prompt for prompt in package.prompts if prompt.id != prompt_id)
    return replace(package, prompts=prompts, prompt_order=_numbered(order))


def put_back(package: PresetPackage, former: PresetPackage, prompt_id: str) -> PresetPackage:
    """The package with a prompt that it had before, where it stood: after those that stood before it."""
    prompt = prompt_in(former, prompt_id)
    if prompt_id in package.by_id:
        return package
    refuse_too_many(package)
    prompts = list(package.prompts)
    prompts.insert(_where(prompt_id, [one.id for one in former.prompts], [one.id for one in prompts]), prompt)
    order, line = list(package.prompt_order), [item.prompt_id for item in former.prompt_order]
    if prompt_id in line:
        at = _where(prompt_id, line, [item.prompt_id for item in order])
        order.insert(at, former.prompt_order[line.index(prompt_id)])
    return replace(package, prompts=tuple(prompts), prompt_order=_numbered(order))


def unplaced(package: PresetPackage, prompt_id: str) -> PresetPackage:
    """The package with a prompt out of the order, among those that are not used."""
    _refuse_fixed(prompt_in(package, prompt_id))
    order = [item for item in package.prompt_order if item.prompt_id != prompt_id]
    return replace(package, prompt_order=_numbered(order))


def moved(package: PresetPackage, prompt_id: str, *, before: str | None = None) -> PresetPackage:
    """The package with a prompt before another in the order (`LAST`: at the end).

    One that is not in the order yet comes in, switched on; without `before` it comes where new ones do, and
    one that is there stays. `placing` has the moves in the list as people see it.
    """
    prompt = prompt_in(package, prompt_id)
    items = {item.prompt_id: item for item in package.prompt_order}
    if prompt_id not in items and prompt.is_hole and prompt_id != prompt.source_identifier:
        raise place_once(prompt)  # a later one of its name, which no file could name in an order
    item = items.get(prompt_id) or OrderItem(prompt_id, True, 0)
    line = [one.prompt_id for one in package.prompt_order]
    rest = [one for one in line if one != prompt_id]
    if before is None:
        at = line.index(prompt_id) if prompt_id in line else _end_of(package)
    else:
        if before not in (LAST, *rest):
            prompt_in(package, before)
            raise bad_field("before")
        at = rest.index(before) if before else len(rest)
    order = [items[one] for one in rest[:at]] + [item] + [items[one] for one in rest[at:]]
    return replace(package, prompt_order=_numbered(order))


def switched(package: PresetPackage, prompt_id: str, on: bool) -> PresetPackage:
    """The package with a prompt on or off.

    A prompt has two switches, in itself and in the order, and is sent when both are on (PRE-2): switching on
    sets both, switching off the order's alone, which is the one that SillyTavern shows.
    """
    prompt = prompt_in(package, prompt_id)
    line = {item.prompt_id for item in package.prompt_order}
    if on and prompt_id not in line:
        package = moved(package, prompt_id)
    if on and not prompt.enabled:
        package = replaced(package, replace(prompt, enabled=True))
    order = package.prompt_order
    turned = (replace(item, enabled=on) if item.prompt_id == prompt_id else item for item in order)
    return replace(package, prompt_order=tuple(turned))


def settings_of(package: PresetPackage) -> dict[str, Any]:
    """Parameters by our names (None: the preset does not say), the level of merging, and the way of tools."""
    policy = package.message_policy
    return {
        **{name: getattr(package.generation, name) for name in PARAMETERS},
        "squash": policy.squash if policy else None,
        "tool_mode": package.tool_policy.mode,
    }


def etag_of_settings(package: PresetPackage) -> str:
    """Equal as long as no parameter has changed."""
    return _etag(settings_of(package))


def with_settings(package: PresetPackage, fields: Mapping[str, Any]) -> PresetPackage:
    """The package with some of its settings replaced; None takes one out."""
    there = settings_of(package)
    for name, value in fields.items():
        if name not in there or value != there[name] or type(value) is not type(there[name]):
            check_setting(name, value)  # what a file has may stay, whatever it is
    wanted = {**there, **fields}
    squash = wanted["squash"]
    return replace(
        package,
        generation=Generation(**{one.name: wanted[one.name] for one in fields_of_class(Generation)}),
        message_policy=MessagePolicy(squash) if squash is not None else None,
        tool_policy=ToolPolicy(wanted["tool_mode"]),
    )


def _placed(prompt: PresetPrompt, new: Mapping[str, Any]) -> Injection:
    there = prompt.injection or Injection()
    position = there.position
    if "in_history" in new:
        if prompt.source_identifier in FIXED_HOLES:
            raise bad_field("in_history")
        position = IN_HISTORY if new["in_history"] else 0
    return Injection(position, new.get("depth", there.depth), new.get("order", there.order))


def check_field(name: str, value: Any) -> None:
    """Raises DomainError `invalid` for a field of a prompt that is none, or a value it cannot hold."""
    sound = {
        "name": _is_text(value, LONGEST_NAME) and bool(value.strip()),
        "role": value in ROLES,
        "content": _is_text(value, LONGEST_TEXT),
        "in_history": isinstance(value, bool),
        "depth": type(value) is int and 0 <= value <= DEEPEST,
        "order": _is_number(value),
    }
    if not sound.get(name, False):
        raise bad_field(name)


def check_setting(name: str, value: Any) -> None:
    """Raises DomainError `invalid` for a setting that is none, or a value it cannot hold."""
    if name == "squash":
        sound = value is None or value in SQUASHES
    elif name == "tool_mode":
        sound = value in TOOL_MODES
    elif name not in PARAMETERS:
        sound = False
    elif name in TEXT_PARAMETERS:
        sound = value is None or (_is_text(value, LONGEST_NAME) and bool(value))
    else:
        sound = value is None or (
            isinstance(value, bool)
            if name in SWITCH_PARAMETERS
            else _is_number(value) and is_in_range(name, value)
        )
    if not sound:
        raise bad_field(name)


def _is_text(value: Any, longest: int) -> bool:
    """A text that can be stored: half of a character could not."""
    return (
        isinstance(value, str) and len(value) <= longest and value.encode("utf-8", "ignore").decode() == value
    )


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= 1e15  # no number that is none, nor an endless one


def _end_of(package: PresetPackage) -> int:
    """Where something new comes: at the end, but before the place that is always last."""
    order = package.prompt_order
    if order and package.by_id[order[-1].prompt_id].source_identifier == POST_TURN:
        return len(order) - 1
    return len(order)


def _where(one: str, former: list[str], now: list[str]) -> int:
    """Where it comes back: after the last of those that stood before it."""
    before = set(former[: former.index(one)])
    return max((place for place, other in enumerate(now, 1) if other in before), default=0)


def _numbered(order: list[OrderItem]) -> tuple[OrderItem, ...]:
    return tuple(replace(item, index=index) for index, item in enumerate(order))


def _refuse_fixed(prompt: PresetPrompt) -> None:
    if prompt.is_hole and prompt.source_identifier in FIXED_HOLES:
        raise DomainError(
            "invalid",
            "preset.fixed-place",
            prompt.id,
            gettext_noop("“{name}” is a place that every preset has. Nothing was changed."),
            gettext_noop("Switch it off if nothing is to be put there."),
            {"name": prompt.name},
        )


def refuse_too_many(package: PresetPackage) -> None:
    """Raises DomainError `full` where no further prompt has room."""
    if len(package.prompts) >= MOST_PROMPTS:
        raise DomainError(
            "full",
            "preset.too-many-prompts",
            "",
            gettext_noop("A preset holds at most {count} prompts. Nothing was added."),
            args={"count": MOST_PROMPTS},
        )


def place_once(prompt: PresetPrompt) -> DomainError:
    """The refusal of a second place of one kind."""
    return DomainError(
        "invalid",
        "preset.place-once",
        prompt.id[:200],
        gettext_noop("“{name}” is filled when a request is made, and only once. Nothing was added."),
        args={"name": prompt.name},
    )


def bad_field(name: str) -> DomainError:
    """The refusal of a value that a field cannot hold."""
    return DomainError(
        "invalid",
        "preset.bad-field",
        name[:80],
        gettext_noop("{field} cannot hold this. Nothing was changed."),
        args={"field": name[:80]},
    )


def _etag(value: Any) -> str:
    return sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()[:40]
