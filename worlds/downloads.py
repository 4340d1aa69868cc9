"""Files that leave the server: zips written while they are sent, pictures that cannot do anything."""

from __future__ import annotations

import io
import zipfile
from collections.abc import AsyncIterator, Iterator

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header

from formats.image import sniff
from formats.text.names import download_name
from worlds.store.folder import ItemFolder

# What a browser may show as a picture; anything else is only ever saved.
SHOWN = {"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif"}
PACKED_ALREADY = (".png", ".jpg", ".jpeg", ".webp", ".gif")
CHUNK = 256 * 1024
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

    Written as it is read: never more than one file of the world in memory.
    """
    out = Outgoing()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path in folder.published_paths():
            kind = zipfile.ZIP_STORED if path.lower().endswith(PACKED_ALREADY) else zipfile.ZIP_DEFLATED
            archive.writestr(f"{top}/{path}", folder.read(path), compress_type=kind)
            if out.waiting >= CHUNK:
                yield out.take()
    yield out.take()


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


def picture_response(request: HttpRequest, data: bytes, etag: str, name: str) -> HttpResponse:
    """A picture of a world. Its bytes are untrusted: only four known kinds are shown, all else is saved."""
    info = sniff(data)
    kind = SHOWN.get(info.kind) if info else None
    response = HttpResponse(data, content_type=kind or "application/octet-stream")
    response.headers["Content-Disposition"] = content_disposition_header(kind is None, name) or "attachment"
    return harmless(response, etag)


def harmless(response: HttpResponse, etag: str) -> HttpResponse:
    """Headers of every file that comes from a world: nothing in it may run, no other site may embed it."""
    response.headers["Content-Security-Policy"] = STILL
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["ETag"] = etag
    return response
