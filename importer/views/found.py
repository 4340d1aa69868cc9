"""Finding what an address of an import names: an upload until it starts, a world afterwards."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from importer.access import import_for, imported_world_for, upload_for
from importer.models import Upload
from portal.access import person_of
from portal.models import Person
from worlds.models import World


def find_upload(request: HttpRequest, import_id: str) -> tuple[Person, Upload]:
    """The upload of an address, for its owner.

    Raises:
        DomainError: `not-found` for everybody else.
    """
    person = person_of(request)
    return person, upload_for(person, import_id)


def find_import(request: HttpRequest, import_id: str) -> tuple[Person, Upload | World]:
    """The upload, or the world once it has started; worlds are open to their editors too (D38).

    Raises:
        DomainError: `not-found` for a stranger; of its own kind when the world went to the trash.
    """
    person = person_of(request)
    found = import_for(person, import_id)
    if isinstance(found, World) or found.state != Upload.State.STARTED:
        return person, found
    world = World.objects.select_related("owner").filter(pk=found.world).first()
    if world is None:
        raise world_gone(found)
    return person, world


def find_imported(request: HttpRequest, import_id: str) -> tuple[Person, World]:
    """The world of an import that has started.

    Raises:
        DomainError: `not-found` for a stranger, and for an upload that was not started.
    """
    person, found = find_import(request, import_id)
    if isinstance(found, World):
        return person, found
    return person, imported_world_for(person, import_id)


def world_gone(upload: Upload) -> DomainError:
    """The import was started, and its world has been taken off the shelf since."""
    return DomainError(
        "not-found",
        "import.world-gone",
        upload.world,
        gettext_noop("“{name}” was imported, but its world is not on the shelf any more."),
        gettext_noop("Look in the trash. If it is not there, upload the file again."),
        {"name": str(upload)},
    )
