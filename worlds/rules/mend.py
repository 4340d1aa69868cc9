"""What code can decide about a world that does not hold together: it drops references to nothing (DRAFT-1).

Only that. A missing opening, a circle of places, people nobody wrote: these need a decision and stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from formats.finding import Finding
from formats.messages import gettext_noop as _
from worlds.rules.documents import Document, Triggers, Variables, kind_of
from worlds.rules.known import KnownIds
from worlds.rules.load import LoadedWorld
from worlds.rules.references import Reference, rewritten

_FIRST = ("location", "variables")
"""Mended before the rest: dropping an exit or a variable leaves references to it without a target."""

_DROPPED: Mapping[str, str] = {
    "character": _("“{id}” was dropped from {file}, because no character of that id exists."),
    "location": _("“{id}” was dropped from {file}, because no place of that id exists."),
    "faction": _("“{id}” was dropped from {file}, because no faction of that id exists."),
    "item": _("“{id}” was dropped from {file}, because no item of that id exists."),
    "lore": _("“{id}” was dropped from {file}, because no lore entry of that id exists."),
    "exit": _("“{id}” was dropped from {file}, because no way of that id exists."),
    "variable": _("“{id}” was dropped from {file}, because no variable of that key exists."),
    "command": _("“{id}” was dropped from {file}, because no command of that name exists."),
}
_DROPPED_OTHERWISE = _("“{id}” was dropped from {file}, because nothing of that id exists.")


@dataclass(frozen=True, slots=True)
class Mended:
    """The documents that changed, by path, and a note for everything that was dropped."""

    documents: Mapping[str, Document]
    notes: tuple[Finding, ...]


def mend(loaded: LoadedWorld) -> Mended:
    """Drop every reference that names nothing; nothing is written.

    `loaded.changed(mended.documents)` has no dangling reference any more. A variable that was limited to
    things of which none exists, and a trigger without anything left to start it or to do, go with a note.
    """
    changed: dict[str, Document] = {}
    notes: list[Finding] = []
    for first in (True, False):
        known = KnownIds(loaded)
        found = dict(_mended(loaded, known, notes, first=first))
        loaded = loaded.changed(found)
        changed |= found
    return Mended(changed, tuple(notes))


def _mended(
    loaded: LoadedWorld, known: KnownIds, notes: list[Finding], *, first: bool
) -> Iterator[tuple[str, Document]]:
    for path, document in loaded.by_path().items():
        if (kind_of(document).name in _FIRST) is not first:
            continue
        kept = _without_dangling(document, path, known, notes)
        if kept is not document:
            notes += _lost(document, kept, path)
            yield path, kept


def _without_dangling(document: Document, path: str, known: KnownIds, notes: list[Finding]) -> Document:
    def judge(reference: Reference) -> str | None:
        if known.has(reference.kinds, reference.id):
            return reference.id
        notes.append(_dropped(path, reference))
        return None

    kept = rewritten(document, judge)
    assert kept is not None, "no document has a reference without which it cannot stand"
    return kept


def _dropped(path: str, reference: Reference) -> Finding:
    only = reference.kinds[0] if len(reference.kinds) == 1 else ""
    return Finding(
        "info",
        "reference-dropped",
        f"{path}: {reference.key}",
        _DROPPED.get(only, _DROPPED_OTHERWISE),
        args={"id": reference.id[:80], "file": path},
    )


def _lost(before: Document, after: Document, path: str) -> Iterator[Finding]:
    """Notes for whole declarations and triggers that could not stand without what was dropped."""
    if isinstance(before, Variables) and isinstance(after, Variables):
        kept = {declared.key for declared in after.variables}
        message = _("The variable “{name}” was left out, because nothing it was limited to exists.")
        gone = [declared.key for declared in before.variables if declared.key not in kept]
    elif isinstance(before, Triggers) and isinstance(after, Triggers):
        kept = {trigger.id for trigger in after.triggers}
        message = _("The trigger “{name}” was left out, because nothing is left to start it or for it to do.")
        gone = [trigger.id for trigger in before.triggers if trigger.id not in kept]
    else:
        return
    for name in gone:
        yield Finding("info", "mechanism-left-out", path, message, args={"name": name[:80]})
