"""What trial runs put into the slots of rooms below: who hears them, where their jobs lead, when they go."""

from __future__ import annotations

from collections.abc import Collection

from django.urls import reverse

from portal import slots
from portal.models import Job, Person
from presets.access import presets_for
from presets.library import LIBRARY
from presets.models import Preset, TrialReply, TrialRun, TrialSetup
from presets.trial_replies import JOB


def may_hear(person: Person, run_id: str) -> bool:
    """Slot `bell.trial`: a run is its person's own."""
    return TrialRun.objects.filter(pk=run_id, owner=person).exists()


def link(job: Job) -> str:
    """Slot `job.link`: the page of the run."""
    if job.kind != JOB or not TrialRun.objects.filter(pk=job.data.get("run", "")).exists():
        return ""
    return reverse("presets:run", args=[job.subject, job.data["run"]])


def outcome(job: Job) -> str:
    """Slot `job.outcome`: how the reply stands."""
    if job.kind != JOB:
        return ""
    reply = TrialReply.objects.filter(pk=job.data.get("reply", "")).first()
    return f"{reply.endpoint_name}: {reply.get_state_display()}" if reply else ""


def names(person: Person, abouts: Collection[str]) -> dict[str, tuple[str, str]]:
    """Slot `usage.about`: the presets that calls were about, as far as this person may open them."""
    ids = [about.removeprefix("preset:") for about in abouts if about.startswith("preset:")]
    found = presets_for(person).filter(pk__in=ids)
    return {
        f"preset:{preset.pk}": (preset.name, reverse("presets:report", args=[preset.pk])) for preset in found
    }


def sweep() -> None:
    """Slot `worlds.swept`: runs and settings go with a preset that is neither in a library nor in a trash."""
    for model in (TrialRun, TrialSetup):
        ids = set(model.objects.values_list("preset_id", flat=True).distinct())
        ids -= set(Preset.objects.filter(pk__in=ids).values_list("pk", flat=True))
        if ids:
            model.objects.filter(preset_id__in=ids - _ids_on_disk()).delete()


def _ids_on_disk() -> set[str]:
    found: set[str] = set()
    for person in Person.objects.all():
        found.update(LIBRARY.shelf_of(person).ids(), (item.item_id for item in LIBRARY.trashed(person)))
    return found


slots.register("bell.trial", may_hear)
slots.register("job.link", link)
slots.register("job.outcome", outcome)
slots.register("usage.about", names)
slots.register("worlds.swept", sweep)
