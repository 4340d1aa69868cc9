"""Writing jobs: asking for work, stopping it, trying again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from formats.errors import DomainError
from formats.messages import gettext_noop
from portal.jobs import engine
from portal.jobs.queries import no_such_job
from portal.jobs.registry import handler_of
from portal.jobs.rings import ring
from portal.models import Job, Person

TITLE_LIMIT = 300


def submit(
    kind: str,
    *,
    owner: Person,
    subject: str,
    title: str,
    data: Mapping[str, Any] | None = None,
    lane: str = "",
) -> Job:
    """Store a job and wake the engine when the transaction commits.

    `subject` is the id of the item the work is done to; jobs of one subject and lane run one after another,
    in the order they were asked for. `data` holds JSON values. The same wish (kind, owner, subject, lane,
    data) that still waits is returned instead of asked for twice.

    Raises:
        LookupError: no handler is registered for `kind` (a mistake in the program).
    """
    handler_of(kind)
    wish = {"kind": kind, "owner": owner, "subject": subject, "lane": lane, "data": dict(data or {})}
    with transaction.atomic():
        waiting = Job.objects.filter(**wish, state=Job.State.QUEUED).first() if subject else None
        found = waiting or Job.objects.create(**wish, title=title[:TITLE_LIMIT])
        transaction.on_commit(lambda: engine.kick(found.pk))
        ring(found)
    return found


def stop(job: Job, actor: Person) -> Job:
    """End a job: at once while it waits, at its next step while it runs. What it finished is kept.

    Raises:
        DomainError: `not-found` for anybody but the owner and the host; `conflict` when it has ended already.
    """
    if actor.pk != job.owner_id and not actor.is_host:
        raise no_such_job(job.pk)
    with transaction.atomic():
        waiting = Job.objects.filter(pk=job.pk, state=Job.State.QUEUED)
        running = Job.objects.filter(pk=job.pk, state=Job.State.RUNNING)
        changed = waiting.update(
            state=Job.State.STOPPED, finished_at=timezone.now(), version=F("version") + 1
        ) or running.update(stop_asked=True, version=F("version") + 1)
        if not changed:
            raise DomainError(
                "conflict",
                "job-ended",
                job.pk,
                gettext_noop("“{title}” has ended already; nothing was changed."),
                args={"title": job.title},
            )
        transaction.on_commit(lambda: engine.kick(job.pk))
        ring(job)
    job.refresh_from_db()
    return job


def retry(job: Job, actor: Person) -> Job:
    """Put a failed or stopped job back into the queue; it goes on from what is stored.

    Raises:
        DomainError: `not-found` for anybody but the owner; `conflict` unless it failed or was stopped.
    """
    if actor.pk != job.owner_id:
        raise no_such_job(job.pk)
    with transaction.atomic():
        ended = Job.objects.filter(pk=job.pk, state__in=(Job.State.FAILED, Job.State.STOPPED))
        changed = ended.update(
            state=Job.State.QUEUED,
            attempts=0,
            stop_asked=False,
            error="",
            error_hint="",
            error_code="",
            error_where="",
            error_args={},
            finished_at=None,
            version=F("version") + 1,
        )
        if not changed:
            raise DomainError(
                "conflict",
                "job-not-ended",
                job.pk,
                gettext_noop("“{title}” is not waiting to be tried again; nothing was changed."),
                args={"title": job.title},
            )
        transaction.on_commit(lambda: engine.kick(job.pk))
        ring(job)
    job.refresh_from_db()
    return job
