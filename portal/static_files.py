"""Static files, served by the program itself."""

from __future__ import annotations

from typing import Any

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
