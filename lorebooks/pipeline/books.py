"""From the book file to the model and back: one entry alone, or the whole book."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from itertools import count
from typing import Any, Final

from formats.lorebook.diagnostics import LorebookError
from formats.lorebook.download import download_sillytavern
from formats.lorebook.model import BookSettings, BookSource, Entry, WorldBook
from formats.lorebook.reader import parse_sillytavern
from formats.lorebook.writer import export_sillytavern
from formats.stable_json import canonical_json
from lorebooks.pipeline.book_file import entry_bytes, head_of, is_entry_key, read_book_file

HASH_SPACE: Final = 1 << 256
# What our reader knows of a book besides its entries.
_HEAD: Final = ("description", "scan_depth", "token_budget", "recursive_scanning", "extensions")
# What the content of a book does not hang on: where an entry stood, and what other programs keep with it.
_ASIDE: Final = ("uid", "source", "displayIndex", "extensions", "automationId")


def model_of(data: bytes, name: str) -> WorldBook:
    """The book of a book file, under its name in the library.

    Raises:
        DomainError: `invalid`, the file is no book.
    """
    return _parsed(read_book_file(data), name)


def head_model(data: bytes, name: str) -> WorldBook:
    """The same book without its entries. Raises as `model_of`."""
    return _parsed(head_of(data), name)


def _parsed(value: dict[str, Any], name: str) -> WorldBook:
    try:
        return parse_sillytavern(value, name=name)
    except LorebookError:  # the mark of another program was left in the head, or put there by hand
        head = {field: value[field] for field in _HEAD if field in value}
        return parse_sillytavern({**head, "entries": value["entries"]}, name=name)


def library_form(model: WorldBook) -> tuple[dict[str, Any], int]:
    """A book that was read, as the library keeps it: SillyTavern's form, each thing said once, in its order.

    Keys of the map that could be no address are replaced; the second value says how many.
    """
    written = dict(download_sillytavern(model).value)
    given: dict[str, Any] = written.pop("entries")
    entries: dict[str, Any] = {}
    numbers = (key for number in count(1) if (key := f"entry-{number}") not in given)
    renamed = 0
    for key, raw in given.items():
        if not is_entry_key(key):
            key, renamed = next(numbers), renamed + 1
        entries[key] = raw
    return {**written, "entries": entries}, renamed


def read_entry(key: str, raw: Mapping[str, Any]) -> Entry:
    """The model of one entry."""
    return read_entries({key: raw})[key]


def read_entries(raws: Mapping[str, Mapping[str, Any]]) -> dict[str, Entry]:
    """The models of several entries by key, as if they were a book of their own."""
    return {entry.source.key: entry for entry in parse_sillytavern({"entries": raws}, name="").entries}


def raw_of(entry: Entry) -> dict[str, Any]:
    """What the book file says of an entry: its own object with the model's fields over it."""
    return raws_of([entry])[entry.source.key]


def raws_of(entries: Iterable[Entry]) -> dict[str, dict[str, Any]]:
    """The same for several, by their keys."""
    source = BookSource("sillytavern-world-info", "object-map", {})
    alone = WorldBook("", "", BookSettings(), tuple(entries), source)
    written: dict[str, dict[str, Any]] = export_sillytavern(alone)["entries"]
    return written


def etag_of_entry(raw: Mapping[str, Any]) -> str:
    """What names the state of one entry: the same object has the same, however its file is laid out."""
    return sha256(entry_bytes(raw)).hexdigest()


def hash_of_entry(entry: Entry) -> str:
    """What an entry says as 64 hexadecimal digits, whatever file and program it came from."""
    return _hash({name: value for name, value in entry.to_json().items() if name not in _ASIDE})


def hash_of_settings(settings: BookSettings) -> str:
    """The same for what a book says about scanning."""
    return _hash({name: value for name, value in settings.to_json().items() if name != "extensions"})


def content_hash(settings: BookSettings, entries: Iterable[str]) -> str:
    """What a book says, whatever it is called, of the hashes of its entries: the same is the same book."""
    return sum_of_hashes([hash_of_settings(settings), *entries])


def sum_of_hashes(hashes: Iterable[str]) -> str:
    """One hash of several, in any order: a sum, so that one of them can be replaced without the others."""
    return f"{sum(int(text, 16) for text in hashes) % HASH_SPACE:064x}"


def replaced_in_sum(total: str, gone: Iterable[str], come: Iterable[str]) -> str:
    """The sum after some of its parts were replaced."""
    left = int(total, 16) - sum(int(text, 16) for text in gone) + sum(int(text, 16) for text in come)
    return f"{left % HASH_SPACE:064x}"


def _hash(value: Any) -> str:
    return sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()
