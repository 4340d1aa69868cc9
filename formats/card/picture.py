"""The picture of a card and the files that travel with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from mmap import mmap

Source = bytes | bytearray | memoryview | mmap

SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png", "png"),
    (b"\xff\xd8\xff", "image/jpeg", "jpg"),
    (b"GIF87a", "image/gif", "gif"),
    (b"GIF89a", "image/gif", "gif"),
)


def picture_type(head: bytes) -> tuple[str, str] | None:
    """Media type and extension by the first bytes (16 are enough); None for anything but a web picture."""
    for signature, media_type, extension in SIGNATURES:
        if head.startswith(signature):
            return media_type, extension
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp", "webp"
    if head[4:8] == b"ftyp" and head[8:12] in (b"avif", b"avis"):
        return "image/avif", "avif"
    return None


@dataclass(frozen=True, slots=True)
class Picture:
    """The card's portrait: spans of the uploaded bytes, so that a large picture is not held twice.

    `parts()` gives the pieces to write one after the other, `data` all of them joined (a copy). Both read
    the source given to `read_card`, which must still be open.
    """

    media_type: str
    extension: str
    spans: tuple[tuple[int, int], ...]
    source: Source = field(repr=False, compare=False)
    tail: bytes = field(default=b"", repr=False)

    @property
    def size(self) -> int:
        """Bytes of the picture."""
        return sum(end - start for start, end in self.spans) + len(self.tail)

    def parts(self, step: int = 1 << 20) -> Iterator[bytes]:
        """The bytes of the picture in pieces of at most `step`."""
        for start, end in self.spans:
            for at in range(start, end, step):
                yield bytes(self.source[at : min(at + step, end)])
        if self.tail:
            yield self.tail

    @property
    def data(self) -> bytes:
        """The bytes of the picture."""
        with memoryview(self.source) as view:
            return b"".join([*(view[start:end] for start, end in self.spans), self.tail])


def whole_picture(data: bytes) -> Picture | None:
    """A picture that is a file of its own; None where the bytes are no picture."""
    kind = picture_type(data[:16])
    return Picture(*kind, ((0, len(data)),), data) if kind else None


@dataclass(frozen=True, slots=True)
class Asset:
    """A file of the card (V3 `assets`): `type` such as icon, background, emotion; `uri` as written.

    `data` is there for files that came inside the upload and kept the limits; None for addresses, for the
    default icon, and for what is missing or too large (a finding says which).
    """

    name: str
    type: str
    ext: str
    uri: str
    data: bytes | None = field(default=None, repr=False)
