"""`read_book`: bytes that somebody uploaded become a lorebook, or a refusal that says what the file is.

`read_book_value` is the same for a value that is already there: the book in a card. Both are deterministic,
and neither changes what it is given.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from formats.decoding import Undecodable
from formats.finding import Finding
from formats.json_file import FILE_SENTENCES, OtherFile, size_of, value_of_bytes
from formats.kinds import kind_of_value
from formats.lenient_json import BadJson, TooDeep
from formats.lorebook.key_limits import with_bounded_keys
from formats.lorebook.model import WorldBook
from formats.lorebook.reader import detect_format
from formats.lorebook.refusals import other_file, refused
from formats.lorebook.rescue import grouped, read_leniently
from formats.notes import Notes

FILE_BYTES = 20 * 1024 * 1024
MOST_ENTRIES = 10_000
MOST_VALUES = 1_000_000
"""A full entry of SillyTavern has about 60 values, and every book of the most entries must pass."""
DEPTH = 64

CARD_TEXTS = ("first_mes", "description", "personality", "scenario", "mes_example", "char_greeting")
MARKS_OF_A_CARD = 2


@dataclass(frozen=True, slots=True)
class BookRead:
    """A lorebook as it was read.

    `findings` are grouped, one line for a kind of thing; `format_found` is the form of the file: a name of
    the contract, or of another program's form (`chub`, `novelai` …).
    """

    model: WorldBook
    findings: tuple[Finding, ...]
    format_found: str


def read_book(data: bytes, filename: str | None = None) -> BookRead:
    """Read an uploaded file. A book without a name takes that of the file.

    Raises:
        LorebookError: with the reason as `code`; for `other-file`, `kind_of_file` says what the file is.
    """
    if len(data) > FILE_BYTES:
        raise refused("too-large", size=len(data), limit=FILE_BYTES)
    if not data.strip():
        raise refused("empty-file")
    notes = Notes(FILE_SENTENCES)
    value = _value(data, notes)
    read = read_book_value(value, _stem(filename))
    return BookRead(read.model, (*grouped(notes.findings()), *read.findings), read.format_found)


def read_book_value(value: Any, name: str | None = None) -> BookRead:
    """Read a JSON value, such as the `character_book` of a card; `name` is for a book without one.

    Raises:
        LorebookError: as `read_book`.
    """
    if value is None or value in ([], {}, ""):
        raise refused("no-book")
    if isinstance(value, list) and all(_is_entry(item) for item in value):
        value = {"entries": value}
    if detect_format(value) is None:
        kind = "card" if _is_card(value) else kind_of_value(value)
        raise other_file(kind) if kind else refused("not-a-lorebook")
    count = max(_length(value.get(place)) for place in ("entries", "data", "loreItems"))
    if isinstance(value.get("data"), dict):
        count = max(count, _length(value["data"].get("entries")))
    if count > MOST_ENTRIES:
        raise refused("too-many-entries", "$.entries", count=count, limit=MOST_ENTRIES)
    _refuse_masses(value)
    model, findings, found = read_leniently(value, name)
    model, told = with_bounded_keys(model)
    return BookRead(model, (*findings, *told), found)


def _stem(filename: str | None) -> str | None:
    """The name of a file without its folders and its ending."""
    if not filename:
        return None
    name = re.split(r"[/\\]", filename)[-1].strip()
    return (name.rpartition(".")[0] or name).strip() or None


def _value(data: bytes, notes: Notes) -> Any:
    """The file's value; what stops the reading is told in the words of lorebooks."""
    try:
        return value_of_bytes(data, notes, DEPTH)
    except OtherFile as error:
        raise other_file(error.kind) from None
    except Undecodable:
        raise refused("unreadable-text") from None
    except TooDeep:
        raise refused("too-deep", limit=DEPTH) from None
    except BadJson as error:
        raise refused("bad-json", line=error.line, column=error.column) from None


def _is_entry(value: Any) -> bool:
    return isinstance(value, dict) and "content" in value and bool(value.keys() & {"keys", "key"})


def _is_card(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    if str(value.get("spec", "")).startswith("chara_card"):
        return True
    data = value.get("data")
    texts = value.keys() | (data.keys() if isinstance(data, dict) else set())
    return len(texts & set(CARD_TEXTS)) >= MARKS_OF_A_CARD


def _length(value: Any) -> int:
    return len(value) if isinstance(value, list | dict) else 0


def _refuse_masses(value: Any) -> None:
    """No book of a real person comes near the limits."""
    try:
        if size_of(value, DEPTH, MOST_VALUES) > MOST_VALUES:
            raise refused("too-many-values", limit=MOST_VALUES)
    except TooDeep:
        raise refused("too-deep", limit=DEPTH) from None
