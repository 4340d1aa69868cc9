"""Which ids a world knows, by kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from worlds.rules.documents import KINDS
from worlds.rules.load import LoadedWorld


def exit_ids(loaded: LoadedWorld) -> Iterable[str]:
    """The id of every exit of every location that could be read."""
    return (exit.id for location in loaded.locations.values() for exit in location.exits)


_LISTED: Mapping[str, tuple[str, Callable[[LoadedWorld], Iterable[str]]]] = {
    "exit": ("location", exit_ids),
    "variable": ("variables", lambda loaded: (declared.key for declared in loaded.variables.variables)),
    "command": ("commands", lambda loaded: (command.name for command in loaded.commands.commands)),
}
"""Ids that are listed inside documents: the kind of those documents, and how to get at them."""


class KnownIds:
    """The ids of one world.

    A document that cannot be read counts as existing. What it would have listed cannot be judged, so no
    reference to an exit, a variable or a command dangles while a file that lists such is unreadable.
    """

    def __init__(self, loaded: LoadedWorld) -> None:
        broken_kinds = {kind for kind, _ in loaded.broken}
        self._unjudged = {kind for kind, (listed_in, _) in _LISTED.items() if listed_in in broken_kinds}
        self._ids = {kind: set(held) for kind, held in loaded.documents.items() if KINDS[kind].folder}
        for kind, id in loaded.broken:
            if KINDS[kind].folder:
                self._ids[kind].add(id)
        for kind, (_, ids) in _LISTED.items():
            self._ids[kind] = set(ids(loaded))

    def has(self, kinds: Iterable[str], id: str) -> bool:
        """Whether the id names something of one of the kinds, or may do so."""
        return any(kind in self._unjudged or id in self._ids[kind] for kind in kinds)
