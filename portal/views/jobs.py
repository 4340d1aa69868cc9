"""`/jobs/`: what works for me in the background, and the pill in the top bar that leads there."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.core.paginator import Paginator
from django.db.models import Case, Count, Q, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from portal import slots
from portal.access import person_of
from portal.jobs import jobs_of, retry, stop
from portal.jobs.queries import job_for
from portal.models import Job, Person
from portal.render import render_page, wants_fragment
from portal.say import sentence

PER_PAGE: Final = 30
LIST: Final = "portal/jobs/list.html"
ONE: Final = "portal/jobs/job.html"
PILL: Final = "portal/jobs/pill.html"


@dataclass(frozen=True, slots=True)
class Shown:
    """A job as a page shows it: sentences in the reader's language, and where its item is."""

    job: Job
    message: str
    error: str
    hint: str
    link: str
    outcome: str

    @classmethod
    def of(cls, job: Job) -> Shown:
        outcome = first(slots.filled("job.outcome"), job) if job.state == Job.State.DONE else ""
        return cls(
            job=job,
            message="" if outcome else sentence(job.message, job.message_args),
            error=sentence(job.error, job.error_args),
            hint=sentence(job.error_hint, job.error_args),
            link=first(slots.filled("job.link"), job),
            outcome=outcome,
        )


def first(fills: Iterable[Callable[[Job], str]], job: Job) -> str:
    """What the first room that knows this kind of job says of it."""
    return next(filter(None, (fill(job) for fill in fills)), "")


@require_safe
def job_list(request: HttpRequest) -> HttpResponse:
    """My jobs, those that wait or run first; the list alone for its own refreshing."""
    person = person_of(request)
    page = Paginator(live_first(jobs_of(person)), PER_PAGE).get_page(request.GET.get("page"))
    seen = digest(page.object_list)
    if unchanged(request, seen):
        return HttpResponse(status=204)
    context = {
        "title": _("Jobs"),
        "crumbs": [(_("Worlds"), "/")],
        "page": page,
        "shown": [Shown.of(job) for job in page.object_list],
        "seen": seen,
        "live": any(job.live for job in page.object_list),
    }
    return render_page(request, LIST, context, partial="jobs")


@require_safe
def job_page(request: HttpRequest, job_id: str) -> HttpResponse:
    """One job; its part alone for its own refreshing."""
    job = job_for(person_of(request), job_id)
    seen = str(job.version)
    if unchanged(request, seen):
        return HttpResponse(status=204)
    crumbs = [(_("Worlds"), "/"), (_("Jobs"), reverse("portal:jobs"))]
    context = {"title": job.title, "crumbs": crumbs, "shown": Shown.of(job), "seen": seen}
    return render_page(request, ONE, context, partial="job")


@require_POST
def stop_job(request: HttpRequest, job_id: str) -> HttpResponse:
    """Stop a job of mine."""
    person = person_of(request)
    stop(job_for(person, job_id), person)
    return back(request)


@require_POST
def retry_job(request: HttpRequest, job_id: str) -> HttpResponse:
    """Go on with a job of mine that failed or was stopped."""
    person = person_of(request)
    retry(job_for(person, job_id), person)
    return back(request)


@require_safe
def job_pill(request: HttpRequest) -> HttpResponse:
    """The pill alone, for its own refreshing."""
    context = pill_context(person_of(request))
    if unchanged(request, context["seen"]):
        return HttpResponse(status=204)
    return render_page(request, PILL, context)


def pill(request: HttpRequest) -> SafeString:
    """Slot `shell.bar`: how many of my jobs run and wait, with the way to them."""
    if not isinstance(request.user, Person):
        return mark_safe("")
    return render_to_string(PILL, pill_context(request.user), request)


def pill_context(person: Person) -> dict[str, Any]:
    """`running`, `waiting`, `failed` (of the newest ten) and `seen`."""
    counts = Job.objects.filter(owner=person, state__in=Job.LIVE).aggregate(
        running=Count("pk", Q(state=Job.State.RUNNING)), waiting=Count("pk", Q(state=Job.State.QUEUED))
    )
    return {**counts, "seen": "{running}-{waiting}".format(**counts)}


def live_first(jobs: QuerySet[Job]) -> QuerySet[Job]:
    """Running, then waiting, then the rest, newest first."""
    rank = Case(
        When(state=Job.State.RUNNING, then=Value(0)),
        When(state=Job.State.QUEUED, then=Value(1)),
        default=Value(2),
    )
    return jobs.order_by(rank, "-created_at", "pk")


def digest(jobs: Iterable[Job]) -> str:
    """Changes whenever a job of a list, or the list itself, has changed."""
    text = ",".join(f"{job.pk}:{job.version}" for job in jobs)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def unchanged(request: HttpRequest, seen: str) -> bool:
    """A fragment asks again for what it already shows."""
    return wants_fragment(request) and request.GET.get("seen") == seen


def back(request: HttpRequest) -> HttpResponse:
    """To the list of jobs, by GET."""
    response = HttpResponseRedirect(reverse("portal:jobs"))
    response.status_code = 303
    return response
