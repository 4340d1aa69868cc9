"""From an upload to a world whose import runs; and going on with what was interrupted (RUN-3, RUN-11)."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from importer.actions.uploads import refuse_unless_ready
from importer.models import Upload
from importer.pipeline.record import CardFiles, ImportRecord, ImportState, record_bytes
from portal import bell
from portal.jobs import submit, waiting_for
from portal.models import Job, Person
from worlds.actions import index_world
from worlds.data import data_folder
from worlds.models import World
from worlds.queries import folder_at, folder_of, shelf_of
from worlds.rules.documents import Source, WorldFile
from worlds.rules.write import document_bytes, moment
from worlds.store.paths import new_item_id
from worlds.store.staging import Staging

STRUCTURE_JOB = "import-structure"
PICTURES_JOB = "import-pictures"
PICTURES_LANE = "pictures"


def start_structure(*, actor: Person, upload: Upload) -> World:
    """Make the world, move the upload into it, and let a job arrange the card (STRUCT-1).

    The world's id is stored first: a start that was cut off is finished by `continue_start`, and a second
    click gives the same world.

    Raises:
        DomainError: `conflict` when the upload is not ready; what the store raises. The upload stays as it
            was.
    """
    if not upload.world:
        refuse_unless_ready(upload)
        name = CardFiles(Staging(data_folder()).folder(upload.id)).choices().name
        Upload.objects.filter(pk=upload.pk, world="", state=Upload.State.READY).update(
            world=new_item_id(name)
        )
        upload.refresh_from_db()
        refuse_unless_ready(upload)
    return continue_start(upload=upload)


def continue_start(*, upload: Upload) -> World:
    """Do what is left of a start, from whatever point it reached."""
    owner, world_id = upload.owner, upload.world
    folder = folder_at(owner, world_id)
    if not ImportRecord(folder).exists:
        staging = Staging(data_folder())
        choices, now = CardFiles(staging.folder(upload.id)).choices(), timezone.now()
        if not folder.exists():
            named = WorldFile(
                name=choices.name,
                language=choices.language,
                source=Source(kind="card"),
                created_at=moment(now),
                updated_at=moment(now),
            )
            shelf_of(owner).create(world_id, {"world.json": document_bytes(named)})
        ready = ImportState(stage="ready", started_at=moment(now))
        staging.write(upload.id, "state.json", record_bytes(ready))
        staging.move_into(upload.id, folder)
    with transaction.atomic():
        world = index_world(owner=owner, world_id=world_id)
        if world is None:
            raise nothing_waits(world_id)
        Upload.objects.filter(pk=upload.pk).update(state=Upload.State.STARTED)
        submit_import(world)
    bell.ring(f"person:{owner.pk}")
    return world


def submit_import(world: World) -> Job:
    """Ask for the job that arranges the card; the same wish twice is one job."""
    return submit(STRUCTURE_JOB, owner=world.owner, subject=world.id, title=world.name)


def submit_pictures(world: World, *, again: bool = False) -> Job:
    """Ask for the card's pictures, beside everything else that happens to the world."""
    return submit(
        PICTURES_JOB,
        owner=world.owner,
        subject=world.id,
        title=world.name,
        data={"again": again},
        lane=PICTURES_LANE,
    )


def resume(*, actor: Person, world: World) -> Job:
    """Go on with an import that was interrupted, from the stage it reached.

    Raises:
        DomainError: `invalid` (422 over HTTP) when nothing waits: it is finished, kept as a draft, or
            running.
    """
    record = ImportRecord(folder_of(world))
    waits = record.exists and record.state().stage in World.IMPORTING_STAGES
    if not waits or waiting_for(world.id, STRUCTURE_JOB):
        raise nothing_waits(world.id)
    return submit_import(world)


def retry_pictures(*, actor: Person, world: World) -> Job:
    """Ask again for the pictures that failed."""
    if not ImportRecord(folder_of(world)).exists:
        raise nothing_waits(world.id)
    return submit_pictures(world, again=True)


def nothing_waits(world_id: str) -> DomainError:
    return DomainError(
        "invalid",
        "import.nothing-waits",
        world_id,
        gettext_noop("No import of this world waits to go on. Nothing was changed."),
        gettext_noop("Open the world to see how it stands."),
    )
