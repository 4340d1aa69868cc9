"""One element as its file has it: the value, its ETag and its text. Read from the folder each time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from formats.errors import DomainError
from formats.finding import Finding
from formats.stable_json import read_json, write_json
from worlds.actions.elements import entry_etag, no_such_element
from worlds.elements import element_of, entry_key
from worlds.kinds import ElementKind
from worlds.models import World
from worlds.queries import folder_of
from worlds.rules.paths import document_path
from worlds.rules.prompts import PLACEHOLDERS, SHIPPED_LANGUAGES, prompt_path
from worlds.rules.reader import parse_document
from worlds.store.etags import digest_of, etag_of


@dataclass(frozen=True, slots=True)
class Stored:
    """An element on disk.

    `value` is its JSON object, None where it cannot be read as one (then only its source can be edited); of a
    prompt `text` is everything. `path` is the file, `root` the beginning of `Finding.where` for this element.
    """

    path: str
    etag: str
    text: str
    value: dict[str, Any] | None
    root: str
    findings: tuple[Finding, ...] = ()


def stored_element(world: World, kind: ElementKind, key: str) -> Stored:
    """Read one element.

    Raises:
        DomainError: `not-found` when it is not there; `invalid` when its list file cannot be read.
    """
    if kind.holds == "documents":
        return _document(world, kind, key)
    if kind.holds == "entries":
        return _entry(world, kind, key)
    language, _dot, name = key.partition(".")
    if language not in SHIPPED_LANGUAGES or name not in PLACEHOLDERS:
        raise no_such_element(key)
    path = prompt_path(language, name)
    data = _read(world, path, key)
    return Stored(path, etag_of(digest_of(data)), data.decode("utf-8-sig", "replace"), None, path)


def stored_info(world: World) -> Stored:
    """`world.json`. Raises DomainError `not-found` when it is missing."""
    data = folder_of(world).read("world.json")
    return _parsed("world", "world.json", data)


def stored_file(world: World, path: str, document: str) -> Stored:
    """Any document by its path; a missing one is empty."""
    folder = folder_of(world)
    if not folder.has(path):
        return Stored(path, "absent", "", None, path)
    return _parsed(document, path, folder.read(path))


def _document(world: World, kind: ElementKind, key: str) -> Stored:
    try:
        path = document_path(kind.document, key)
    except ValueError as error:
        raise no_such_element(key) from error
    return _parsed(kind.document, path, _read(world, path, key))


def _parsed(document: str, path: str, data: bytes) -> Stored:
    read = parse_document(document, data, path)
    value: dict[str, Any] | None = None
    if read.document is not None:
        # The file's own value, not the model's: keys stand as they were written.
        value = read_json(data.decode("utf-8-sig"))
    text = data.decode("utf-8-sig", "replace")
    return Stored(path, etag_of(digest_of(data)), text, value, path, read.findings)


def _entry(world: World, kind: ElementKind, key: str) -> Stored:
    whole = folder_of(world).read_json(kind.file) if folder_of(world).has(kind.file) else {}
    entries = whole.get(kind.list_field, []) if isinstance(whole, dict) else []
    for at, entry in enumerate(entries if isinstance(entries, list) else ()):
        if isinstance(entry, dict) and entry_key(kind, entry) == key:
            root = f"{kind.file}: {kind.list_field}[{at}]"
            return Stored(kind.file, entry_etag(entry), write_json(entry), entry, root)
    raise no_such_element(key)


def _read(world: World, path: str, key: str) -> bytes:
    try:
        return folder_of(world).read(path)
    except DomainError as error:
        if error.kind == "not-found":
            raise no_such_element(key) from error
        raise


def findings_at(findings: list[Finding], kind: ElementKind, key: str, root: str) -> list[Finding]:
    """The findings of a world that speak of one element."""
    return [
        finding
        for finding in findings
        if finding.where == root
        or finding.where.startswith((f"{root}.", f"{root}: "))
        or element_of(finding.where) == (kind.name, key)
    ]
