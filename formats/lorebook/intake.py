"""`read_book`: bytes that somebody uploaded become a lorebook, or a refusal that says what the file is.

`read_book_value` is the same for a value that is already there: the book in a card. Both are deterministic,
and neither changes what it is given.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from formats import image
from formats.decoding import Undecodable, decode_text
from formats.finding import Finding
from formats.kinds import kind_of_value
from formats.lenient_json import LARGEST, BadJson, OddNumber, Parsed, TooDeep, parse_lenient
from formats.lorebook.model import WorldBook
from formats.lorebook.reader import detect_format
from formats.lorebook.refusals import other_file, refused
from formats.lorebook.rescue import grouped, read_leniently
from formats.messages import gettext_noop, ngettext_noop
from formats.notes import Notes, Sentence

FILE_BYTES = 20 * 1024 * 1024
MOST_ENTRIES = 10_000
MOST_VALUES = 1_000_000
"""A full entry of SillyTavern has about 60 values, and every book of the most entries must pass."""
DEPTH = 64

HTML = re.compile(rb"\s*<(!doctype|html|head|body|script|!--)", re.I)
JSON_START = re.compile(r"[\s\ufeff]*(?:[{\[]|/[/*])")
BAD_ESCAPE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
NOT_STORED = re.compile("\0|[\ud800-\udfff]")
CARD_TEXTS = ("first_mes", "description", "personality", "scenario", "mes_example", "char_greeting")
MARKS_OF_A_CARD = 2

FILE_SENTENCES = {
    "json-lenient": Sentence(
        "warning",
        gettext_noop(
            "The JSON has small mistakes (comments, commas, quotes or line breaks); it was read anyway."
        ),
    ),
    "not-utf8": Sentence(
        "warning",
        gettext_noop("The text of the file is not UTF-8; it was read as {encoding}."),
        gettext_noop("Look whether names and sentences are right."),
    ),
    "byte-order-mark": Sentence("info", gettext_noop("A byte order mark before the text was removed.")),
    "characters-lost": Sentence(
        "warning",
        ngettext_noop(
            "{count} place of the text is no character and was replaced.",
            "{count} places of the text are no characters and were replaced.",
        ),
    ),
    "key-repeated": Sentence(
        "warning",
        gettext_noop("The file says {field} more than once in one place; only the last one counts."),
    ),
    "number-unusable": Sentence(
        "warning", gettext_noop("A number of the file is larger than any store holds; it is kept as text.")
    ),
    "text-cleaned": Sentence(
        "warning", gettext_noop("A text held something that is no character; it was taken out or replaced.")
    ),
}


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
    _refuse_other_bytes(data)
    notes = Notes(FILE_SENTENCES)
    parsed, text = _parsed(data, notes)
    for _, names in parsed.repeated:
        notes.add("key-repeated", "$", field=", ".join(names))
    value = parsed.value
    if parsed.odd_numbers or parsed.lenient or "\0" in text or BAD_ESCAPE.search(text):
        value = _cleaned(value, notes, 0)
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
    return BookRead(model, tuple(findings), found)


def _stem(filename: str | None) -> str | None:
    """The name of a file without its folders and its ending."""
    if not filename:
        return None
    name = re.split(r"[/\\]", filename)[-1].strip()
    return (name.rpartition(".")[0] or name).strip() or None


def _refuse_other_bytes(data: bytes) -> None:
    head = bytes(data[:4096])
    if image.sniff(data) is not None:
        raise other_file("picture")
    if head.startswith((b"PK\x03\x04", b"Rar!", b"7z\xbc\xaf", b"\x1f\x8b")):
        raise other_file("archive")
    if HTML.match(head.removeprefix(b"\xef\xbb\xbf")):
        raise other_file("html")


def _parsed(data: bytes, notes: Notes) -> tuple[Parsed, str]:
    try:
        text = decode_text(data, "$", notes)
    except Undecodable:
        raise refused("unreadable-text") from None
    if not JSON_START.match(text):
        raise other_file("text")
    try:
        parsed = parse_lenient(text, DEPTH)
    except TooDeep:
        raise refused("too-deep", limit=DEPTH) from None
    except BadJson as error:
        if kind := _kind_of_lines(text):
            raise other_file(kind) from None
        raise refused("bad-json", line=error.line, column=error.column) from None
    if parsed.lenient:
        notes.add("json-lenient", "$")
    return parsed, text


def _kind_of_lines(text: str) -> str | None:
    """What a file of one JSON object a line is, by its first one: a saved chat."""
    first, _, rest = text.lstrip("\ufeff \r\n\t").partition("\n")
    if not rest.strip():
        return None
    try:
        return kind_of_value(parse_lenient(first, DEPTH).value)
    except (BadJson, TooDeep):
        return None


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
    """Count values level by level: no book of a real person comes near the limits."""
    level: list[Any] = [value]
    count = 0
    for _ in range(DEPTH):
        inner: list[Any] = []
        for item in level:
            if type(item) is dict:
                inner += item.values()
            elif type(item) is list:
                inner += item
        count += len(inner)
        if count > MOST_VALUES:
            raise refused("too-many-values", limit=MOST_VALUES)
        if not inner:
            return
        level = inner
    raise refused("too-deep", limit=DEPTH)


def _cleaned(value: Any, notes: Notes, depth: int) -> Any:
    """The value without what no store accepts: NUL, half characters, numbers without end."""
    if depth > DEPTH:
        raise refused("too-deep", limit=DEPTH)
    if isinstance(value, str):
        return _clean_text(value, notes)
    if isinstance(value, Mapping):
        return {_clean_text(name, notes): _cleaned(item, notes, depth + 1) for name, item in value.items()}
    if isinstance(value, list):
        return [_cleaned(item, notes, depth + 1) for item in value]
    if isinstance(value, int | float) and not _is_stored(value):
        return _clean_text(OddNumber(value), notes)
    return value


def _is_stored(number: int | float) -> bool:
    """Whether a number fits into 64 bits and is one."""
    return -LARGEST <= number < LARGEST if isinstance(number, int) else math.isfinite(number)


def _clean_text(text: str, notes: Notes) -> str:
    if isinstance(text, OddNumber):
        notes.add("number-unusable", "$")
        return str(text)
    if not NOT_STORED.search(text):
        return text
    notes.add("text-cleaned", "$")
    return NOT_STORED.sub(lambda found: "" if found[0] == "\0" else "\ufffd", text)
