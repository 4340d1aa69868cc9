"""An uploaded JSON file becomes a value: encodings, small mistakes, what no store accepts. Any kind of file.

What was odd is noted with the sentences here; what stops the reading is an exception, since every room has
its own words for its refusals.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, Final

from formats import image
from formats.decoding import decode_text
from formats.kinds import kind_of_value
from formats.lenient_json import LARGEST, BadJson, OddNumber, TooDeep, parse_lenient
from formats.messages import gettext_noop, ngettext_noop
from formats.notes import Notes, Sentence

HTML: Final = re.compile(rb"\s*<(!doctype|html|head|body|script|!--)", re.I)
JSON_START: Final = re.compile(r"[\s\ufeff]*(?:[{\[]|/[/*])")
BAD_ESCAPE: Final = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
NOT_STORED: Final = re.compile("\0|[\ud800-\udfff]")
LEAVES: Final = frozenset({str, int, float, bool, type(None)})
ARCHIVES: Final = (b"PK\x03\x04", b"Rar!", b"7z\xbc\xaf", b"\x1f\x8b")

FILE_SENTENCES: Final = {
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


class OtherFile(Exception):
    """The bytes are no JSON at all; `kind` says what they are (`picture`, `archive`, `html`, `text`, …)."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


def value_of_bytes(data: bytes, notes: Notes, depth: int) -> Any:
    """The value of a file.

    Raises:
        OtherFile: it is something else.
        decoding.Undecodable: it is text in no known encoding.
        BadJson: it is damaged JSON.
        TooDeep: it is nested deeper than `depth`.
    """
    head = bytes(data[:4096])
    if image.sniff(data) is not None:
        raise OtherFile("picture")
    if head.startswith(ARCHIVES):
        raise OtherFile("archive")
    if HTML.match(head.removeprefix(b"\xef\xbb\xbf")):
        raise OtherFile("html")
    return value_of_text(decode_text(data, "$", notes), notes, depth)


def value_of_text(text: str, notes: Notes, depth: int) -> Any:
    """The value of a text; raises as `value_of_bytes`."""
    if not JSON_START.match(text):
        raise OtherFile("text")
    try:
        parsed = parse_lenient(text.lstrip("\ufeff"), depth)
    except BadJson:
        if kind := kind_of_lines(text, depth):
            raise OtherFile(kind) from None
        raise
    if parsed.lenient:
        notes.add("json-lenient", "$")
    for _, names in parsed.repeated:
        notes.add("key-repeated", "$", field=", ".join(names))
    if parsed.odd_numbers or parsed.lenient or "\0" in text or BAD_ESCAPE.search(text):
        return cleaned(parsed.value, notes, depth)
    return parsed.value


def kind_of_lines(text: str, depth: int) -> str | None:
    """What a file of one JSON object a line is, by its first one: a saved chat."""
    first, _, rest = text.lstrip("\ufeff \r\n\t").partition("\n")
    if not rest.strip():
        return None
    try:
        return kind_of_value(parse_lenient(first, depth).value)
    except (BadJson, TooDeep):
        return None


def cleaned(value: Any, notes: Notes, depth: int) -> Any:
    """The value without what no store accepts: NUL, half characters, numbers without end.

    Raises:
        TooDeep: it is nested deeper than `depth`.
    """
    if depth < 0:
        raise TooDeep
    if isinstance(value, str):
        return _clean_text(value, notes)
    if isinstance(value, Mapping):
        return {
            _clean_text(str(name), notes): cleaned(item, notes, depth - 1) for name, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [cleaned(item, notes, depth - 1) for item in value]
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


def size_of(value: Any, depth: int, most: int) -> int:
    """How many values are inside `value`, counted level by level until there are more than `most`.

    Raises:
        TooDeep: it is nested deeper than `depth`.
    """
    level: list[Any] = [value]
    count = 0
    for _ in range(depth):
        inner: list[Any] = []
        for item in level:
            kind = type(item)
            if kind in LEAVES:
                continue
            if kind is dict:
                inner += item.values()
            elif isinstance(item, list):
                inner += item
            elif isinstance(item, Mapping):  # asked last: it takes long, and a file that was parsed has none
                inner += item.values()
        count += len(inner)
        if count > most or not inner:
            return count
        level = inner
    raise TooDeep
