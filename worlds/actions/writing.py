"""The frame of every write to a world: refused while an import runs, one locked change, then the index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.utils.translation import gettext_noop

from formats.errors import DomainError
from formats.finding import Finding
from portal import slots
from portal.models import Person
from worlds import index
from worlds.access import refuse_unless_editor
from worlds.models import World
from worlds.queries import folder_of
from worlds.store.change import Change

STATE = ".import/state.json"


class Refused(DomainError):
    """A document that the world's own reader does not take; `findings` say why, each with its place."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = [finding for finding in findings if finding.severity == "error"]
        first = self.findings[0]
        super().__init__("invalid", first.code, first.where, first.message, first.hint, first.args)


@contextmanager
def changing(*, actor: Person, world: World, what: str, note: str = "") -> Iterator[Change]:
    """One change of a world's files; when it is applied the index follows and open pages are told.

    `world` is brought up to date in place. `note` names what was changed, for the history.

    Raises:
        DomainError: `not-found` or `forbidden` for an actor who may not edit it; `busy` while an import is
            writing this world; as `ItemFolder.change`.
    """
    refuse_unless_editor(actor, world)
    with folder_of(world).change(by=actor.handle, what=what, note=note[:200]) as change:
        refuse_while_importing(change, world)
        yield change
    written(world)


def written(world: World) -> None:
    """After a world's files were changed: index it, and let other rooms settle what follows (DRAFT-4)."""
    fresh = index.index_world(world.owner, world.id)
    if fresh is None:
        raise no_longer_there(world)
    for settle in slots.filled("world.saved"):
        settle(fresh)
    world.refresh_from_db()


def refuse_while_importing(change: Change, world: World) -> None:
    """Raise `busy` when an import is under way: looked at under the lock, so that no start slips between."""
    if not change.has(STATE):
        return
    state = change.read_json(STATE)
    if isinstance(state, dict) and state.get("stage") in World.IMPORTING_STAGES:
        raise DomainError(
            "busy",
            "world.importing",
            world.id,
            gettext_noop("An import is writing this world. You can read it; nothing was saved."),
            gettext_noop("Saving opens again as soon as the import is finished."),
        )


def no_longer_there(world: World) -> DomainError:
    """The folder went away while somebody worked on it."""
    return DomainError(
        "not-found",
        "world.gone",
        world.id,
        gettext_noop("“{name}” is not on the shelf any more. What it held is in the trash."),
        gettext_noop("Its owner can restore it from the trash."),
        {"name": world.name},
    )
