"""In which groups of the bell a job is heard."""

from __future__ import annotations

from portal import bell
from portal.models import Job


def ring(job: Job) -> None:
    """Tell open pages that this job's row has changed; heard after the transaction commits."""
    bell.ring(f"job:{job.pk}")
    bell.ring(f"person:{job.owner_id}")
    if job.subject:
        bell.ring(f"item:{job.subject}")
