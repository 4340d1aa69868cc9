"""Two people in one thing: what is there, what was written, and for each field whose it shall be."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Final

from formats.stable_json import read_json
from formats.text.diff import TextDiff, diff_text
from portal.access import nothing_here
from portal.models import Person
from worlds.changes import names_of
from worlds.store.folder import ItemFolder
from worlds.store.record import ChangeRecord
from worlds.versions import Saved

LOOKED_AT: Final = 50  # changes of the history, to find who saved


@dataclass(frozen=True, slots=True)
class Field:
    """A field that is not the same: both values in words, for a text what differs; `both` can be had."""

    name: str
    label: str
    theirs: str
    yours: str
    diff: TextDiff | None
    both: bool


@dataclass(frozen=True, slots=True)
class Fields:
    """How the fields of a kind are told: those that are texts, those that are lists of words, the rest."""

    label: Callable[[str], str]
    words: Callable[[str, Any], str]
    texts: Collection[str]
    lists: Collection[str] = ()

    def differing(self, theirs: Mapping[str, Any], yours: Mapping[str, Any]) -> list[Field]:
        """The fields of `yours` that are others than `theirs`."""
        return [
            self._field(name, theirs.get(name), value)
            for name, value in yours.items()
            if theirs.get(name) != value
        ]

    def both(self, name: str, theirs: Any, yours: Any) -> Any:
        """A value that keeps what either says, where there is one; else yours."""
        if name in self.texts:
            return both_texts(theirs, yours)
        if name in self.lists:
            return list(dict.fromkeys([*theirs, *yours]))
        return yours

    def chosen(
        self, theirs: Mapping[str, Any], yours: Mapping[str, Any], picks: Mapping[str, str]
    ) -> dict[str, Any]:
        """What to save of `yours`, by what a form of the template `library/conflict.html` picked."""
        everything = picks.get("pick")
        chosen: dict[str, Any] = {}
        for name, value in yours.items():
            pick = everything or picks.get(f"pick-{name}", "yours")
            if theirs.get(name) != value and pick != "theirs":
                chosen[name] = self.both(name, theirs.get(name), value) if pick == "both" else value
        return chosen

    def _field(self, name: str, theirs: Any, yours: Any) -> Field:
        text = name in self.texts
        return Field(
            name,
            self.label(name),
            self.words(name, theirs),
            self.words(name, yours),
            diff_text(_whole_signs(theirs), _whole_signs(yours)) if text else None,
            text or name in self.lists,
        )


def both_texts(theirs: str, yours: str) -> str:
    """Every sentence of either, theirs before yours where they differ."""
    diff = diff_text(theirs, yours)
    if diff.uncompared:
        return f"{theirs}\n\n{yours}"
    joined = ""
    for change in diff.changes:
        if change.kind == "added" and joined and not joined[-1].isspace():
            joined += "\n"
        joined += change.text
    return joined


def carried_fields(text: str, known: Collection[str], check: Callable[[str, Any], None]) -> dict[str, Any]:
    """What the page carried of somebody's own fields; `check` refuses a value that its field cannot hold.

    Raises:
        DomainError: `not-found` for what no page wrote; as `check`.
    """
    try:
        value = read_json(text)
    except ValueError:
        value = None
    if not isinstance(value, dict) or not value.keys() <= set(known):
        raise nothing_here()
    for name, one in value.items():
        check(name, one)
    return value


def last_saved(
    folder: ItemFolder, reader: Person, touches: Callable[[ChangeRecord], bool], at: datetime | None = None
) -> Saved:
    """Who saved a thing last and when, as far as the history knows; `who` is "" where it does not.

    Saves of one sitting are one step of the history, with the time of its beginning: `at` may know better.
    """
    for record in islice(folder.history(), LOOKED_AT):
        if touches(record):
            who = names_of({record.by}, reader).get(record.by, record.by)
            return Saved(who, record.by == reader.handle, at or datetime.fromisoformat(record.at))
    return Saved("", False, at)


def _whole_signs(text: Any) -> str:
    return str(text).encode("utf-8", "replace").decode().replace("\0", "")
