"""Names of any script turned into ids, folder names and file names, and paths that stay inside their folder.

Rules: CARD-10 and world-format.md. Normalisation is NFC, never NFKC: NFKC turns full-width dots and slashes
into the dots and slashes that these rules refuse.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Container
from functools import lru_cache

ID_CHARACTERS = 80
ID_BYTES = 200
SEGMENT_BYTES = ID_BYTES + 10  # the longest id with its ending; a temporary name beside it still fits 255
PATH_BYTES = 1000

_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789¹²³"]
)
# Letters and marks by category that show nothing: fillers and variation selectors.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
_JOINED = frozenset("'’ʹʼ＇")  # an apostrophe inside a word does not part it
_PATH_PUNCTUATION = frozenset(" -_.'()")


def compared(name: str) -> str:
    """The form in which two names are compared: case and normalisation ignored."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def slug(name: str, max_bytes: int = 120) -> str:
    """Words of a name joined by `-`, at most `max_bytes` of UTF-8; empty when it has no letter or digit.

    The caller puts something of its own behind or before it, so a device name alone is not refused here.
    """
    return _shortened(_words(name), ID_BYTES, max_bytes)


def element_id(name: str, kind: str, number: int, taken: Container[str]) -> str:
    """The id of an element of a world, made from its name (CARD-10).

    `taken` holds the ids in use in the form of `compared`; ids made here already have that form. A name
    without letter or digit gives `<kind>-<number>`, the name of a Windows device `<kind>-<name>`; what is
    taken gets `-2`, `-3` and so on.
    """
    base = _shortened(_words(name), ID_CHARACTERS, ID_BYTES) or f"{kind}-{number}"
    if base in _DEVICES:
        base = f"{kind}-{base}"
    if base not in taken:
        return base
    return _numbered(base, _free_number(base, taken))


def is_element_id(value: object) -> bool:
    """Whether a value of a file is an id as `element_id` makes them."""
    if not isinstance(value, str) or not value or len(value) > ID_CHARACTERS:
        return False
    return _words(value) == value and len(value.encode()) <= ID_BYTES and value not in _DEVICES


def safe_path(value: object) -> bool:
    """Whether a value is a relative path, with `/` between its parts, that is safe on every file system.

    Each part: NFC, letters, marks and digits of any script and ` -_.'()`, at most 210 bytes, no dot or space
    at its start, none at its end, no name of a Windows device (whatever its ending).
    """
    if not isinstance(value, str) or not value or not _encodable(value) or len(value.encode()) > PATH_BYTES:
        return False
    return all(_safe_segment(segment) for segment in value.split("/"))


def download_name(name: str, ending: str) -> str:
    """A file name to offer with a download: readable, safe everywhere, at most 200 bytes.

    `ending` is written without its dot.
    """
    composed = unicodedata.normalize("NFC", name)
    kept = "".join(c if _is_word(c) or c in _PATH_PUNCTUATION else " " for c in composed)
    stem = " ".join(kept.split()).lstrip(" .-")
    stem = _cut(stem, SEGMENT_BYTES, SEGMENT_BYTES - len(ending.encode()) - 1).rstrip(" .")
    if not any(c.isalnum() for c in stem):
        stem = "download"
    if _is_device(stem):
        stem = f"_{stem}"
    return f"{stem}.{ending}"


def _words(name: str) -> str:
    """Letters, their marks and digits, compared form, `-` for everything between; invisible ones vanish."""
    parts: list[str] = []
    for character in compared(name):
        category = unicodedata.category(character)
        attached = bool(parts) and parts[-1] != "-"
        if character in _INVISIBLE or category == "Cf" or _is_variation(character):
            continue
        if category[0] in "LN" or (category[0] == "M" and attached):
            parts.append(character)
        elif attached and character not in _JOINED:
            parts.append("-")
    # Two letters that an invisible character kept apart may now compose.
    return compared("".join(parts).rstrip("-"))


def _is_word(character: str) -> bool:
    invisible = character in _INVISIBLE or _is_variation(character)
    return unicodedata.category(character)[0] in "LNM" and not invisible


def _is_variation(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


def _shortened(words: str, characters: int, octets: int) -> str:
    return _cut(words, characters, octets).rstrip("-")


def _cut(text: str, characters: int, octets: int) -> str:
    """The longest start within both limits that does not part a letter from its marks."""
    end = min(len(text), characters, len(text.encode()[:octets].decode(errors="ignore")))
    if end == len(text):
        return text
    while end > 0 and unicodedata.category(text[end])[0] == "M":
        end -= 1
    return text[:end]


def _numbered(base: str, number: int) -> str:
    tail = f"-{number}"
    return _shortened(base, ID_CHARACTERS - len(tail), ID_BYTES - len(tail)) + tail


def _free_number(base: str, taken: Container[str]) -> int:
    """The first free number, counted up at first, then by halving: a thousand entries may share one name."""
    for number in range(2, 66):
        if _numbered(base, number) not in taken:
            return number
    used, free = 65, 130
    while _numbered(base, free) in taken:
        used, free = free, free * 2
    while free - used > 1:
        middle = (used + free) // 2
        if _numbered(base, middle) in taken:
            used = middle
        else:
            free = middle
    return free


@lru_cache(maxsize=4096)  # a path is judged wherever it is used, a few times within one change
def _safe_segment(segment: str) -> bool:
    if not segment or len(segment.encode()) > SEGMENT_BYTES or segment[0] in ". " or segment[-1] in ". ":
        return False
    if not unicodedata.is_normalized("NFC", segment) or _is_device(segment):
        return False
    return all(_is_word(character) or character in _PATH_PUNCTUATION for character in segment)


def _is_device(segment: str) -> bool:
    return segment.split(".", 1)[0].rstrip(" ").casefold() in _DEVICES


def _encodable(value: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in value)
