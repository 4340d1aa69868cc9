"""Pictures by their head bytes: kind and size, the hash by which copies are known, a PNG without metadata.

No pixel is decoded here and no file name or declared type is believed (PIC-5).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

from formats.png_chunks import SIGNATURE, TEXT_KINDS, Buffer, is_png, read_chunks

PictureKind = Literal["png", "jpeg", "webp", "gif"]

MOST_PIXELS = 40_000_000
"""A picture with more than these is not kept: it would burden every browser that shows it."""

_METADATA = TEXT_KINDS | {b"tIME", b"eXIf"}
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
_MOST_JPEG_SEGMENTS = 4096


@dataclass(frozen=True, slots=True)
class ImageInfo:
    """Kind of a picture and its size in pixels, as its head says."""

    kind: PictureKind
    width: int
    height: int

    @property
    def too_large(self) -> bool:
        """Whether it claims more than `MOST_PIXELS`."""
        return self.width * self.height > MOST_PIXELS

    @property
    def ending(self) -> str:
        """The file ending, without dot."""
        return "jpg" if self.kind == "jpeg" else self.kind

    @property
    def media_type(self) -> str:
        """The type for the Content-Type header."""
        return f"image/{self.kind}"


def sniff(data: Buffer) -> ImageInfo | None:
    """What a file is by its first bytes; None unless it is a PNG, JPEG, WebP or GIF with a size above zero.

    `data` may be the beginning of a file only: enough is 32 bytes, for a JPEG all up to its frame header.
    """
    head = bytes(data[:32])
    if head.startswith(SIGNATURE):
        found = _png(head)
    elif head.startswith(b"\xff\xd8\xff"):
        found = _jpeg(data)
    elif head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        found = _webp(head)
    elif head[:6] in (b"GIF87a", b"GIF89a") and len(head) >= 10:
        found = ImageInfo("gif", _little(head, 6, 2), _little(head, 8, 2))
    else:
        return None
    return found if found and found.width > 0 and found.height > 0 else None


def picture_hash(data: Buffer) -> str:
    """SHA-256 of a picture, in hex; of a PNG without its text, time and EXIF chunks (PIC-5).

    So a portrait that a tool wrote metadata into is still known as the same picture.
    """
    hashed = hashlib.sha256()
    with memoryview(data) as view:
        for start, end in _spans_without_metadata(view):
            hashed.update(view[start:end])
    return hashed.hexdigest()


def without_metadata(png: Buffer) -> bytes:
    """A PNG without text, time and EXIF chunks and without what follows its end; pixels untouched.

    A broken PNG keeps its bytes from the first place that cannot be read. Other data comes back as it is.
    """
    return b"".join(bytes(png[start:end]) for start, end in _spans_without_metadata(png))


def _spans_without_metadata(data: Buffer) -> list[tuple[int, int]]:
    """Start and end of what `without_metadata` keeps, in order; all of what is no PNG."""
    if not is_png(data):
        return [(0, len(data))]
    found = read_chunks(data)
    kept, position = [(0, len(SIGNATURE))], len(SIGNATURE)
    for chunk in found.chunks:
        if chunk.after_end:
            break
        start, position = chunk.span
        if chunk.kind not in _METADATA:
            kept.append((start, position))
    if "data-after-end" not in found.troubles:
        kept.append((position, len(data)))
    return kept


def _png(head: bytes) -> ImageInfo | None:
    if head[12:16] != b"IHDR" or len(head) < 24:
        return None
    return ImageInfo("png", int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big"))


def _jpeg(data: Buffer) -> ImageInfo | None:
    """Walk the segments to the frame header, the first place that tells the size."""
    position = 2
    for _ in range(_MOST_JPEG_SEGMENTS):
        segment = bytes(data[position : position + 9])
        if len(segment) < 4 or segment[0] != 0xFF:
            return None
        marker = segment[1]
        if marker == 0xFF:  # a fill byte
            position += 1
            continue
        if marker in _JPEG_FRAMES:
            size = (int.from_bytes(segment[7:9], "big"), int.from_bytes(segment[5:7], "big"))
            return ImageInfo("jpeg", *size) if len(segment) == 9 else None
        position += 2 if marker in _JPEG_ALONE else 2 + max(2, int.from_bytes(segment[2:4], "big"))
    return None


def _webp(head: bytes) -> ImageInfo | None:
    body = head[20:30]
    if len(body) < 10:
        return None
    if head[12:16] == b"VP8X":
        return ImageInfo("webp", _little(body, 4, 3) + 1, _little(body, 7, 3) + 1)
    if head[12:16] == b"VP8L" and body[0] == 0x2F:
        bits = _little(body, 1, 4)
        return ImageInfo("webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if head[12:16] == b"VP8 " and body[3:6] == b"\x9d\x01\x2a":
        return ImageInfo("webp", _little(body, 6, 2) & 0x3FFF, _little(body, 8, 2) & 0x3FFF)
    return None


def _little(data: bytes, start: int, length: int) -> int:
    return int.from_bytes(data[start : start + length], "little")
