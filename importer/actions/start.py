"""From an upload to a world whose import runs; and going on with what was interrupted (RUN-3, RUN-11)."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from formats.card import check_choices
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
from worlds.store.folder import ItemFolder
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
        DomainError: `invalid` for a card without a name until one is chosen; `conflict` when the upload is
            not ready; `not-found` when its world is in the trash; what the store raises. The upload stays as
            it was, unless the world's folder is there already: then a second start goes on from there.
    """
    upload.refresh_from_db()
    if not upload.world:
        name_world(upload)
    try:
        return continue_start(upload=upload)
    except DomainError:
        if not folder_at(upload.owner, upload.world).exists():
            Upload.objects.filter(pk=upload.pk, state=Upload.State.READY).update(world="")
        raise


def name_world(upload: Upload) -> None:
    """Store the id of the world that the upload will become; of two who ask at once the first one's stands.

    Raises:
        DomainError: as `start_structure`.
    """
    refuse_unless_ready(upload)
    try:
        files = CardFiles(Staging(data_folder()).folder(upload.id))
        world_id = new_item_id(check_choices(files.card(), files.choices()).name)
    except DomainError:
        upload.refresh_from_db()
        if not upload.world:  # else somebody who clicked twice has moved the files already
            raise
        return
    waiting = Upload.objects.filter(pk=upload.pk, world="", state=Upload.State.READY)
    waiting.update(world=world_id)
    upload.refresh_from_db()
    if not upload.world:
        refuse_unless_ready(upload)


def continue_start(*, upload: Upload) -> World:
    """Do what is left of a start, from whatever point it reached; done again it changes nothing."""
    owner, folder = upload.owner, folder_at(upload.owner, upload.world)
    if not ImportRecord(folder).exists:
        try:
            move_in(upload, folder)
        except DomainError:
            if not ImportRecord(folder).exists:  # else somebody who clicked twice was faster here
                raise
    with transaction.atomic():
        world = index_world(owner=owner, world_id=upload.world)
        if world is None:
            raise nothing_waits(upload.world)
        Upload.objects.filter(pk=upload.pk).update(state=Upload.State.STARTED)
        if world.importing and not waiting_for(world.id, STRUCTURE_JOB):
            submit_import(world)
    bell.ring(f"person:{owner.pk}")
    return world


def move_in(upload: Upload, folder: ItemFolder) -> None:
    """Make the world's folder with a readable `world.json`; the upload becomes its `.import/` by one rename.

    Raises:
        DomainError: `not-found` when the upload is gone, perhaps moved by a call that was faster; `full`.
    """
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
        try:
            shelf_of(upload.owner).create(folder.id, {"world.json": document_bytes(named)})
        except DomainError:
            if not folder.exists():  # else a second click made it at the same moment; both move the upload in
                raise
    ready = ImportState(stage="ready", started_at=moment(now))
    staging.write(upload.id, "state.json", record_bytes(ready))
    staging.move_into(upload.id, folder)


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
