"""What came of a job of an import, for the list of jobs: it says more than that it is done."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from importer import queries
from importer.actions.start import PICTURES_JOB, STRUCTURE_JOB
from importer.actions.uploads import READING_JOB
from importer.models import Upload
from portal.models import Job
from worlds.models import World
from worlds.overview import who_plays


def outcome_of(job: Job) -> str:
    """`job.outcome`: how what a finished job worked for stands now; "" for jobs of other rooms."""
    if job.kind == READING_JOB:
        upload = Upload.objects.filter(pk=job.subject).first()
        return str(upload.get_state_display()) if upload else ""
    if job.kind not in (STRUCTURE_JOB, PICTURES_JOB):
        return ""
    world = World.objects.select_related("owner").filter(pk=job.subject).first()
    if world is None:
        return _("Its world is not on the shelf any more.")
    return standing(world) if job.kind == STRUCTURE_JOB else pictures(world)


def standing(world: World) -> str:
    """How far a world is from being played."""
    blocking = sum(finding.get("severity") == "error" for finding in world.findings)
    if world.draft:
        text = ngettext(
            "“%(name)s” is a draft: %(n)s thing to fix.",
            "“%(name)s” is a draft: %(n)s things to fix.",
            blocking,
        )
        return text % {"name": world.name, "n": blocking}
    if who_plays(world) == "choose-someone":
        return _("“%(name)s” is there; nobody can be played yet.") % {"name": world.name}
    return _("“%(name)s” is ready: a story can start.") % {"name": world.name}


def pictures(world: World) -> str:
    """How many of the pictures a card names are there."""
    report = queries.picture_report(world) or {}
    results = [held.get("result") for held in report.get("pictures", []) if isinstance(held, dict)]
    there = sum(result in ("kept", "copy") for result in results)
    return _("%(there)s of %(all)s pictures are there.") % {"there": there, "all": len(results)}
