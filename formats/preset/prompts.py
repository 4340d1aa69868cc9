"""The prompts of a file become `PresetPrompt`s; nothing is dropped without being told (PRE-1, PRE-14)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from formats.leniency import boolean, number, text
from formats.preset.model import (
    DEFAULT_DEPTH,
    FIXED_HOLES,
    HOLES,
    IN_HISTORY,
    ROLES,
    Injection,
    Number,
    PresetPrompt,
    Role,
)
from formats.preset.telling import Tally

ROLE_SPELLINGS: Final[Mapping[str, Role]] = {
    "model": "assistant",
    "bot": "assistant",
    "ai": "assistant",
    "char": "assistant",
    "character": "assistant",
    "human": "user",
    "player": "user",
    "developer": "system",
    "0": "system",
    "1": "user",
    "2": "assistant",
}
INJECTION_FIELDS: Final[Mapping[str, str]] = {
    "position": "injection_position",
    "depth": "injection_depth",
    "order": "injection_order",
}
USUAL_POSITIONS: Final = (None, 0, IN_HISTORY)

PROMPT_FIELDS: Final = frozenset(
    {"identifier", "name", "enabled", "role", "content", "marker", "system_prompt", "forbid_overrides"}
    | {"injection_trigger", *INJECTION_FIELDS.values()}
)
"""The fields that have a place in the package."""


def read_prompts(items: Sequence[Any], path: str, tally: Tally) -> list[PresetPrompt]:
    """The prompts of the list at `path`. Their ids are unique; `raw_index` says which item each was."""
    taken: set[str] = {
        identifier for item in items if isinstance(item, Mapping) and (identifier := _identifier(item))
    }
    met: dict[str, int] = {}
    prompts = []
    for index, item in enumerate(items):
        where = f"{path}[{index}]"
        if not isinstance(item, Mapping):
            tally.add("prompt-skipped", where)
            continue
        identifier = _identifier(item)
        met[identifier] = times = met.get(identifier, 0) + 1
        id = identifier
        if not identifier:
            id = _free(f"prompt-{index + 1}", taken)
            tally.add("identifier-missing", where, text(item.get("name")) or id)
        elif times > 1:
            id = _free(f"{identifier}#{times}", taken)
            tally.add("identifier-repeated", where, f"{identifier} ({text(item.get('name')) or id})")
        prompts.append(_prompt(item, id, identifier, index, where, tally))
    return prompts


def read_native_prompts(items: Sequence[Any], tally: Tally) -> list[PresetPrompt]:
    """The prompts of a preset in our own form: the same fields by our own names, with ids of their own."""
    taken: set[str] = set()
    prompts = []
    for index, item in enumerate(items):
        where = f"prompts[{index}]"
        if not isinstance(item, Mapping):
            tally.add("prompt-skipped", where)
            continue
        identifier = text(item.get("sourceIdentifier")) or ""
        id = text(item.get("id")) or identifier or f"prompt-{index + 1}"
        if id in HOLES and identifier != id:
            id += "'"  # the name of a hole is for the hole alone
        at = item.get("rawIndex")
        read = _prompt(_as_tavern(item), _free(id, taken), identifier, index, where, tally)
        prompts.append(replace(read, raw_index=at if type(at) is int else None))
    return prompts


def _as_tavern(item: Mapping[str, Any]) -> dict[str, Any]:
    place = item.get("injection")
    place = place if isinstance(place, Mapping) else {}
    return {
        **{name: item.get(name) for name in ("name", "role", "content", "marker")},
        **{field: place.get(name) for name, field in INJECTION_FIELDS.items()},
        "enabled": item.get("enabled", True),
        "system_prompt": item.get("systemPrompt"),
        "forbid_overrides": item.get("forbidOverrides"),
        "injection_trigger": item.get("triggers"),
    }


def first_by_identifier(prompts: Iterable[PresetPrompt]) -> dict[str, PresetPrompt]:
    """What an identifier in an order means: the first prompt that has it."""
    found: dict[str, PresetPrompt] = {}
    for prompt in prompts:
        if prompt.source_identifier:
            found.setdefault(prompt.source_identifier, prompt)
    return found


def _identifier(item: Mapping[str, Any]) -> str:
    value = item.get("identifier")
    return text(value) or "" if isinstance(value, str | int) else ""


def _free(id: str, taken: set[str]) -> str:
    while id in taken:
        id += "'"
    taken.add(id)
    return id


def _prompt(
    item: Mapping[str, Any], id: str, identifier: str, index: int, where: str, tally: Tally
) -> PresetPrompt:
    named = text(item.get("name"))
    name = named or identifier or id
    marker = boolean(item.get("marker"))
    if marker is None or identifier in FIXED_HOLES:
        marker = identifier in HOLES
    enabled = boolean(item.get("enabled", True))
    if enabled is None:
        tally.add("switch-unreadable", f"{where}.enabled", name)
    prompt = PresetPrompt(
        id=id,
        name=name,
        content=_content(item, where, name, tally),
        role=read_role(item.get("role"), f"{where}.role", name, tally, is_place=marker),
        enabled=enabled is not False,
        marker=marker,
        source_identifier=identifier,
        injection=_injection(item, where, name, tally),
        system_prompt=boolean(item.get("system_prompt")),
        forbid_overrides=boolean(item.get("forbid_overrides")),
        triggers=_texts(item.get("injection_trigger")),
        raw_index=index,
    )
    _tell_place(prompt, where, tally)
    return prompt


def _content(item: Mapping[str, Any], where: str, name: str, tally: Tally) -> str:
    content = item.get("content")
    if content is None or content == []:
        return ""
    written = text(content)
    if written is None:
        tally.add("content-unusable", f"{where}.content", name)
    return written or ""


def read_role(value: Any, where: str, name: str, tally: Tally, *, is_place: bool) -> Role:
    """The role of a prompt: missing, null and unknown ones are system (D20). A place need not name one."""
    if value is None or value == "":
        if not is_place:
            tally.add("role-missing", where, name)
        return "system"
    word = str(value).strip().lower() if isinstance(value, str | int) else ""
    for role in ROLES:
        if word == role:
            return role
    if word in ROLE_SPELLINGS:
        tally.add("role-read", where, name)
        return ROLE_SPELLINGS[word]
    tally.add("role-unknown", where, name)
    return "system"


def _injection(item: Mapping[str, Any], where: str, name: str, tally: Tally) -> Injection | None:
    read: dict[str, Number] = {}
    for ours, field in INJECTION_FIELDS.items():
        value = item.get(field)
        if value is None or value == "":
            continue
        if (given := number(value)) is None:
            tally.add("number-unusable", f"{where}.{field}", name)
        else:
            read[ours] = given
    return Injection(**read) if read else None


def _texts(value: Any) -> tuple[str, ...]:
    items = value if isinstance(value, list) else [value]
    return tuple(item for item in items if isinstance(item, str) and item)


def _tell_place(prompt: PresetPrompt, where: str, tally: Tally) -> None:
    place = prompt.injection
    if place is None or prompt.is_hole:
        return
    if place.position not in USUAL_POSITIONS:
        tally.add("position-odd", f"{where}.injection_position", prompt.name)
    elif place.in_history and place.depth is None:
        tally.add("depth-missing", where, prompt.name, depth=DEFAULT_DEPTH)
