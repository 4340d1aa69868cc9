"""The references between documents, read off the models: a field whose widget is `ref:…` holds ids.

One walk serves the check (which ids dangle), mending (drop them), renaming (point them elsewhere) and
"mentioned by". What a lost reference takes with it follows from the shape: an optional one becomes empty, a
list loses the id, and a part that cannot be without it is lost itself; where that part was required (what
sets off a trigger), its owner is lost too. A list marked `emptied="lost"` takes its owner along when nothing
is left of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from worlds.rules.documents import Part, holds_parts, trait

P = TypeVar("P", bound=Part)


@dataclass(frozen=True, slots=True)
class Reference:
    """An id at `key` (such as `exits[2].to`) that should name something of one of `kinds`."""

    key: str
    kinds: tuple[str, ...]
    id: str


Judge = Callable[[Reference], str | None]
"""Answers the id to keep (the same or another one), or None to drop the reference."""

LOST = object()
"""What is left of a field that cannot stand any more."""


@dataclass(frozen=True, slots=True)
class _Slot:
    """A field that holds references (`kinds`), or parts that may hold some (no `kinds`)."""

    name: str
    key: str
    kinds: tuple[str, ...]
    required: bool
    lost_when_empty: bool


def references_of(document: Part) -> list[Reference]:
    """Every reference a document holds, in the order of its fields. Empty ids are none."""
    found: list[Reference] = []

    def note(reference: Reference) -> str:
        found.append(reference)
        return reference.id

    rewritten(document, note)
    return found


def rewritten(part: P, judge: Judge, prefix: str = "") -> P | None:
    """The part with every reference as `judge` answers; the same object where nothing changes.

    None where the part cannot stand without a reference that was dropped.
    """
    changes: dict[str, Any] = {}
    lost = False
    for slot in _slots(type(part)):
        value = getattr(part, slot.name)
        if value is None or value == "":
            continue
        kept = _rewritten_field(part, slot, value, judge, prefix + slot.key)
        if kept is LOST:
            lost = lost or slot.required
            changes[slot.name] = None
        elif kept is not value:
            lost = lost or (slot.lost_when_empty and not kept)
            changes[slot.name] = kept
    if lost:
        return None
    return part.model_copy(update=changes) if changes else part


@cache
def _slots(shape: type[Part]) -> tuple[_Slot, ...]:
    slots = []
    for name, field in shape.model_fields.items():
        widget = str(trait(field, "widget") or "")
        kinds = tuple(widget.removeprefix("ref:").split("|")) if widget.startswith("ref:") else ()
        if kinds or holds_parts(field):
            lost_when_empty = trait(field, "emptied") == "lost"
            slots.append(_Slot(name, field.alias or name, kinds, field.is_required(), lost_when_empty))
    return tuple(slots)


def _rewritten_field(part: Part, slot: _Slot, value: Any, judge: Judge, key: str) -> Any:
    if not slot.kinds:
        return _rewritten_parts(value, judge, key)
    kinds = _kinds_by_scope(part) if slot.kinds == ("@scope",) else slot.kinds
    if not kinds:
        return value
    if isinstance(value, str):
        answer = judge(Reference(key, kinds, value))
        return LOST if answer is None else value if answer == value else answer
    if isinstance(value, dict):
        named = {judge(Reference(f"{key}.{id}", kinds, id)): held for id, held in value.items()}
        kept = {id: held for id, held in named.items() if id is not None}
        return value if list(kept) == list(value) else kept
    answers = [judge(Reference(f"{key}[{at}]", kinds, id)) for at, id in enumerate(value)]
    return value if answers == value else [id for id in answers if id is not None]


def _kinds_by_scope(part: Part) -> tuple[str, ...]:
    """A variable of the world applies to nothing in particular, so its list holds no references."""
    scope = str(getattr(part, "scope", "world"))
    return () if scope == "world" else (scope,)


def _rewritten_parts(value: Any, judge: Judge, key: str) -> Any:
    if isinstance(value, Part):
        kept = rewritten(value, judge, f"{key}.")
        return LOST if kept is None else kept
    answers = [rewritten(part, judge, f"{key}[{at}].") for at, part in enumerate(value)]
    if all(new is old for new, old in zip(answers, value, strict=True)):
        return value
    return [part for part in answers if part is not None]
