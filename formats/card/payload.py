"""One copy of a card inside a file, from the bytes as they stand there to cleaned JSON."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from formats.card.errors import CardError
from formats.card.json_text import parse_json
from formats.card.limits import CARD_BYTES, STORED_CARD_BYTES
from formats.card.picture import Asset, Picture
from formats.card.reasons import Unusable
from formats.card.text import decode_text
from formats.card.walk import Walked, walk
from formats.notes import Notes

BASE64 = re.compile(rb"[A-Za-z0-9+/]*")
DATA_ADDRESS = re.compile(rb"\Adata:[\w.+/;=]{0,100};base64,", re.IGNORECASE)
JSON_START = re.compile(rb"(?:\xef\xbb\xbf)?(?:[\s\0]+|//[^\n]*\n|/\*.*?\*/)*+[{\[]", re.DOTALL)
HEAD_BYTES = 4096
"""Where the first bracket must stand."""

WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
LOOSE = bytes.maketrans(b"-_", b"+/")
BASE64_START = (b"eyJ", b"ewo", b"ew0", b"eyA", b"7u+", b"77u", b"W3s")
"""How base64 of `{"`, of `{` with a line break or blank, of a byte order mark and of `[{` begins."""

LAST_RESORT = 3
"""Rank of texts that may be a card, but are mostly something else (EXIF, comments of a picture)."""

SPACE = b" \t\r\n\0\x0b\x0c"


@dataclass(frozen=True, slots=True)
class Payload:
    """A copy of the card: `label` names container and place (`png:tEXt:ccv3`), a lower `rank` is preferred.

    `load` gives its bytes as stored (JSON, or JSON in base64) and raises `Unusable`. Copies of one rank are
    alternatives of which the longest that can be read is used. `otherwise` is the refusal where the bytes are
    no JSON at all.
    """

    label: str
    rank: int
    load: Callable[[], bytes] = field(repr=False)
    otherwise: CardError | None = None


def ready(data: bytes) -> Callable[[], bytes]:
    """The `load` of a payload whose bytes are already there."""
    return lambda: data


AssetLoader = Callable[[str], bytes | None]
"""Bytes of a file of the card by the address the card uses for it; None where the upload has no such file.

Raises `Unusable` for one that is too large or broken.
"""


def no_files(uri: str) -> bytes | None:
    """The loader of containers that carry nothing beside the card."""
    return None


@dataclass(frozen=True, slots=True)
class Contents:
    """What a container holds: copies of the card, the picture, the files beside them.

    `unlisted` are names of files that the container itself says belong to the card; they count as assets even
    where the card does not list them. `beside` says what else the file may be, when it holds no card;
    `otherwise` is the refusal where even that cannot be said (the file is cut off).
    """

    payloads: list[Payload] = field(default_factory=list)
    picture: Picture | None = None
    asset: AssetLoader = no_files
    unlisted: list[Asset] = field(default_factory=list)
    beside: str = "picture"
    otherwise: CardError | None = None


def json_bytes(stored: bytes) -> bytes:
    """The JSON bytes of a stored copy: as they are where they begin like JSON, else decoded from base64.

    Line breaks, blanks, NULs, the URL-safe alphabet and missing padding are all accepted.

    Raises:
        Unusable: neither, or over the limit.
    """
    if is_wide(stored):
        return stored
    if looks_like_json(stored):
        return stored.strip(SPACE)
    if len(stored) * 3 // 4 > STORED_CARD_BYTES:
        raise CardError("text-too-large", size=len(stored) * 3 // 4, limit=CARD_BYTES)
    return from_base64(stored)


def from_base64(stored: bytes) -> bytes:
    """Bytes from base64, leniently (see `json_bytes`).

    Raises:
        Unusable: it is empty or no base64.
    """
    packed = stored.translate(None, SPACE).translate(LOOSE)
    packed = DATA_ADDRESS.sub(b"", packed, count=1).rstrip(b"=")
    if not packed:
        raise Unusable("empty")
    if not BASE64.fullmatch(packed) or len(packed) % 4 == 1:
        raise Unusable("no-base64")
    try:
        return base64.b64decode(packed + b"=" * (-len(packed) % 4))
    except binascii.Error:
        raise Unusable("no-base64") from None


def may_be_card(text: bytes) -> bool:
    """True for a text that begins like JSON or like JSON in base64."""
    return looks_like_json(text) or text.startswith(BASE64_START)


def is_wide(stored: bytes) -> bool:
    """True for text of two or four bytes a character: by its mark, or by the NULs around a first bracket."""
    if stored.startswith(WIDE_MARKS):
        return True
    head = stored[:4]
    return b"\0" in head and head.replace(b"\0", b"")[:1] in (b"{", b"[")


def looks_like_json(stored: bytes) -> bool:
    """True where the first character, after marks, blanks and comments, opens an object or a list."""
    return JSON_START.match(stored[:HEAD_BYTES]) is not None


def read_json_bytes(data: bytes, where: str, notes: Notes) -> Walked:
    """Decode, parse and clean card JSON.

    Raises:
        CardError: `text-too-large`, `unreadable-text`, `bad-json`, `too-deep`.
    """
    if len(data) > CARD_BYTES:
        raise CardError("text-too-large", where, size=len(data), limit=CARD_BYTES)
    return walk(parse_json(decode_text(data, where, notes), where, notes), notes)
