"""What every page's frame needs: the site's name, the reader's preferences, where the page stands."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from portal.jobs import engine
from portal.models import Person, SiteSettings

SECTIONS = {"worlds": ("/w/", "/import/", "/new/", "/trash/")}


def section_of(path: str) -> str:
    """The part of the top bar a page belongs to; empty for pages that belong to none."""
    if path == "/":
        return "worlds"
    return next((name for name, starts in SECTIONS.items() if path.startswith(starts)), "")


def worker_runs() -> bool:
    """Whether this server works through the background jobs."""
    runs_jobs = engine.installed()
    return runs_jobs is not None and runs_jobs.state().running


def shell(request: HttpRequest) -> dict[str, Any]:
    """Context of every template: `server` (site settings), `reader` (signed-in person or None), `section`.

    `worker_missing` is for the host: jobs wait.
    """
    user = getattr(request, "user", None)
    reader = user if isinstance(user, Person) else None
    return {
        "server": SimpleLazyObject(SiteSettings.current),
        "reader": reader,
        "worker_missing": reader is not None and reader.is_host and not worker_runs(),
        "section": section_of(request.path),
        "request_id": getattr(request, "request_id", ""),
        "mail_configured": settings.MAIL_CONFIGURED,
        "debug": settings.DEBUG,
    }
