"""Reading jobs."""

from __future__ import annotations

from django.db.models import QuerySet

from formats.errors import DomainError
from formats.messages import gettext_noop
from portal.models import Job, Person


def waiting_for(subject: str, kind: str | None = None) -> list[Job]:
    """The jobs of one item that wait or run, oldest first; of one kind when given."""
    found = Job.objects.filter(subject=subject, state__in=Job.LIVE).order_by("created_at", "id")
    return list(found.filter(kind=kind) if kind else found)


def jobs_of(person: Person) -> QuerySet[Job]:
    """Every job of a person, newest first."""
    return Job.objects.filter(owner=person)


def job_for(person: Person, job_id: str) -> Job:
    """One job of this person.

    Raises:
        DomainError: `not-found`: no such job, or somebody else's.
    """
    found = Job.objects.filter(pk=job_id, owner=person).first()
    if found is None:
        raise no_such_job(job_id)
    return found


def no_such_job(job_id: str) -> DomainError:
    """The one answer for a job that does not exist and for one of somebody else."""
    return DomainError("not-found", "no-such-job", job_id, gettext_noop("There is no such job here."))
