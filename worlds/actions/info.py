"""Changing `world.json`: what a world says about itself, and how its stories open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from formats.stable_json import canonical_json
from portal.models import Person
from worlds.actions.writing import Refused, changing
from worlds.models import World
from worlds.rules.documents import WORLD_INFO_FIELDS, WorldFile
from worlds.rules.reader import read_document
from worlds.rules.write import WORLD_FILE, change_world_file

FIELDS = ("name", *WORLD_INFO_FIELDS)


def fields_etag(stored: Mapping[str, Any], fields: tuple[str, ...]) -> str:
    """An ETag over some fields of `world.json`: two people may change different fields at once (WORLD-2)."""
    seen = {field: stored.get(field) for field in fields}
    return sha256(canonical_json(seen).encode()).hexdigest()


def edit_info(
    *, actor: Person, world: World, fields: tuple[str, ...], values: Mapping[str, Any], etag: str
) -> None:
    """Write some fields of `world.json`; `etag` is `fields_etag` of all `fields` as the person saw them.

    Raises:
        Refused: the world's reader does not take a value.
        DomainError: `precondition` when one of these very fields was changed in between; as `changing`.
    """
    unknown = {*fields, *values} - set(FIELDS)
    if unknown:
        raise ValueError(f"not fields a person edits here: {sorted(unknown)}")

    def change(stored: dict[str, Any]) -> dict[str, Any]:
        if fields_etag(stored, fields) != etag:
            raise _changed_meanwhile(fields_etag(stored, fields))
        return {**stored, **values}

    _rewrite(actor, world, "edit", change)


def rename_world(*, actor: Person, world: World, name: str) -> None:
    """Give a world another name. Its id and address stay (D4)."""
    _rewrite(actor, world, "rename", lambda stored: {**stored, "name": name})


def choose_opening(*, actor: Person, world: World, number: int, text: str) -> None:
    """Make an alternate opening the one stories start with; the former one takes its place in the list.

    `text` is the opening's text as the person saw it.
    """

    def change(stored: dict[str, Any]) -> dict[str, Any]:
        others = _others(stored, number, text)
        chosen, former = others[number], str(stored.get("opening", ""))
        rest = [*others[:number], *([{"label": "", "text": former}] if former else []), *others[number + 1 :]]
        return {**stored, "opening": chosen["text"], "alternate_openings": rest}

    _rewrite(actor, world, "edit", change)


def move_opening(*, actor: Person, world: World, number: int, text: str, by: int) -> None:
    """Move an alternate opening up (-1) or down (1) in the list; at its end nothing changes."""

    def change(stored: dict[str, Any]) -> dict[str, Any]:
        others = _others(stored, number, text)
        target = min(max(number + by, 0), len(others) - 1)
        others.insert(target, others.pop(number))
        return {**stored, "alternate_openings": others}

    _rewrite(actor, world, "edit", change)


def _others(stored: Mapping[str, Any], number: int, text: str) -> list[dict[str, Any]]:
    others = [dict(other) for other in stored.get("alternate_openings", ())]
    if not 0 <= number < len(others) or others[number].get("text") != text:
        raise _changed_meanwhile("")
    return others


def _rewrite(
    actor: Person, world: World, what: str, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    """Change the value of `world.json` as it is now, under the lock (WORLD-2); keys nobody reads are kept."""
    with changing(actor=actor, world=world, what=what, note=WORLD_FILE) as staged:
        change_world_file(
            staged,
            lambda before: _accepted(before, change(staged.read_json(WORLD_FILE))),
            now=timezone.now(),
        )


def _accepted(before: WorldFile, changed: dict[str, Any]) -> WorldFile:
    """The changed value as a document. Raises Refused for an error that was not there before."""
    known = read_document("world", before.to_json(), WORLD_FILE).findings
    read = read_document("world", changed, WORLD_FILE)
    new = [found for found in read.findings if found.severity == "error" and found not in known]
    if not isinstance(read.document, WorldFile) or new:
        raise Refused(new or read.findings)
    return read.document


def _changed_meanwhile(etag: str) -> DomainError:
    return DomainError(
        "precondition",
        "changed-meanwhile",
        WORLD_FILE,
        gettext_noop(
            "This part of the world was changed by someone else meanwhile. Nothing was overwritten."
        ),
        gettext_noop("Look at what is there now, then save again."),
        {"etag": etag},
    )
