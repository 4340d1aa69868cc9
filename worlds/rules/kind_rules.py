"""What each kind of document demands of itself beyond its shape; no other file is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from formats.finding import Finding
from formats.messages import gettext_noop as _
from formats.text.names import is_element_id
from worlds.rules.documents import (
    Character,
    Commands,
    Document,
    Item,
    Location,
    Lore,
    Plotline,
    Triggers,
    Variables,
    WorldFile,
    kind_of,
)
from worlds.rules.paths import is_image_path
from worlds.rules.variables import variable_problems


def own_problems(document: Document, where: str) -> list[Finding]:
    """Errors and warnings of one document by the rules of its kind."""
    problems = list(_id_problems(document, where)) if kind_of(document).folder else []
    rule = _RULES.get(type(document))
    if rule is not None:
        problems += rule(document, where)
    return problems


def image_references(document: Document) -> dict[str, str]:
    """Where a document names pictures: field to path; empty names are none."""
    if isinstance(document, WorldFile):
        named = {"cover": document.cover}
    elif isinstance(document, Character):
        named = {"portrait.file": document.portrait.file if document.portrait else None}
    else:
        named = {"picture": document.picture if isinstance(document, Location) else None}
    return {field: path for field, path in named.items() if path}


def _id_problems(document: Document, where: str) -> Iterator[Finding]:
    id = str(getattr(document, "id", ""))
    if not is_element_id(id):
        yield Finding(
            "error",
            "id-form",
            f"{where}: id",
            _("“{id}” cannot be an id. An id has small letters and digits, with - between words."),
            _("Give the document another id; nothing else needs to change."),
            {"id": id[:80]},
        )


def _image_problems(document: Document, where: str) -> Iterator[Finding]:
    for field, path in image_references(document).items():
        if not is_image_path(path):
            yield Finding(
                "error",
                "image-path",
                f"{where}: {field}",
                _("“{path}” cannot be the path of a picture; pictures lie below images/."),
                _("Choose a picture of this world, or leave the place empty."),
                {"path": path[:200]},
            )


def _item_problems(item: Item, where: str) -> Iterator[Finding]:
    if item.held_by and item.location:
        yield Finding(
            "error",
            "item-in-two-places",
            f"{where}: held_by",
            _("“{name}” is held by someone and lies somewhere at once; only one can be true."),
            _("Choose who holds it or where it lies."),
            {"name": item.name},
        )


def _lore_problems(lore: Lore, where: str) -> Iterator[Finding]:
    if lore.scope == "everyone" and lore.known_by:
        yield Finding(
            "error",
            "known-by-everyone",
            f"{where}: known_by",
            _("“{name}” is known to everyone, yet lists who knows it."),
            _("Empty the list, or let only those listed know it."),
            {"name": lore.title},
        )
    if lore.valid_from is not None and lore.valid_until is not None and lore.valid_from > lore.valid_until:
        yield Finding(
            "warning",
            "lore-never-valid",
            f"{where}: valid_until",
            _("“{name}” ends before it begins, so it never holds."),
            _("Change one of the two dates."),
            {"name": lore.title},
        )


def _location_problems(location: Location, where: str) -> Iterator[Finding]:
    yield from _image_problems(location, where)
    yield from _twice(where, "exits[{at}].id", (exit.id for exit in location.exits))


def _plotline_problems(plotline: Plotline, where: str) -> Iterator[Finding]:
    yield from _twice(where, "stages[{at}].id", (stage.id for stage in plotline.stages))


def _variables_problems(variables: Variables, where: str) -> Iterator[Finding]:
    yield from variable_problems(variables.variables, where)


def _commands_problems(commands: Commands, where: str) -> Iterator[Finding]:
    yield from _twice(where, "commands[{at}].name", (command.name for command in commands.commands))
    for at, command in enumerate(commands.commands):
        if len(command.name.split()) != 1 or command.name != command.name.strip():
            yield Finding(
                "error",
                "command-name",
                f"{where}: commands[{at}].name",
                _("The command “{name}” must be one word without spaces."),
                _("Change its name; triggers that use it must name it the same way."),
                {"name": command.name[:80]},
            )


def _triggers_problems(triggers: Triggers, where: str) -> Iterator[Finding]:
    yield from _twice(where, "triggers[{at}].id", (trigger.id for trigger in triggers.triggers))


def _twice(where: str, key: str, ids: Iterable[str]) -> Iterator[Finding]:
    seen: set[str] = set()
    for at, id in enumerate(ids):
        if id in seen:
            yield Finding(
                "error",
                "duplicate-id",
                f"{where}: {key.replace('{at}', str(at))}",
                _("“{id}” stands twice in {file}."),
                _("Rename or remove one of the two."),
                {"id": id[:80], "file": where},
            )
        seen.add(id)


_RULES: Mapping[type[Document], Callable[[Any, str], Iterator[Finding]]] = {
    WorldFile: _image_problems,
    Character: _image_problems,
    Location: _location_problems,
    Item: _item_problems,
    Lore: _lore_problems,
    Plotline: _plotline_problems,
    Variables: _variables_problems,
    Commands: _commands_problems,
    Triggers: _triggers_problems,
}
