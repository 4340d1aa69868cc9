"""A fix and an answer become files to write. Nothing is written here."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from formats.errors import DomainError
from formats.messages import gettext_noop as _
from formats.text.names import compared, element_id
from worlds.rules.documents import (
    KINDS,
    Character,
    Document,
    Exit,
    Item,
    Location,
    Lore,
    WorldFile,
    title_of,
)
from worlds.rules.fixes.shape import Fix
from worlds.rules.known import exit_ids
from worlds.rules.load import Changes, LoadedWorld
from worlds.rules.paths import document_of, document_path, place
from worlds.rules.prompts import inert, prompt_of
from worlds.rules.references import Reference, rewritten
from worlds.rules.write import document_bytes

_ENTRY = re.compile(r"(\w+)\[(\d+)\]")
Files = dict[str, bytes | None]


def apply_fix(loaded: LoadedWorld, fix: Fix, value: str = "") -> Files:
    """The files that change when the fix is applied: path to bytes, None for a file that goes to the trash.

    Args:
        fix: one that `smallest_fixes` offered for this very world.
        value: the answer; one of the choices, or the text.

    Raises:
        DomainError: `invalid` for an answer that is none of the choices, or an empty text.
    """
    if fix.input == "choice" and value not in {choice.value for choice in fix.choices}:
        raise _refused(_("Please choose one of the answers. Nothing was changed."), fix)
    if fix.input in ("text", "long") and not value.strip():
        raise _refused(_("Please write something. Nothing was changed."), fix)
    if fix.code in _ON_FILES:
        return _ON_FILES[fix.code](loaded, fix, value)
    changes = _ON_DOCUMENTS[fix.code](loaded, fix, value)
    return {path: document_bytes(document) if document else None for path, document in changes.items()}


def _refused(message: str, fix: Fix) -> DomainError:
    return DomainError("invalid", "no-answer", fix.where, message)


def _document(loaded: LoadedWorld, fix: Fix) -> tuple[str, str, Document]:
    """Path, key and document of the place a fix is for."""
    path, key = place(fix.where)
    return path, key, loaded.by_path()[path]


def _with(document: Document, **values: Any) -> Document:
    return document.model_copy(update=values)


def _write_opening(loaded: LoadedWorld, fix: Fix, value: str) -> Changes:
    path, _key, world = _document(loaded, fix)
    return {path: _with(world, opening=value.strip())}


def _use_other_opening(loaded: LoadedWorld, fix: Fix, value: str) -> Changes:
    path, _key, world = _document(loaded, fix)
    assert isinstance(world, WorldFile)
    others = list(world.alternate_openings)
    chosen = others.pop(int(value))
    return {path: _with(world, opening=chosen.text, alternate_openings=others)}


def _pick_starting_location(loaded: LoadedWorld, fix: Fix, value: str) -> Changes:
    path, _key, world = _document(loaded, fix)
    return {path: _with(world, starting_location=value)}


def _drop_reference(loaded: LoadedWorld, fix: Fix, value: str) -> Changes:
    return _point(loaded, fix, None)


def _point_elsewhere(loaded: LoadedWorld, fix: Fix, value: str) -> Changes:
    return _point(loaded, fix, value)


def _point(loaded: LoadedWorld, fix: Fix, target: str | None) -> Changes:
    path, key, document = _document(loaded, fix)
    return {path: rewritten(document, lambda it: target if it.key == key else it.id)}


def _leave_parent(loaded: LoadedWorld, fix: Fix, value: str) -> Changes:
    return {document_path("location", value): _with(loaded.locations[value], parent=None)}


def _add_way(loaded: LoadedWorld, fix: Fix, value: str) -> Changes:
    _path, _key, lost = _document(loaded, fix)
    assert isinstance(lost, Location)
    begin = loaded.locations[value]
    taken = {compared(id) for id in exit_ids(loaded)}
    name = f"{value} {lost.id}"
    way = Exit(id=element_id(name, "exit", len(taken) + 1, taken), to=lost.id, name=lost.name)
    return {document_path("location", value): _with(begin, exits=[*begin.exits, way])}


def _rename_document(loaded: LoadedWorld, fix: Fix, value: str) -> Changes:
    """A new id from the name; every reference that can only have meant this document follows."""
    kind, old = document_of(value) or ("", "")
    document = loaded.documents[kind][old]
    taken = {compared(id) for held in loaded.documents.values() for id in held}
    taken |= {compared(str(getattr(held, "id", ""))) for held in loaded.by_path().values()}
    new = element_id(title_of(document), kind, len(loaded.documents[kind]), taken)

    def follow(reference: Reference) -> str:
        others = (other for other in reference.kinds if other != kind and other in loaded.documents)
        meant = kind in reference.kinds and reference.id == old
        return new if meant and not any(old in loaded.documents[other] for other in others) else reference.id

    changes: dict[str, Document | None] = {}
    for path, held in loaded.by_path().items():
        kept = rewritten(held, follow)
        if path == value:
            changes[path] = None
            changes[document_path(kind, new)] = _with(kept or held, id=new)
        elif kept is not held:
            changes[path] = kept
    return changes


def _number_id(loaded: LoadedWorld, fix: Fix, value: str) -> Changes:
    """A new id for an exit, a stage or a trigger; references keep meaning the first of the two."""
    path, key, document = _document(loaded, fix)
    field, at = _entry(key)
    entries = list(getattr(document, field))
    own = {compared(entry.id) for entry in entries}
    taken = own | {compared(id) for id in exit_ids(loaded)} if field == "exits" else own
    new = element_id(entries[at].id, field.removesuffix("s"), at + 1, taken)
    entries[at] = entries[at].model_copy(update={"id": new})
    return {path: _with(document, **{field: entries})}


def _remove_entry(loaded: LoadedWorld, fix: Fix, value: str) -> Changes:
    path, key, document = _document(loaded, fix)
    field, at = _entry(key)
    entries = list(getattr(document, field))
    del entries[at]
    return {path: _with(document, **{field: entries})}


def _entry(key: str) -> tuple[str, int]:
    """List and number of the entry a key leads into: `variables[3].bands` is ("variables", 3)."""
    match = _ENTRY.match(key)
    if match is None:
        raise ValueError(f"{key} leads into no list")
    return match[1], int(match[2])


def _use_file_name(loaded: LoadedWorld, fix: Fix, value: str) -> Changes:
    path, _key, document = _document(loaded, fix)
    _kind, id = document_of(path) or ("", "")
    return {path: _with(document, id=id)}


def _choose_place(loaded: LoadedWorld, fix: Fix, value: str) -> Changes:
    path, _key, item = _document(loaded, fix)
    assert isinstance(item, Item)
    return {path: _with(item, **{"location" if value == "held_by" else "held_by": None})}


def _choose_scope(loaded: LoadedWorld, fix: Fix, value: str) -> Changes:
    path, _key, lore = _document(loaded, fix)
    assert isinstance(lore, Lore)
    return {path: _with(lore, scope="listed") if value == "listed" else _with(lore, known_by=[])}


def _no_picture(loaded: LoadedWorld, fix: Fix, value: str) -> Changes:
    path, key, document = _document(loaded, fix)
    return {path: _with(document, **{key.split(".")[0]: None})}


def _choose_picture(loaded: LoadedWorld, fix: Fix, value: str) -> Changes:
    path, key, document = _document(loaded, fix)
    if isinstance(document, Character):
        assert document.portrait is not None
        return {path: _with(document, portrait=document.portrait.model_copy(update={"file": value}))}
    return {path: _with(document, **{key: value})}


def _make_inert(loaded: LoadedWorld, fix: Fix, value: str) -> Files:
    path = place(fix.where)[0]
    prompt = prompt_of(path)
    assert prompt is not None
    return {path: inert(loaded.prompts[prompt]).encode()}


def _set_aside(loaded: LoadedWorld, fix: Fix, value: str) -> Files:
    return {place(fix.where)[0]: None}


def _write_world_file(loaded: LoadedWorld, fix: Fix, value: str) -> Files:
    return {KINDS["world"].file: document_bytes(WorldFile(name=value.strip()))}


_ON_DOCUMENTS: Mapping[str, Callable[[LoadedWorld, Fix, str], Changes]] = {
    "write-opening": _write_opening,
    "use-other-opening": _use_other_opening,
    "pick-starting-location": _pick_starting_location,
    "drop-reference": _drop_reference,
    "point-elsewhere": _point_elsewhere,
    "leave-parent": _leave_parent,
    "add-way": _add_way,
    "rename-document": _rename_document,
    "number-id": _number_id,
    "remove-entry": _remove_entry,
    "use-file-name": _use_file_name,
    "choose-place": _choose_place,
    "choose-scope": _choose_scope,
    "no-picture": _no_picture,
    "choose-picture": _choose_picture,
}
_ON_FILES: Mapping[str, Callable[[LoadedWorld, Fix, str], Files]] = {
    "make-inert": _make_inert,
    "set-aside": _set_aside,
    "write-world-file": _write_world_file,
}
