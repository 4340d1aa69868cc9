"""The picture of a card and the files that travel with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from mmap import mmap

from formats.image import MOST_PIXELS, ImageInfo, sniff
from formats.notes import Notes

Source = bytes | bytearray | memoryview | mmap

SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png", "png"),
    (b"\xff\xd8\xff", "image/jpeg", "jpg"),
    (b"GIF87a", "image/gif", "gif"),
    (b"GIF89a", "image/gif", "gif"),
)
UNKNOWN_TYPE = ("application/octet-stream", "bin")


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
    def info(self) -> ImageInfo | None:
        """Kind and size by the head bytes; None unless it is a PNG, JPEG, WebP or GIF (see `sniff`)."""
        if len(self.spans) == 1:
            start, end = self.spans[0]
            with memoryview(self.source) as view, view[start:end] as whole:
                return sniff(whole)
        return sniff(b"".join(islice(self.parts(64), 4)))

    @property
    def data(self) -> bytes:
        """The bytes of the picture."""
        with memoryview(self.source) as view:
            return b"".join([*(view[start:end] for start, end in self.spans), self.tail])


def whole_picture(data: bytes) -> Picture:
    """A file of its own that is to be a picture; `first_fit` judges whether it is one."""
    return Picture(*(picture_type(data[:16]) or UNKNOWN_TYPE), ((0, len(data)),), data)


def first_fit(pictures: Iterable[Picture], notes: Notes) -> Picture | None:
    """The first picture that can be kept: PNG, JPEG, WebP or GIF, of at most `MOST_PIXELS`.

    Each one passed over is noted; a file of the card stays an asset all the same.
    """
    for picture in pictures:
        info = picture.info
        if info is None:
            notes.add("picture-unknown", "", size=picture.size)
        elif info.too_large:
            notes.add("picture-too-large", "", width=info.width, height=info.height, limit=MOST_PIXELS)
        else:
            return picture
    return None


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
