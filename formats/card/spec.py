"""What a card spec is: one file in this folder registers one `Spec`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from formats.notes import Notes

Age = Literal["current", "older", "foreign"]


@dataclass(frozen=True, slots=True)
class Raw:
    """A card laid out as V3 but not yet typed.

    `data` has V3 field names with values of any type; `extra` the unknown root fields; `found` the name of
    the spec for `CardSource.spec`; `where` the path of the data in the file (empty: the root).
    """

    data: dict[str, Any]
    found: str
    where: str = "data"
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Spec:
    """A shape of card JSON. `recognise` and `read` take untrusted objects and never raise."""

    name: str
    age: Age
    recognise: Callable[[dict[str, Any]], bool]
    read: Callable[[dict[str, Any], Notes], Raw]


def filled(value: Any) -> bool:
    """True for anything that says something: not null, not an empty text, list or object."""
    return value is not None and value not in ("", [], {})
