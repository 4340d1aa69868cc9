"""Who may see an upload or an import: its owner, and editors of the world it became (D38)."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from importer.models import Upload
from portal.models import Person
from worlds.access import standing_of
from worlds.models import World


def uploads_for(person: Person) -> QuerySet[Upload]:
    """The uploads of a person, newest first, without the discarded ones."""
    return Upload.objects.filter(owner=person).exclude(state=Upload.State.DISCARDED)


def upload_for(person: Person, upload_id: str) -> Upload:
    """One upload of this person.

    Raises:
        DomainError: `not-found` for a stranger, an unknown id, and one that was discarded.
    """
    upload = uploads_for(person).select_related("owner").filter(pk=upload_id).first()
    if upload is None:
        raise no_such_import(upload_id)
    return upload


def import_for(person: Person, import_id: str) -> Upload | World:
    """An import by its upload, or by its world once it has started.

    Raises:
        DomainError: `not-found` where neither is for this person.
    """
    upload = uploads_for(person).select_related("owner").filter(pk=import_id).first()
    return upload or imported_world_for(person, import_id)


def imported_world_for(person: Person, world_id: str) -> World:
    """A world with its import's records, for its owner and for editors; a reader sees neither (D38).

    Raises:
        DomainError: `not-found` otherwise, and for a world that no import made.
    """
    world = World.objects.select_related("owner").filter(pk=world_id).first()
    if world is None or not world.stage or standing_of(person, world) not in ("owner", "edit"):
        raise no_such_import(world_id)
    return world


def no_such_import(import_id: str) -> DomainError:
    """The one answer for an import that does not exist and for one of somebody else."""
    return DomainError(
        "not-found",
        "import.not-found",
        import_id[:200],
        gettext_noop("There is no import here that you can open."),
        gettext_noop("Uploads that nobody starts are kept for seven days. Look in your list of imports."),
    )
