r"""`book.json`: a book in SillyTavern form, laid out so that one entry can be replaced by splicing bytes.

Our own layout is plain JSON, but every entry has a line of its own:

    {
    "name": "Fog",
    "entries": {
    "0": {"uid": 0, …},
    "1": {"uid": 1, …}
    }
    }

A JSON text holds no raw line break, so a line break is always the end of an entry, and `\n"1": {` after the
head is always the beginning of entry 1. A file in any other layout (edited by hand) is read in full and
written in ours. Nothing here looks at what an entry says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any, Final, NoReturn

from formats.errors import DomainError
from formats.messages import gettext_noop
from formats.stable_json import read_json

BOOK_FILE: Final = "book.json"
# What a key may be, so that every entry has an address of its own and a file can be read by eye.
_ENTRY_KEY = re.compile(r"[\w-][\w.-]{0,99}")
_OPENING = b"{\n"
_ENTRIES = b'\n"entries": {'
_CLOSING = b"\n}\n}\n"
# A line of an entry: its key, then its object, then a comma unless it is the last.
_LINE = re.compile(rb'"([^"\\\n]{1,400})": (\{[^\n]*\})(,?)(?:\n|\Z)')
_FEW: Final = 4


def is_entry_key(key: str) -> bool:
    """Whether a key of the map can be one of ours; other programs use whole numbers."""
    return _ENTRY_KEY.fullmatch(key) is not None


def write_book(value: Mapping[str, Any]) -> bytes:
    """The file of a book: head fields as given, `entries` last, each entry a line.

    Raises:
        ValueError: the value holds NaN or an infinity, or its entries are no map with plain keys.
    """
    entries = value.get("entries", {})
    if not isinstance(entries, Mapping) or not all(map(is_entry_key, entries)):
        raise ValueError("the entries of a book file are a map with plain keys")
    head = b"".join(
        _text(name) + b": " + _text(field) + b",\n" for name, field in value.items() if name != "entries"
    )
    lines = b",\n".join(_line(key, entry) for key, entry in entries.items())
    return _OPENING + head + _ENTRIES[1:] + (b"\n" if lines else b"") + lines + _CLOSING


def entry_bytes(entry: Mapping[str, Any]) -> bytes:
    """One entry as the book file has it; its hash is the entry's ETag."""
    return _text(entry)


def read_book_file(data: bytes) -> dict[str, Any]:
    """The whole book. Raises DomainError `invalid` for what is no book of ours."""
    try:
        value = read_json(data)
    except ValueError:
        _unreadable()
    if not isinstance(value, dict):
        _unreadable()
    entries = value.setdefault("entries", {})
    if not isinstance(entries, dict):
        _unreadable()
    for key, entry in entries.items():
        if not isinstance(entry, dict) or not is_entry_key(key):
            _unreadable(f"entries[{key[:100]!a}]")
    return value


def head_of(data: bytes) -> dict[str, Any]:
    """The fields of the book itself, without its entries. Raises as `read_book_file`."""
    if line_index(data) is None:
        return {**read_book_file(data), "entries": {}}
    return read_book_file(data[: _end_of_head(data)] + _CLOSING)


def line_index(data: bytes) -> dict[str, tuple[int, int]] | None:
    """Where each entry's object stands, by key in the order of the file; None in another layout."""
    start = _first_line(data)
    if start is None:
        return None
    end = len(data) - len(_CLOSING)
    found: dict[str, tuple[int, int]] = {}
    at, more = start, start < end
    while more:
        line = _LINE.match(data, at, end)
        key = line[1].decode("utf-8", "replace") if line else ""
        if line is None or key in found or not is_entry_key(key):
            return None
        found[key] = line.span(2)
        at, more = line.end(), bool(line[3])
    return found if at == max(start, end) else None


def entry_of(data: bytes, key: str) -> dict[str, Any] | None:
    """One entry's object; None when there is none of this key. Raises as `read_book_file`."""
    place = _place_of(data, key)
    if place is not None:
        value = _entry_at(data, place)
        if value is not None:
            return value
    entry = read_book_file(data)["entries"].get(key)
    return entry if isinstance(entry, dict) else None


def entries_of(data: bytes, keys: Collection[str]) -> dict[str, dict[str, Any]]:
    """Several entries' objects, those that are there. Raises as `read_book_file`."""
    if len(keys) < _FEW:
        alone = {key: entry_of(data, key) for key in keys}
        return {key: entry for key, entry in alone.items() if entry is not None}
    index = line_index(data)
    wanted = dict.fromkeys(keys)
    if index is not None:
        found = {key: _entry_at(data, index[key]) for key in wanted if key in index}
        if None not in found.values():
            return {key: entry for key, entry in found.items() if entry is not None}
    entries = read_book_file(data)["entries"]
    return {key: entries[key] for key in wanted if key in entries}


def keys_of(data: bytes) -> list[str]:
    """The keys of all entries in the order of the file. Raises as `read_book_file`."""
    index = line_index(data)
    return list(index if index is not None else read_book_file(data)["entries"])


