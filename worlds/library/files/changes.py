"""What differs between two states of a part of an item, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from formats.text.diff import TextDiff, diff_text


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field before and after; None is what a state does not say."""

    name: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class FieldChanges:
    """The fields of one part that is in both states and not the same; `content` is that of its text."""

    fields: tuple[FieldChange, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """What changed, by name."""
        return tuple(change.name for change in self.fields)

    def text(self) -> TextDiff | None:
        """The change of its text by sentence, computed when asked for; None where it is the same."""
        change = next((change for change in self.fields if change.name == "content"), None)
        return diff_text(str(change.before), str(change.after)) if change else None


def differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[FieldChange, ...]:
    """The fields that are not the same, in the order of the newer state, those that went last."""
    names = dict.fromkeys((*new, *old))
    return tuple(
        FieldChange(name, old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)
    )
