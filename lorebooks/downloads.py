"""A book as a file to save."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.http import content_disposition_header


def file_response(content: str | bytes, kind: str, name: str) -> HttpResponse:
    """A file that is only ever saved, never shown: what is in it is foreign."""
    response = HttpResponse(content, content_type=kind)
    response.headers["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
