"""Files that leave the server: zips written while they are sent, pictures that cannot do anything."""

from __future__ import annotations

import io
import logging
import os
import time
import zipfile
from collections.abc import AsyncIterator, Iterator
from io import BufferedReader
from mmap import ACCESS_READ, mmap
from typing import BinaryIO, TypeVar

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from formats.image import ImageInfo, sniff
from formats.text.names import download_name
from worlds.store.etags import digest_of_file, etag_of
from worlds.store.folder import ItemFolder

log = logging.getLogger(__name__)
Answer = TypeVar("Answer", bound=HttpResponseBase)

# What a browser may show as a picture; anything else is only ever saved.
SHOWN = {"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif"}
PACKED_ALREADY = (".png", ".jpg", ".jpeg", ".webp", ".gif")
UNKNOWN = "application/octet-stream"
CHUNK = 256 * 1024
LEFT_OUT = gettext_noop("These files were deleted or could not be read while the zip was made:")
STILL = "sandbox; default-src 'none'; style-src 'none'"


class Outgoing(io.RawIOBase):
    """A file that is only written to, from front to back; what was written is taken out piece by piece."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.waiting = 0

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        part = bytes(data)  # type: ignore[call-overload]
        self._parts.append(part)
        self.waiting += len(part)
        return len(part)

    def take(self) -> bytes:
        """What waits to be sent."""
        taken, self._parts, self.waiting = b"".join(self._parts), [], 0
        return taken


def zip_of(folder: ItemFolder, top: str) -> Iterator[bytes]:
    """A zip of what may be published of an item, below a folder called `top` (WORLD-3, D37).

    Its files are listed at once, of one moment, and read while they are sent: never more than a part of one
    is in memory. One that cannot be read when its turn comes (deleted meanwhile) does not cost the others:
    it is left out and named in a text file beside the folder.
    """
    return _zipped(folder, folder.consistently(folder.published_paths), top, _(LEFT_OUT))


def _zipped(folder: ItemFolder, paths: list[str], top: str, told: str) -> Iterator[bytes]:
    out, missing = Outgoing(), []
    with zipfile.ZipFile(out, "w") as archive:
        for path in paths:
            try:
                file = folder.open(path)
            except DomainError as error:
                log.info("left out of a zip: %s", error)
                missing.append(path)
                continue
            with file, archive.open(_member(f"{top}/{path}"), "w") as member:
                for part in parts_of(file):
                    member.write(part)
                    if out.waiting >= CHUNK:
                        yield out.take()
        if missing:
            archive.writestr(f"{top}.left-out.txt", "\n".join([told, "", *missing, ""]))
    yield out.take()


def _member(name: str) -> zipfile.ZipInfo:
    """How a file stands in the zip: made now, packed unless it is packed already."""
    member = zipfile.ZipInfo(name, time.localtime()[:6])
    member.external_attr = 0o600 << 16
    packed = name.lower().endswith(PACKED_ALREADY)
    member.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
    return member


def zip_response(request: HttpRequest, folder: ItemFolder, name: str) -> HttpResponseBase:
    """The zip as a download called after the world."""
    file = download_name(name, "zip")
    response = StreamingHttpResponse(
        streamed(request, zip_of(folder, file.removesuffix(".zip"))), content_type="application/zip"
    )
    response.headers["Content-Disposition"] = content_disposition_header(True, file) or "attachment"
    return response


def streamed(request: HttpRequest, parts: Iterator[bytes]) -> Iterator[bytes] | AsyncIterator[bytes]:
    """Parts in the form that the server sends one by one: an ASGI server collects plain iterators first."""
    return _in_threads(parts) if isinstance(request, ASGIRequest) else parts


async def _in_threads(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    take = sync_to_async(lambda: next(parts, None), thread_sensitive=False)
    while (part := await take()) is not None:
        yield part


def parts_of(file: BinaryIO) -> Iterator[bytes]:
    """The bytes of an open file from its start, a part at a time. It is closed at the end, or when the parts
    are let go: an answer to HEAD, or to a browser that went away, is never read.
    """
    # A descriptor of our own: whoever lets the parts go closes it, in whatever order things are let go.
    descriptor = os.dup(file.fileno())
    file.close()
    parts = _parts(descriptor)
    next(parts)  # begun: only then does letting go reach the `finally`
    return parts


def _parts(descriptor: int) -> Iterator[bytes]:
    position = 0
    try:
        yield b""
        while part := os.pread(descriptor, CHUNK, position):
            position += len(part)
            yield part
    finally:
        os.close(descriptor)


def file_response(
    request: HttpRequest, file: BufferedReader, name: str, *, as_picture: bool = False
) -> HttpResponseBase:
    """An open file of a world, sent a part at a time; 304 when the browser has it.

    Its bytes are untrusted: they are saved, never shown, unless they are `as_picture` one of four known
    kinds.
    """
    etag = etag_of(digest_of_file(file))
    known = get_conditional_response(request, etag=etag)
    if known is not None:
        file.close()
        return harmless(known, etag)
    kind = SHOWN.get(info.kind) if as_picture and (info := sniff_file(file)) else None
    size = file.seek(0, os.SEEK_END)
    response = StreamingHttpResponse(streamed(request, parts_of(file)), content_type=kind or UNKNOWN)
    response.headers["Content-Length"] = str(size)
    response.headers["Content-Disposition"] = content_disposition_header(kind is None, name) or "attachment"
    return harmless(response, etag)


def made_response(content: str | bytes, kind: str, name: str) -> HttpResponse:
    """A file made for this answer, only ever saved and never shown: foreign text stands in it."""
    response = HttpResponse(content, content_type=kind)
    response.headers["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def sniff_file(file: BufferedReader) -> ImageInfo | None:
    """`sniff` of an open file; only the pages that it looks at are read."""
    if file.seek(0, os.SEEK_END) == 0:
        return None
    with mmap(file.fileno(), 0, access=ACCESS_READ) as mapped, memoryview(mapped) as data:
        return sniff(data)


def harmless(response: Answer, etag: str) -> Answer:
    """Headers of every file that comes from a world: nothing in it may run, no other site may embed it."""
    response.headers["Content-Security-Policy"] = STILL
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["ETag"] = etag
    return response
