"""The job that tests an endpoint: the three steps, then what it can do (`portal.md` 3.11)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from django.urls import reverse
from django.utils import timezone

from formats.messages import gettext_noop
from llm.abilities import FoundAbilities, find_abilities
from llm.check import EndpointCheck, check_endpoint
from portal.endpoints.actions import TEST
from portal.endpoints.calling import Caller, Opened, client_for_test
from portal.endpoints.listed import FILLED, filled_in, kept_list
from portal.endpoints.told import state_of
from portal.jobs import JobRun
from portal.jobs import job as runs_jobs_of
from portal.models import Job, ModelEndpoint, Purpose

TRYING: Final = gettext_noop("Trying the address")
ASKING: Final = gettext_noop("Asking what it can do")


@runs_jobs_of(TEST)
async def test_endpoint(run: JobRun) -> None:
    """Test the endpoint that is the subject, and store what came of it as soon as it is known."""
    endpoint_id = endpoint_id_of(run)
    caller = Caller(run.owner_id, endpoint_id, Purpose.TESTING, f"endpoint:{endpoint_id}", run.job_id)
    async with client_for_test(caller) as (client, opened):
        await run.progress(stage="reach", message=TRYING, done=0, total=2)
        checked = await check_endpoint(client, opened.endpoint)
        model = opened.endpoint.model or (checked.models[0].id if checked.models else "")
        await run.in_database(store_check, opened, model, checked)
        if not checked.works:
            return
        await run.progress(stage="abilities", message=ASKING, done=1, total=2)
        found = await find_abilities(client, opened.endpoint.with_model(model))
        await run.in_database(store_abilities, opened, model, found)


test_endpoint.__test__ = False  # type: ignore[attr-defined]  # its name, not a test


def link(job: Job) -> str:
    """`job.link`: the page of the endpoint that a job tests."""
    return reverse("portal:model", args=[endpoint_id_of(job)]) if job.kind == TEST else ""


def outcome_of(job: Job) -> str:
    """`job.outcome`: how the endpoint that was tested stands now; "" for jobs of other rooms."""
    row = ModelEndpoint.objects.filter(pk=endpoint_id_of(job)).first() if job.kind == TEST else None
    return str(state_of(row).word) if row else ""


def endpoint_id_of(job: Job | JobRun) -> str:
    """The endpoint that a job is about."""
    return job.subject.partition(":")[2]


def store_check(opened: Opened, model: str, checked: EndpointCheck) -> None:
    """Keep steps, outcome and the list of models; a list fills what nobody said of the model."""
    row = _same(opened, model)
    if row is None:
        return
    row.steps = [
        {
            "name": step.name,
            "state": step.state,
            "findings": [step.finding.to_json()],
            "said": step.said,
            "seconds": round(step.seconds, 3),
        }
        for step in checked.steps
    ]
    row.test_outcome = checked.outcome
    row.test_ms = round(checked.reply.usage.seconds * 1000) if checked.reply else None
    row.tested_at = timezone.now()
    if checked.models:
        row.listed, row.listed_at = kept_list(checked.models), row.tested_at
    if checked.works:
        row.model = model[:200]
    told = {name: getattr(row, name) for name in FILLED}
    for name, value in filled_in(row.listed, row.model, told).items():
        setattr(row, name, value)
    row.save()


def store_abilities(opened: Opened, model: str, found: FoundAbilities) -> None:
    """Keep what was found. What stayed unknown this time keeps what an earlier test of the model found."""
    row = _same(opened, model)
    if row is None:
        return
    known = {name: value for name, value in asdict(found.abilities).items() if value is not None}
    row.abilities_found = {**row.abilities_found, **known}
    row.steps = [step for step in row.steps if step["name"] != "abilities"] + [_told(found)]
    row.save(update_fields=["abilities_found", "steps"])


def _same(opened: Opened, model: str) -> ModelEndpoint | None:
    """The row as it is now; None when it was deleted or given another address or model meanwhile."""
    tested = opened.row
    rows = ModelEndpoint.objects.filter(pk=tested.pk, kind=tested.kind, base_url=tested.base_url)
    return rows.filter(model__in=(tested.model, model)).first()


def _told(found: FoundAbilities) -> dict[str, Any]:
    return {
        "name": "abilities",
        "state": "passed",
        "findings": [finding.to_json() for finding in found.findings],
    }
