"""`/healthz`: for machines that watch the server."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from portal.jobs import engine, ledger


@login_not_required
@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 with version, worker and queue; 503 when the database does not answer."""
    runs_jobs = engine.installed()
    state = runs_jobs.state() if runs_jobs else engine.EngineState(running=False, jobs=0, limit=0)
    worker = {"running": state.running, "jobs": state.jobs, "limit": state.limit}
    told = {"status": "ok", "version": settings.VERSION, "worker": worker}
    try:
        return JsonResponse({**told, "queue": ledger.counts()})
    except (DatabaseError, InterfaceError):
        return JsonResponse({**told, "status": "database does not answer", "queue": None}, status=503)
