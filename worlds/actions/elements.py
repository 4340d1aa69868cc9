"""Writing elements: documents of a folder, entries of a list file, prompts. One action for each verb."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext_noop

from formats.errors import DomainError
from formats.finding import Finding
from formats.stable_json import canonical_json, read_json
from portal.models import Person
from worlds.actions.naming import named, with_part_ids
from worlds.actions.writing import Refused, changing
from worlds.elements import entry_key
from worlds.kinds import ElementKind
from worlds.models import World
from worlds.rules.documents import KINDS
from worlds.rules.paths import document_of, document_path
from worlds.rules.prompts import PLACEHOLDERS, SHIPPED_LANGUAGES, inert, prompt_of, prompt_path
from worlds.rules.reader import ReadDocument, read_document
from worlds.rules.write import change_world_file, document_bytes
from worlds.store.change import Change
from worlds.store.etags import ABSENT


def entry_etag(entry: Mapping[str, Any]) -> str:
    """The ETag of one list entry, so that two people may edit two entries of one file."""
    return f'"{sha256(canonical_json(dict(entry)).encode()).hexdigest()}"'


def save_element(
    *, actor: Person, world: World, kind: ElementKind, key: str, value: Any, etag: str
) -> tuple[str, str]:
    """Write one element over what it was; gives its key (an entry's may change) and its new ETag.

    `value` is the JSON value or its text; of a prompt the text. `etag` is what the person saw.

    Raises:
        Refused: the world's reader does not take it; nothing is written.
        DomainError: `precondition` when somebody else saved it in between, with the present ETag in
            `values["etag"]`; `not-found`; as `changing`.
    """
    with changing(actor=actor, world=world, what="edit", note=_note(kind, key)) as change:
        if kind.holds == "documents":
            path = document_path(kind.document, key)
            if not change.has(path):
                raise no_such_element(key)
            filled = with_part_ids(kind, value) if isinstance(value, dict) else value
            return key, change.write(path, _accepted(change, kind.document, filled, path), if_match=etag)
        if kind.holds == "prompts":
            return key, change.write(_prompt_path(key), _prompt_bytes(value), if_match=etag)
        return _save_entry(change, kind, key, _entry_value(kind, value), etag)


def add_element(*, actor: Person, world: World, kind: ElementKind, value: Any) -> str:
    """Write a new element and give its key. Ids that are left out are made from names.

    Raises:
        Refused: the world's reader does not take it.
        DomainError: `conflict` for a prompt that is already there; as `changing`.
    """
    with changing(actor=actor, world=world, what="add", note=kind.slug) as change:
        if kind.holds == "documents":
            whole = named(kind, value, _taken_ids(change, kind))
            path = document_path(kind.document, str(whole["id"]))
            change.write(path, _accepted(change, kind.document, whole, path), if_match=ABSENT)
            if kind.document == "location":
                _begin_in_the_only_place(change, str(whole["id"]))
            return str(whole["id"])
        if kind.holds == "prompts":
            path = _prompt_path(str(value["key"]))
            if change.has(path):
                raise already_there(str(value["key"]))
            change.write(path, _prompt_bytes(value["text"]), if_match=ABSENT)
            return str(value["key"])
        whole, entries = _list_of(change, kind)
        taken = {entry_key(kind, entry) for entry in entries if isinstance(entry, dict)}
        entry = named(kind, value, taken)
        _write_list(change, kind, whole, [*entries, entry])
        return entry_key(kind, entry)


def _begin_in_the_only_place(change: Change, location: str) -> None:
    """A world's first place is where its stories start: with places it needs a start to stay startable."""
    if len(change.paths("locations")) == 1:
        change_world_file(
            change,
            lambda world: (
                world if world.starting_location else world.model_copy(update={"starting_location": location})
            ),
        )


def delete_element(*, actor: Person, world: World, kind: ElementKind, key: str) -> str:
    """Move one element to the world's own trash; gives the change's id, which `undo_change` takes.

    Raises:
        DomainError: `not-found`; as `changing`.
    """
    with changing(actor=actor, world=world, what="delete", note=_note(kind, key)) as change:
        if kind.holds == "entries":
            whole, entries = _list_of(change, kind)
            at = _place_of(kind, entries, key)
            # Taking an entry away moves those behind it, and what is wrong with them, to other places.
            _write_list(change, kind, whole, entries[:at] + entries[at + 1 :], judged=False)
        else:
            change.remove(_prompt_path(key) if kind.holds == "prompts" else document_path(kind.document, key))
    return change.id


def save_file(*, actor: Person, world: World, path: str, text: str, etag: str) -> str:
    """Write a whole document or prompt from its source; gives the new ETag. The way to mend a broken file.

    Raises:
        Refused: the world's reader does not take it.
        DomainError: `invalid` for a path that is no document; `precondition`; as `changing`.
    """
    name, prompt = document_of(path), prompt_of(path)
    if name is None and prompt is None:
        raise DomainError(
            "invalid",
            "not-a-document",
            path,
            gettext_noop("Only documents and prompts of a world can be edited. Nothing was changed."),
        )
    with changing(actor=actor, world=world, what="edit", note=path) as change:
        data = _prompt_bytes(text) if name is None else _accepted(change, name[0], text, path)
        return change.write(path, data, if_match=etag)


def no_such_element(key: str) -> DomainError:
    """Nothing of this name is in the world (any more)."""
    return DomainError(
        "not-found",
        "no-such-element",
        key[:80],
        gettext_noop("This element is not in the world. It may have been renamed or deleted."),
        gettext_noop("Look in the list, or in the world's history, where deleted ones can be restored."),
    )


def already_there(key: str) -> DomainError:
    """A second prompt of the same name and language."""
    return DomainError(
        "conflict",
        "already-there",
        key[:80],
        gettext_noop("This world already has this prompt. Nothing was changed."),
        gettext_noop("Open it and edit it there."),
    )


# --- documents ------------------------------------------------------------------------------------------


def _accepted(change: Change, document: str, value: Any, path: str) -> bytes:
    """The bytes of a document; refused for errors that its present file does not have already."""
    if isinstance(value, dict):
        value = {"schema": KINDS[document].model.schema_of(), **value}
    before = read_document(document, change.read(path), path).findings if change.has(path) else ()
    return _document(read_document(document, value, path), before)


def _document(read: ReadDocument, before: Sequence[Finding]) -> bytes:
    new = [found for found in read.findings if found.severity == "error" and found not in before]
    if read.document is None or new:
        raise Refused(new or read.findings)
    return document_bytes(read.document)


def _taken_ids(change: Change, kind: ElementKind) -> set[str]:
    """Ids that are in use, of characters and factions together since `known_by` names either."""
    folders = {"characters", "factions"} if kind.folder in ("characters", "factions") else {kind.folder}
    names = (document_of(path) for folder in folders for path in change.paths(folder))
    return {name[1] for name in names if name}


# --- entries of a list file -----------------------------------------------------------------------------


def _save_entry(
    change: Change, kind: ElementKind, key: str, value: dict[str, Any], etag: str
) -> tuple[str, str]:
    whole, entries = _list_of(change, kind)
    at = _place_of(kind, entries, key)
    if entry_etag(entries[at]) != etag and entries[at] != value:
        raise _entry_changed(kind, key, entry_etag(entries[at]))
    _write_list(change, kind, whole, [*entries[:at], value, *entries[at + 1 :]])
    return entry_key(kind, value), entry_etag(value)


def _list_of(change: Change, kind: ElementKind) -> tuple[dict[str, Any], list[Any]]:
    """The list file as JSON and its entries; a new one where there is none.

    Raises:
        DomainError: `invalid` when the file is there and cannot be read; its source can be mended.
    """
    if not change.has(kind.file):
        return {"schema": KINDS[kind.document].model.schema_of()}, []
    whole = change.read_json(kind.file)
    entries = whole.get(kind.list_field, []) if isinstance(whole, dict) else None
    if not isinstance(entries, list):
        raise Refused(read_document(kind.document, whole, kind.file).findings)
    return whole, entries


def _place_of(kind: ElementKind, entries: Sequence[Any], key: str) -> int:
    for at, entry in enumerate(entries):
        if isinstance(entry, dict) and entry_key(kind, entry) == key:
            return at
    raise no_such_element(key)


def _write_list(
    change: Change, kind: ElementKind, whole: dict[str, Any], entries: list[Any], judged: bool = True
) -> None:
    """Write the file with other entries; refused for errors that were not there before."""
    read = read_document(kind.document, {**whole, kind.list_field: entries}, kind.file)
    before = read_document(kind.document, whole, kind.file).findings if judged else read.findings
    change.write(kind.file, _document(read, before))


def _entry_value(kind: ElementKind, value: Any) -> dict[str, Any]:
    """A list entry from the form's value or from its source text."""
    if isinstance(value, str):
        try:
            value = read_json(value)
        except ValueError as error:
            raise Refused([_not_json(kind, str(error))]) from error
    if not isinstance(value, dict):
        raise Refused([_not_json(kind, gettext_noop("an object is expected"))])
    return value


def _not_json(kind: ElementKind, reason: str) -> Finding:
    return Finding(
        "error",
        "not-json",
        kind.file,
        gettext_noop("This is no JSON object ({reason}). Nothing was saved."),
        gettext_noop("Look for a missing comma, quote or bracket."),
        {"reason": reason[:200]},
    )


def _entry_changed(kind: ElementKind, key: str, etag: str) -> DomainError:
    return DomainError(
        "precondition",
        "changed-meanwhile",
        _note(kind, key),
        gettext_noop("“{key}” was changed by someone else in the meantime. Nothing was overwritten."),
        gettext_noop("Look at what is there now, then save again."),
        {"key": key, "etag": etag},
    )


# --- prompts --------------------------------------------------------------------------------------------


def _prompt_path(key: str) -> str:
    language, _dot, name = key.partition(".")
    if language not in SHIPPED_LANGUAGES or name not in PLACEHOLDERS:
        raise no_such_element(key)
    return prompt_path(language, name)


def _prompt_bytes(text: Any) -> bytes:
    """A prompt's file: foreign placeholders made inert, one newline at the end (world-format, "prompts")."""
    plain = str(text).replace("\r\n", "\n")
    return (inert(plain).rstrip() + "\n").encode()


def _note(kind: ElementKind, key: str) -> str:
    """What the history calls an element: its path, and for an entry its key behind it."""
    if kind.holds == "documents":
        return document_path(kind.document, key)
    return _prompt_path(key) if kind.holds == "prompts" else f"{kind.file}: {key}"
