"""The rows of jobs as an engine sees them: claiming, holding, recording. Synchronous, short, fenced.

Every write names the lease it is made under (`Claim`), so one from a process that lost the job changes
nothing. Whoever comes first wins by compare-and-set; where the database can skip locked rows, claimers do not
wait for each other. A unique index makes two running jobs of one subject and lane impossible.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import IntegrityError, connection, transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from formats.messages import gettext_noop
from portal.jobs.rings import ring
from portal.models import Job

ATTEMPTS: Final = 5  # starts without an end, before a job is given up
LOOK_AHEAD: Final = 20  # waiting rows tried in one claim
State = Job.State


@dataclass(frozen=True, slots=True)
class Claim:
    """A job held by one process: what to do, and the lease under which it may be written."""

    job_id: str
    kind: str
    subject: str
    owner_id: int
    title: str
    data: Mapping[str, Any]
    attempt: int
    lease_owner: str
    fence: int


@dataclass(frozen=True, slots=True)
class Choice:
    """One job, and what must run before it: the older jobs of its subject and lane."""

    job_id: str
    subject: str
    lane: str

    @property
    def filters(self) -> dict[str, str]:
        return {"subject": self.subject, "lane": self.lane} if self.subject else {"pk": self.job_id}


@dataclass(frozen=True, slots=True)
class Beat:
    """A lease that was extended; `stop`: somebody asked the job to stop."""

    stop: bool


def claim(
    lease_owner: str, lease: float, *, per_person: int | None = None, only: Choice | None = None
) -> Claim | None:
    """Take the next waiting job for `lease` seconds, or None when nothing can be taken.

    A job whose subject and lane are in use, or asked for by an older job, waits. People take turns: those
    with fewer running jobs come first, and nobody runs more than `per_person` at once. `only` narrows the
    choice.
    """
    rows = _waiting()
    if only is not None:
        rows = rows.filter(**only.filters)
    if per_person is not None:
        rows = rows.filter(Q(owner_running__lt=per_person))
    if not rows.exists():
        return None  # an idle engine takes no lock
    with transaction.atomic():
        if connection.features.has_select_for_update_skip_locked:
            rows = rows.select_for_update(skip_locked=True, of=("self",))
        for row in rows[:LOOK_AHEAD]:
            if (taken := _take(row, lease_owner, lease)) is not None:
                return taken
    return None


def _waiting() -> QuerySet[Job]:
    """Queued jobs whose turn has come."""
    same = Job.objects.filter(subject=OuterRef("subject"), lane=OuterRef("lane")).exclude(pk=OuterRef("pk"))
    before = same.filter(
        Q(state=State.RUNNING) | Q(state=State.QUEUED, created_at__lt=OuterRef("created_at"))
    )
    running = (
        Job.objects.filter(owner=OuterRef("owner"), state=State.RUNNING)
        .order_by()
        .values("owner")
        .annotate(number=Count("pk"))
        .values("number")
    )
    return (
        Job.objects.filter(state=State.QUEUED, owner__is_active=True)
        .filter(Q(subject="") | ~Exists(before))
        .annotate(owner_running=Coalesce(Subquery(running), 0))
        .order_by("owner_running", "created_at", "pk")
    )


def _take(row: Job, lease_owner: str, lease: float) -> Claim | None:
    now = timezone.now()
    try:
        with transaction.atomic():  # a savepoint: a lost race must not break the search for another job
            taken = Job.objects.filter(pk=row.pk, state=State.QUEUED, fence=row.fence).update(
                state=State.RUNNING,
                lease_owner=lease_owner,
                lease_until=now + timedelta(seconds=lease),
                fence=F("fence") + 1,
                attempts=F("attempts") + 1,
                version=F("version") + 1,
                started_at=row.started_at or now,
            )
    except IntegrityError:
        return None  # another job of this subject began at this moment
    if not taken:
        return None
    ring(row)
    return Claim(
        job_id=row.pk,
        kind=row.kind,
        subject=row.subject,
        owner_id=row.owner_id,
        title=row.title,
        data=row.data,
        attempt=row.attempts + 1,
        lease_owner=lease_owner,
        fence=row.fence + 1,
    )


def renew(claims: Collection[Claim], lease: float) -> dict[str, Beat]:
    """Hold jobs of one process for `lease` more seconds. A job missing in the answer is not ours any more."""
    owners = {claim.lease_owner for claim in claims}
    fences = {claim.job_id: claim.fence for claim in claims}
    ours = Job.objects.filter(pk__in=fences, lease_owner__in=owners, state=State.RUNNING)
    ours.update(lease_until=timezone.now() + timedelta(seconds=lease))
    rows = ours.values_list("pk", "fence", "stop_asked", "owner__is_active")
    return {pk: Beat(asked or not active) for pk, fence, asked, active in rows if fences[pk] == fence}


def save_progress(claim: Claim, fields: Mapping[str, Any]) -> bool:
    """Store reported fields and ring; False when the lease is lost."""
    return _write(claim, {name: fields[name] for name in fields})


def record_end(claim: Claim, state: str, fields: Mapping[str, Any]) -> bool:
    """Store how a job ended, with what was last reported; False when the lease is lost."""
    ending = {"state": state, "finished_at": timezone.now(), "stop_asked": False}
    return _write(claim, {**fields, **ending, "lease_owner": "", "lease_until": None})


def give_back(claim: Claim, fields: Mapping[str, Any]) -> bool:
    """Put a job back into the queue unharmed: this process ends. The attempt does not count."""
    back = {"state": State.QUEUED, "attempts": F("attempts") - 1}
    return _write(claim, {**fields, **back, "lease_owner": "", "lease_until": None})


def _write(claim: Claim, fields: Mapping[str, Any]) -> bool:
    held = Job.objects.filter(
        pk=claim.job_id, state=State.RUNNING, lease_owner=claim.lease_owner, fence=claim.fence
    )
    with transaction.atomic():
        if not held.update(**fields, version=F("version") + 1):
            return False
        ring(Job(pk=claim.job_id, owner_id=claim.owner_id, subject=claim.subject))
    return True


def upkeep(is_dead: Callable[[str], bool]) -> int:
    """Look after jobs nobody holds: lapsed leases, leases of dead processes, disabled accounts.

    Returns:
        How many rows were changed.
    """
    now = timezone.now()
    rows = Job.objects.filter(state__in=Job.LIVE).select_related("owner")
    return sum(_look_after(row, now, is_dead) for row in rows if _needs_care(row, now, is_dead))


def _needs_care(row: Job, now: datetime, is_dead: Callable[[str], bool]) -> bool:
    return not row.owner.is_active or _abandoned(row, now, is_dead)


def _abandoned(row: Job, now: datetime, is_dead: Callable[[str], bool]) -> bool:
    if row.state != State.RUNNING:
        return False
    return row.lease_until is None or row.lease_until < now or is_dead(row.lease_owner)


def _look_after(row: Job, now: datetime, is_dead: Callable[[str], bool]) -> bool:
    """Change one row that needs it, unless somebody else was faster."""
    held = row.state == State.RUNNING and not _abandoned(row, now, is_dead)
    change: dict[str, Any]
    if held:
        return False  # its process hears from the next beat that the owner is disabled
    if row.stop_asked or not row.owner.is_active:
        change = {"state": State.STOPPED, "finished_at": now, "stop_asked": False}
    elif row.attempts >= ATTEMPTS:
        change = {"state": State.FAILED, "finished_at": now, **_given_up(row)}
    else:
        change = {"state": State.QUEUED}
    same = Job.objects.filter(pk=row.pk, state=row.state, fence=row.fence, lease_until=row.lease_until)
    with transaction.atomic():
        changed = same.update(**change, lease_owner="", lease_until=None, version=F("version") + 1)
        if changed:
            ring(row)
    return bool(changed)


def _given_up(row: Job) -> dict[str, Any]:
    return {
        "error_code": "gave-up",
        "error": gettext_noop(
            "The server stopped {count} times while it worked on “{title}”, so it does not try again by "
            "itself. What was finished is kept."
        ),
        "error_hint": gettext_noop("Try again, or tell the host about it."),
        "error_args": {"count": row.attempts, "title": row.title},
    }


def counts() -> dict[str, Any]:
    """For `/healthz`: how many jobs wait and run, and for how many seconds the oldest has waited."""
    waiting = Job.objects.filter(state=State.QUEUED)
    oldest = waiting.order_by("created_at").values_list("created_at", flat=True).first()
    seconds = max(0, round((timezone.now() - oldest).total_seconds())) if oldest else 0
    running = Job.objects.filter(state=State.RUNNING).count()
    return {"queued": waiting.count(), "running": running, "oldestQueuedSeconds": seconds}
