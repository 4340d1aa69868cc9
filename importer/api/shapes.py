"""What the importer tells programs: the shapes of its JSON answers, in one place."""

from __future__ import annotations

from typing import Any

from formats.card.choice import Choices
from formats.errors import DomainError
from formats.finding import Finding
from importer import queries
from importer.models import Upload
from importer.pipeline.preview import CardPreview, GroupedFinding
from importer.pipeline.record import Reading, StoredError
from importer.targets import Target
from portal.models import Job
from portal.say import hinted, said, sentence
from worlds.models import World
from worlds.rules.fixes import Fix
from worlds.rules.write import moment

Json = dict[str, Any]


def upload_json(upload: Upload) -> Json:
    """An upload in whatever state it is.

    `preview` is null while it is being read, and for a file that is no card (then `error` says why);
    `world` is the id under which the import goes on once it has started.
    """
    told: Json = {
        "id": upload.pk,
        "state": upload.state,
        "filename": upload.filename,
        "size": upload.size,
        "sha256": upload.sha256,
        "expires": moment(upload.expires_at),
        "world": upload.world or None,
        "preview": None,
        "choices": None,
        "error": None,
    }
    if upload.state == Upload.State.READY:
        preview = queries.preview_of(upload)
        told |= {"preview": preview_json(preview), "choices": choices_json(preview.choices)}
    elif upload.state in Upload.NO_CARD:
        told["error"] = reading_error(queries.reading_of(upload))
    return told


def preview_json(preview: queries.ImportPreview) -> Json:
    """`ImportPreview` of the seed: the card, its dialect, the worlds it could update."""
    return {
        **card_json(preview.card),
        "targets": [target_json(target) for target in preview.targets],
        "default": {"update": preview.default.world.pk} if preview.default else None,
        "sameFile": [
            {"world": world.pk, "name": world.name, "created": moment(world.created_at)}
            for world in preview.same_file
        ],
    }


def card_json(card: CardPreview) -> Json:
    """What was found in the card; its findings as sentences."""
    shown = card.model_dump(mode="json", by_alias=True, exclude={"findings"})
    return {**shown, "findings": [grouped_json(finding) for finding in card.findings]}


def grouped_json(finding: GroupedFinding) -> Json:
    return {
        "severity": finding.severity,
        "code": finding.code,
        "message": sentence(finding.message, finding.args),
        "hint": sentence(finding.hint, finding.args),
        "count": finding.count,
        "places": finding.places,
    }


def target_json(target: Target) -> Json:
    """A world that the card could update (PREV-5)."""
    return {
        "world": target.world.pk,
        "name": target.world.name,
        "sameName": target.same_name,
        "edited": target.edited,
    }


def choices_json(choices: Choices) -> Json:
    return choices.to_json()


def reading_error(reading: Reading) -> Json:
    """Why a file is not imported; `kind` names what it is instead, `count` how many cards it holds."""
    error = stored_error(reading.error) or {}
    return {**error, "kind": reading.kind or None, "count": reading.count or None}


def stored_error(error: StoredError | None) -> Json | None:
    """A refusal that was kept in a file, as a sentence."""
    if error is None:
        return None
    told = (sentence(error.message, error.args), sentence(error.hint, error.args))
    return {"code": error.code, "message": " ".join(filter(None, told)), "where": error.where}


def refusal_json(error: DomainError) -> Json:
    """A refusal of one file among several; the form of every refusal of the interface."""
    message = " ".join(filter(None, (said(error), hinted(error))))
    return {"error": {"code": error.code, "message": message, "where": error.where}}


def world_json(world: World) -> Json:
    """How the import of a world stands: its stage, its account, what its jobs do."""
    status = queries.status_of(world)
    return {
        "world": world.pk,
        "name": world.name,
        "state": status.state.stage,
        "reviewing": status.state.reviewing,
        "kept": status.state.kept,
        "draft": world.draft,
        "error": stored_error(status.state.error),
        "pieces": queries.totals_of(world),
        "report": report_json(status.report),
        "job": job_json(status.job),
        "pictures": job_json(status.pictures),
    }


def report_json(report: Json | None) -> Json | None:
    """`report.json` with its notes and problems as sentences."""
    if report is None:
        return None
    lists = {name: [stored_finding(note) for note in report.get(name, [])] for name in ("notes", "problems")}
    return {name: value for name, value in report.items() if name != "schema"} | lists


def stored_finding(stored: Json) -> Json:
    finding = Finding.from_json(stored)
    count = {"count": stored["count"]} if "count" in stored else {}
    return {**finding_json(finding), **count}


def finding_json(finding: Finding) -> Json:
    return {
        "severity": finding.severity,
        "code": finding.code,
        "where": finding.where,
        "message": said(finding),
        "hint": hinted(finding),
    }


def job_json(job: Job | None) -> Json | None:
    if job is None:
        return None
    return {"id": job.pk, "state": job.state, "stage": job.stage, "done": job.done, "total": job.total}


def draft_json(world: World) -> Json:
    """State and problems of a world that cannot start yet (DRAFT-5)."""
    status = queries.status_of(world)
    problems = [
        {**finding_json(problem.finding), "fixes": [fix_json(fix) for fix in problem.fixes]}
        for problem in queries.draft_problems(world)
    ]
    return {
        "world": world.pk,
        "state": status.state.stage,
        "draft": world.draft,
        "kept": status.state.kept,
        "problems": problems,
    }


def fix_json(fix: Fix) -> Json:
    """A smallest fix: what it does, and what it asks."""
    choices = [{"value": choice.value, "label": sentence(choice.label, {})} for choice in fix.choices]
    return {"label": sentence(fix.label, {}), "input": fix.input, "choices": choices}
