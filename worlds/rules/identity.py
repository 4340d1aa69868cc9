"""Who is who in a world: ids that clash or contradict their file, and names that two things share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from formats.finding import Finding
from formats.messages import gettext_noop as _
from formats.text.names import compared
from worlds.rules.documents import KINDS, title_of
from worlds.rules.load import LoadedWorld
from worlds.rules.paths import document_path

_NAMED_TOGETHER = (("character", "location", "faction", "item"), ("lore",), ("plotline",))
"""Kinds among which two equal names confuse; lore is often called like the person it speaks of."""

_SHARED_IDS = (("character", "faction"), ("location",), ("item",), ("lore",), ("plotline",))
"""Each kind has its own ids, except that characters and factions share theirs: `known_by` names either."""


def id_problems(loaded: LoadedWorld) -> Iterator[Finding]:
    """Errors: an id that is not the file's name, and ids that are the same once case is ignored."""
    yield from _mismatches(loaded)
    yield from _duplicate_ids(loaded)
    yield from _duplicate_exits(loaded)


def same_names(loaded: LoadedWorld) -> Iterator[Finding]:
    """Warnings: two elements with one name, whatever its case."""
    for kinds in _NAMED_TOGETHER:
        named: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for kind in kinds:
            for id, document in loaded.documents[kind].items():
                title = title_of(document)
                named[compared(title.strip())].append((document_path(kind, id), title))
        for (first, _title), *others in named.values():
            for where, title in others:
                yield Finding(
                    "warning",
                    "same-name",
                    f"{where}: {KINDS[kinds[0]].title_field}",
                    _("“{name}” is the name of both {file} and {other}."),
                    _("Rename one of them if they are two things."),
                    {"name": title[:120], "file": where, "other": first},
                )


def _mismatches(loaded: LoadedWorld) -> Iterator[Finding]:
    for kind, documents in loaded.documents.items():
        for id, document in documents.items():
            where = document_path(kind, id)
            declared = getattr(document, "id", id)
            if declared != id:
                yield Finding(
                    "error",
                    "id-mismatch",
                    f"{where}: id",
                    _("{file} says its id is “{id}”, but its file name says “{name}”."),
                    _("Give both the same id. Other documents point to the file name."),
                    {"file": where, "id": declared[:80], "name": id},
                )


def _duplicate_ids(loaded: LoadedWorld) -> Iterator[Finding]:
    for group in _SHARED_IDS:
        owners: dict[str, str] = {}
        for kind in group:
            for id, document in loaded.documents[kind].items():
                where = document_path(kind, id)
                declared = str(getattr(document, "id", id))
                other = owners.setdefault(compared(declared), where)
                if other != where:
                    yield _duplicate(f"{where}: id", declared, other)


def _duplicate_exits(loaded: LoadedWorld) -> Iterator[Finding]:
    owners: dict[str, str] = {}
    for id, location in loaded.locations.items():
        where = document_path("location", id)
        for at, exit in enumerate(location.exits):
            other = owners.setdefault(exit.id, where)
            if other != where:
                yield _duplicate(f"{where}: exits[{at}].id", exit.id, other)


def _duplicate(where: str, id: str, other: str) -> Finding:
    return Finding(
        "error",
        "duplicate-id",
        where,
        _("The id “{id}” is already used by {other}."),
        _("Give one of the two another id."),
        {"id": id[:80], "other": other},
    )
