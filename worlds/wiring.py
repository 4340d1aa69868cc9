"""What the worlds app puts into the slots of rooms below it. Imported when the app is ready."""

from __future__ import annotations

from django.urls import reverse

from portal import slots
from portal.models import Job, Person
from worlds.access import standing_of
from worlds.models import World
from worlds.recovery import match_shelves


def hears_world(person: Person, rest: str) -> bool:
    """Whoever may read a world hears it."""
    world = World.objects.filter(pk=rest).first()
    return world is not None and standing_of(person, world) is not None


def copied_world(job: Job) -> str:
    """Where the list of jobs leads for a copy: the copy once it is there, else the world it is made of."""
    if job.kind != "copy-world":
        return ""
    made = World.objects.filter(pk=job.data.get("made", ""), owner=job.owner).first()
    return reverse("worlds:overview", args=[made.pk if made else job.subject])


slots.register("bell.item", hears_world)
slots.register("job.link", copied_world)
slots.register("server.started", match_shelves)
