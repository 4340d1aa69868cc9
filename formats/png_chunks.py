"""PNG chunks walked by hand: lengths never trusted, checksums reported, text found wherever it stands.

Pixel libraries refuse large or oddly placed text; card data is exactly that (card-format facts 3a).
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_CHUNKS = 200_000
TEXT_KINDS = frozenset({b"tEXt", b"zTXt", b"iTXt"})
ANIMATION_KINDS = frozenset({b"acTL", b"fcTL", b"fdAT"})
METADATA_KINDS = TEXT_KINDS | ANIMATION_KINDS | {b"tIME", b"eXIf"}
"""Chunks that are no part of the still picture."""

HEAD = struct.Struct(">I4s")
Buffer = bytes | bytearray | memoryview

Trouble = Literal["cut-short", "no-end", "damaged", "too-many-chunks", "data-after-end"]


class Chunk(NamedTuple):
    """One chunk: its type, where its data starts, how long that is, and whether it follows IEND."""

    kind: bytes
    start: int
    length: int
    after_end: bool = False

    @property
    def span(self) -> tuple[int, int]:
        """Start and end of the whole chunk, length field and checksum included."""
        return self.start - 8, self.start + self.length + 4


@dataclass(slots=True)
class PngChunks:
    """All chunks that could be walked, and what was wrong on the way.

    `cut-short` ends inside a chunk, `no-end` behind one that is not the last; `damaged` has something else
    where a chunk should begin, or a length that cannot be.
    """

    chunks: list[Chunk] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)

    @property
    def end(self) -> int:
        """Where the last chunk that could be walked ends."""
        return self.chunks[-1].span[1] if self.chunks else len(SIGNATURE)


class TextChunk(NamedTuple):
    """Keyword and text bytes of a tEXt, zTXt or iTXt chunk (inflated)."""

    keyword: str
    text: bytes


class TextChunkError(ValueError):
    """The chunk is malformed, or its text is longer than allowed (`too_long`)."""

    def __init__(self, reason: str, *, too_long: bool = False) -> None:
        super().__init__(reason)
        self.too_long = too_long


def is_png(data: Buffer) -> bool:
    """True where the eight signature bytes stand at the start."""
    return bytes(data[:8]) == SIGNATURE


def read_chunks(data: Buffer) -> PngChunks:
    """Walk the chunks of a PNG (signature assumed), over IEND too; never raises, copies nothing."""
    found = PngChunks()
    offset, size, ended = len(SIGNATURE), len(data), False
    while offset + 12 <= size:
        length, kind = HEAD.unpack_from(data, offset)
        if not _is_chunk_type(kind) or length > size - offset - 12:
            break
        if len(found.chunks) >= MOST_CHUNKS:
            found.troubles.append("too-many-chunks")
            return found
        found.chunks.append(Chunk(kind, offset + 8, length, ended))
        ended = ended or kind == b"IEND"
        offset += length + 12
    if not ended:
        found.troubles.append(_trouble_at(data, offset))
    elif found.chunks[-1].kind != b"IEND" or offset < size:
        found.troubles.append("data-after-end")
    return found


def _trouble_at(data: Buffer, offset: int) -> Trouble:
    """Why no chunk could be read at `offset`, where no end came before."""
    if offset >= len(data):
        return "no-end"
    kind = bytes(data[offset + 4 : offset + 8])
    complete = bytes(data[-12:]) == make_chunk(b"IEND", b"")
    return "damaged" if complete or (len(kind) == 4 and not _is_chunk_type(kind)) else "cut-short"


def begins_text(rest: bytes) -> bool:
    """True for bytes that a text chunk may begin with, as many as there are."""
    return rest[:1] == b"\0" and any(kind.startswith(rest[4:8]) for kind in TEXT_KINDS)


def _is_chunk_type(kind: bytes) -> bool:
    return kind.isalpha() and kind.isascii()


def checksum_is_right(data: Buffer, chunk: Chunk) -> bool:
    """True where the stored CRC-32 fits type and data."""
    start, end = chunk.span
    stored = int.from_bytes(data[end - 4 : end], "big")
    return zlib.crc32(memoryview(data)[start + 4 : end - 4]) == stored


def keyword_of(data: Buffer, chunk: Chunk) -> str:
    """The keyword of a text chunk (Latin-1, at most 79 characters are looked at); empty if malformed."""
    head = bytes(data[chunk.start : chunk.start + min(chunk.length, 80)])
    keyword, separator, _ = head.partition(b"\0")
    return keyword.decode("latin-1") if separator else ""


def read_text(data: Buffer, chunk: Chunk, limit: int) -> TextChunk:
    """Keyword and text of a text chunk.

    Raises:
        TextChunkError: malformed, or longer than `limit` bytes (inflating stops there).
    """
    keyword = keyword_of(data, chunk)
    if not keyword:
        raise TextChunkError("no keyword")
    body_start = chunk.start + len(keyword) + 1
    body = memoryview(data)[body_start : chunk.start + chunk.length]
    if chunk.kind == b"zTXt":
        return TextChunk(keyword, _inflated(_after_method(body), limit))
    if chunk.kind == b"iTXt":
        return TextChunk(keyword, _international_text(body, limit))
    return TextChunk(keyword, _within(body, limit))


def _after_method(body: memoryview) -> memoryview:
    if not body or body[0] != 0:
        raise TextChunkError("unknown compression")
    return body[1:]


def _international_text(body: memoryview, limit: int) -> bytes:
    """Flag, method, language NUL, translated keyword NUL, text."""
    if len(body) < 4:
        raise TextChunkError("cut short")
    compressed = body[0] == 1
    head = bytes(body[2 : 2 + 4096])
    language_end = head.find(b"\0")
    keyword_end = head.find(b"\0", language_end + 1)
    if language_end < 0 or keyword_end < 0:
        raise TextChunkError("cut short")
    text = body[2 + keyword_end + 1 :]
    return _inflated(text, limit) if compressed else _within(text, limit)


def _within(text: memoryview, limit: int) -> bytes:
    if len(text) > limit:
        raise TextChunkError("too long", too_long=True)
    return bytes(text)


def _inflated(packed: memoryview, limit: int) -> bytes:
    inflater = zlib.decompressobj()
    try:
        text = inflater.decompress(packed, limit + 1)
    except zlib.error:
        raise TextChunkError("cannot be inflated") from None
    if len(text) > limit:
        raise TextChunkError("too long", too_long=True)
    if not inflater.eof:
        raise TextChunkError("cut short")
    return text


def still_picture_spans(found: PngChunks) -> list[tuple[int, int]]:
    """The byte spans that make the still picture: first frame, no text, time, EXIF, nothing after the end.

    Neighbouring chunks are joined, so a large picture gives a handful of spans. The default image of an
    animated PNG is its first frame.
    """
    spans = [(0, len(SIGNATURE))]
    for chunk in found.chunks:
        if chunk.after_end or chunk.kind in METADATA_KINDS:
            continue
        start, end = chunk.span
        if spans[-1][1] == start:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def make_chunk(kind: bytes, data: bytes) -> bytes:
    """One chunk as bytes: length, type, data, CRC-32."""
    return HEAD.pack(len(data), kind) + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))
