"""Static files, served by the program itself, and gathered before it serves."""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase, StreamingHttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # it has no types
    """WhiteNoise, answering in one piece.

    Our files are small; a file streamed by a synchronous iterator is read whole by an ASGI server anyway,
    with a warning for each.
    """

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = WhiteNoiseMiddleware.serve(static_file, request)
        if not isinstance(response, StreamingHttpResponse):
            return response
        content = b"" if request.method == "HEAD" else response.getvalue()
        whole = HttpResponse(content, status=response.status_code, headers=dict(response.headers))
        if "Content-Type" not in response.headers:  # "304 Not Modified" has none, and Django would guess
            del whole.headers["Content-Type"]
        response.close()
        return whole


def gather() -> bool:
    """Gather the static files into `STATIC_ROOT`; gives False where the same ones lie there already.

    Hashing and packing them takes most of a second, which a restart need not spend.
    """
    root = Path(settings.STATIC_ROOT)
    stamp, sources = root.with_name(f"{root.name}.stamp"), _sources()
    if root.is_dir() and stamp.is_file() and stamp.read_text(encoding="ascii") == sources:
        return False
    stamp.unlink(missing_ok=True)  # cut off from here on, everything is gathered anew
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(sources, encoding="ascii")
    return True


def _sources() -> str:
    """A hash that differs when any static file, or a program that packs them, does."""
    files = (
        (path, Path(storage.path(path)).stat())
        for finder in get_finders()
        for path, storage in finder.list([])
    )
    told = [f"{path} {stat.st_size} {stat.st_mtime_ns}" for path, stat in files]
    packers = [f"{name} {version(name)}" for name in ("django", "whitenoise")]
    return hashlib.sha256("\n".join([*packers, *sorted(told)]).encode()).hexdigest()
