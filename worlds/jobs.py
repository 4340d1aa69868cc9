"""Long work of the worlds app: copying a world that has many files."""

from __future__ import annotations

from portal.jobs import JobRun, job, submit
from portal.models import Job, Person
from worlds import actions
from worlds.access import world_for
from worlds.models import World
from worlds.store.paths import new_item_id

# More than this and a copy is made in the background: pages do nothing slow.
COPY_FILES_AT_ONCE = 150
COPY_BYTES_AT_ONCE = 30_000_000


def copies_at_once(world: World) -> bool:
    """Whether a world is small enough to be copied while a page waits."""
    return sum(world.counts.values()) <= COPY_FILES_AT_ONCE and world.size <= COPY_BYTES_AT_ONCE


def submit_copy(*, actor: Person, world: World, name: str) -> Job:
    """Copy a world in the background."""
    data = {"name": name, "made": new_item_id(name)}
    return submit("copy-world", owner=actor, subject=world.id, title=name, data=data, lane="copy")


@job("copy-world")
async def copy(run: JobRun) -> None:
    """Make the copy; after a crash it is made again, or found complete."""
    await run.check()
    await run.in_thread(_copy, run.owner_id, run.subject, run.data["name"], run.data["made"])


def _copy(owner_id: int, world_id: str, name: str, made: str) -> None:
    actor = Person.objects.get(pk=owner_id)
    actions.copy_world(actor=actor, world=world_for(actor, world_id), name=name, world_id=made)
