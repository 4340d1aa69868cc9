"""Which worlds use a book: a list of ids in `world.json`, changed in the one way that file is changed."""

from __future__ import annotations

from collections.abc import Callable

from django.utils import timezone
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from lorebooks.access import lorebook_for
from lorebooks.models import Lorebook
from portal import bell
from portal.models import Person
from worlds.actions import changing
from worlds.models import World
from worlds.rules.documents import WorldFile
from worlds.rules.write import change_world_file

MOST_ATTACHED = 100


def attach_lorebook(*, actor: Person, lorebook: Lorebook, world: World) -> None:
    """Let a world use a book, after those it uses already; attached already is fine.

    The actor must be able to read the book and to edit the world. Others who open the world and may not read
    the book see that there is one, and no more; sharing it with them is another step.

    Raises:
        DomainError: `not-found`, `forbidden`; `full`; as `worlds.actions.changing`.
    """
    lorebook_for(actor, lorebook.pk)

    def add(file: WorldFile) -> WorldFile:
        if lorebook.pk in file.lorebooks:
            return file
        if len(file.lorebooks) >= MOST_ATTACHED:
            raise _too_many()
        return file.model_copy(update={"lorebooks": [*file.lorebooks, lorebook.pk]})

    _rewrite(actor, world, add, lorebook.pk)
    bell.ring(f"item:{lorebook.pk}")


def detach_lorebook(*, actor: Person, lorebook_id: str, world: World) -> None:
    """Let a world use a book no longer; the book itself stays. Not attached is fine.

    Whoever may edit the world may do it, whether they can read the book or not.
    """

    def remove(file: WorldFile) -> WorldFile:
        return file.model_copy(update={"lorebooks": [one for one in file.lorebooks if one != lorebook_id]})

    _rewrite(actor, world, remove, lorebook_id)
    bell.ring(f"item:{lorebook_id}")


def _rewrite(actor: Person, world: World, edit: Callable[[WorldFile], WorldFile], note: str) -> None:
    with changing(actor=actor, world=world, what="lorebooks", note=note) as change:
        change_world_file(change, edit, now=timezone.now())


def _too_many() -> DomainError:
    return DomainError(
        "full",
        "lorebook.too-many-attached",
        "",
        gettext_noop("A world uses at most {count} lorebooks. Nothing was changed."),
        args={"count": MOST_ATTACHED},
    )
