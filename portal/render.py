"""`render_page`: one template for a whole page and for its refreshed part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers


def render_page(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any] | None = None,
    partial: str | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    """The page, or only its part named `partial` when htmx asks for a fragment.

    `partial` is a `{% partialdef %}` of the same template. A boosted link, a browser without scripts and
    a restored history entry get the whole page. Caches are told that the answer depends on who asked.
    """
    name = f"{template}#{partial}" if partial and wants_fragment(request) else template
    response = render(request, name, dict(context or {}), status=status)
    patch_vary_headers(response, ("HX-Request", "HX-Boosted", "HX-History-Restore-Request"))
    return response


def wants_fragment(request: HttpRequest) -> bool:
    """htmx asks for a part of a page, not for a page."""
    htmx = getattr(request, "htmx", None)  # absent when an earlier middleware answers
    return htmx is not None and bool(htmx) and not htmx.boosted and not htmx.history_restore_request
