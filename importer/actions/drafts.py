"""A world that cannot start yet: kept as a draft, mended by the smallest fix, settled once it can (DRAFT-4,
DRAFT-5).
"""

from __future__ import annotations

from django.utils.translation import gettext_noop

from formats.errors import DomainError
from importer.pipeline.record import ImportRecord
from portal.models import Person
from worlds.actions import changing, index_world, trash_world
from worlds.models import World
from worlds.queries import folder_of
from worlds.rules.fixes import apply_fix, find_fix
from worlds.rules.load import load_world


def keep_draft(*, actor: Person, world: World) -> None:
    """Leave the world as it is: the import asks no more, the mark stays until it can start (D35).

    Raises:
        DomainError: `invalid` when the world is no draft of an import.
    """
    record = waiting_draft(world)
    record.update_state(kept=True)
    index_world(owner=world.owner, world_id=world.id)


def discard_draft(*, actor: Person, world: World) -> str:
    """Move the draft to the owner's trash, with its import (DRAFT-5); gives the entry's id, for Undo."""
    waiting_draft(world)
    return trash_world(actor=actor, world=world)


def mend_draft(*, actor: Person, world: World, code: str, where: str, value: str = "") -> None:
    """Apply one of the smallest fixes that are offered for the world as it is now.

    Raises:
        DomainError: `conflict` when the problem is gone or has another shape by now; `invalid` for an
            answer that is not offered; `busy` while an import writes.
    """
    with changing(actor=actor, world=world, what="repair", note=where) as change:
        loaded = load_world(folder_of(world).path)
        fix = find_fix(loaded, code, where)
        if fix is None:
            raise DomainError(
                "conflict",
                "fix.gone",
                where,
                gettext_noop("This problem is not there any more, or has changed. Nothing was written."),
                gettext_noop("Look at the list again."),
            )
        for path, data in apply_fix(loaded, fix, value).items():
            if data is None:
                change.remove(path)
            else:
                change.write(path, data)


def settle(world: World) -> None:
    """Make a draft an ordinary world as soon as a story can start in it (DRAFT-4); called after every
    change, with the row as it was indexed just now.
    """
    if world.stage == "repair" and not world.draft:
        ImportRecord(folder_of(world)).settle()
        index_world(owner=world.owner, world_id=world.id)


def waiting_draft(world: World) -> ImportRecord:
    record = ImportRecord(folder_of(world))
    if not record.exists or record.state().stage != "repair":
        raise DomainError(
            "invalid",
            "import.no-draft",
            world.id,
            gettext_noop("This world is not a draft of an import. Nothing was changed."),
        )
    return record