def with_entry(data: bytes, key: str, entry: Mapping[str, Any]) -> bytes:
    """The file with one entry replaced, or added at the end. Raises as `read_book_file`, `write_book`."""
    place = _place_of(data, key)
    if place is not None and _entry_at(data, place) is not None:
        return b"".join((data[: place[0]], _text(entry), data[place[1] :]))
    index = line_index(data)
    if index is not None and key not in index:
        end = len(data) - len(_CLOSING)
        return b"".join((data[:end], b",\n" if index else b"\n", _line(key, entry), _CLOSING))
    book = read_book_file(data)
    book["entries"][key] = entry
    return write_book(book)


def with_entries(data: bytes, entries: Mapping[str, Mapping[str, Any]]) -> bytes:
    """The file with several entries replaced or added: one pass, however many. Raises as `with_entry`."""
    if len(entries) == 1:
        return with_entry(data, *next(iter(entries.items())))
    index = line_index(data)
    if index is None or not all(_entry_at(data, index[key]) is not None for key in entries if key in index):
        book = read_book_file(data)
        book["entries"].update(entries)
        return write_book(book)
    parts: list[bytes] = []
    at = 0
    for key, (start, end) in index.items():
        if key in entries:
            parts += (data[at:start], _text(entries[key]))
            at = end
    closing = len(data) - len(_CLOSING)
    parts.append(data[at:closing])
    added = b",\n".join(_line(key, entry) for key, entry in entries.items() if key not in index)
    if added:
        parts += (b",\n" if index else b"\n", added)
    return b"".join((*parts, _CLOSING))


def without(data: bytes, keys: Collection[str]) -> bytes:
    """The file without some entries; keys that are not there change nothing. Raises as `read_book_file`."""
    gone = set(keys)
    index = line_index(data)
    if index is None or not all(_entry_at(data, index[key]) is not None for key in gone if key in index):
        book = read_book_file(data)
        book["entries"] = {key: entry for key, entry in book["entries"].items() if key not in gone}
        return write_book(book)
    start = _first_line(data)
    assert start is not None  # there is an index
    kept = [_key_text(key) + data[slice(*place)] for key, place in index.items() if key not in gone]
    lines = b",\n".join(kept)
    return data[: start if lines else _end_of_head(data)] + lines + _CLOSING


def with_head(data: bytes, fields: Mapping[str, Any]) -> bytes:
    """The file with fields of the book itself replaced; None removes one. Raises as `read_book_file`."""
    head_end = _end_of_head(data)
    if line_index(data) is None:
        return write_book(_with_fields(read_book_file(data), fields))
    changed = write_book(_with_fields(head_of(data), fields))
    return changed[: -len(_CLOSING)] + data[head_end:]


def free_key(keys: Collection[str]) -> str:
    """The key of a new entry: the smallest whole number above every one in use."""
    return str(max((int(key) for key in keys if key.isascii() and key.isdigit()), default=-1) + 1)


def _with_fields(book: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    gone = {name for name, field in fields.items() if field is None}
    return {name: field for name, field in {**book, **fields}.items() if name not in gone}


def _place_of(data: bytes, key: str) -> tuple[int, int] | None:
    """Where one entry's object stands, without looking at the others; None when it is not found that way."""
    start = _first_line(data)
    if start is None:
        return None
    beginning = b"\n" + _key_text(key)
    at = data.find(beginning, start - 1)
    if at < 0 or data.find(beginning, at + 1) >= 0:
        return None
    line = _LINE.match(data, at + 1, len(data) - len(_CLOSING))
    return line.span(2) if line else None


def _first_line(data: bytes) -> int | None:
    """Where the first entry's line begins; None in another layout."""
    head_end = _end_of_head(data)
    if not head_end or not data.startswith(_OPENING) or not data.endswith(_CLOSING):
        return None
    if head_end == len(data) - len(_CLOSING):
        return head_end  # no entries
    return head_end + 1 if data[head_end : head_end + 1] == b"\n" else None


def _end_of_head(data: bytes) -> int:
    """Where the line that opens the entries ends; 0 in another layout."""
    at = data.find(_ENTRIES)
    return at + len(_ENTRIES) if at >= 0 else 0


def _entry_at(data: bytes, place: tuple[int, int]) -> dict[str, Any] | None:
    """The object at a place; None when a hand has made two lines of it."""
    try:
        value = read_json(data[slice(*place)])
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _line(key: str, entry: Mapping[str, Any]) -> bytes:
    return _key_text(key) + _text(entry)


def _key_text(key: str) -> bytes:
    return _text(key) + b": "


def _text(value: Any) -> bytes:
    """JSON on one line, non-ASCII as itself; half characters (lone surrogates) as escapes, which JSON has."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False).encode()


def _unreadable(where: str = "") -> NoReturn:
    raise DomainError(
        "invalid",
        "lorebook.file-unreadable",
        f"{BOOK_FILE}: {where}" if where else BOOK_FILE,
        gettext_noop("This lorebook's own file cannot be read, so nothing was changed."),
        gettext_noop("Bring back a former version, or correct book.json by hand."),
    )
