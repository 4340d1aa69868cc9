"""From an upload to a world whose import runs; and going on with what was interrupted (RUN-3, RUN-11)."""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from formats.card import check_choices
from formats.errors import DomainError
from importer.actions.uploads import refuse_unless_ready
from importer.model_import import endpoint_to_use
from importer.models import Upload
from importer.pipeline.kept_answers import forget
from importer.pipeline.record import FOLDER, CardFiles, ImportRecord, ImportState, record_bytes
from importer.pipeline.start_message import start_message
from portal import bell
from portal.endpoints.access import endpoint_for
from portal.jobs import submit, waiting_for
from portal.models import Job, Person
from worlds.actions import index_world
from worlds.authoring.rows import say
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
        refuse_without_model(upload)
        name_world(upload)
    try:
        return continue_start(upload=upload)
    except DomainError:
        if not folder_at(upload.owner, upload.world).exists():
            Upload.objects.filter(pk=upload.pk, state=Upload.State.READY).update(world="")
        raise


def refuse_without_model(upload: Upload) -> None:
    """With a model there must be one that the owner may use.

    Raises:
        DomainError: `invalid` or `not-found`, there is none; nothing was changed.
    """
    refuse_unless_ready(upload)
    choices = CardFiles(Staging(data_folder()).folder(upload.id)).choices()
    if choices.way == "model":
        endpoint_to_use(upload.owner, choices)


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
            ask_for_import(world)
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


def ask_for_import(world: World) -> None:
    """With a model an import is a turn of a conversation, begun on its owner's behalf (RUN-1)."""
    record = ImportRecord(folder_of(world))
    choices = record.choices()
    if choices.way == "model":
        text = start_message(record.card(), record.reading(), choices)
        say(actor=world.owner, world=world, text=text, title=world.name)


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
    ask_for_import(world)
    record.update_state(spent=0.0)  # whoever lets it go on grants it its time again (RUN-4)
    return submit_import(world)


def retry_failed(*, actor: Person, world: World) -> Job:
    """Ask again the questions that got no usable answer, and go on (portal 3.4).

    Raises:
        DomainError: as `resume`; `conflict` while a worker is at it.
    """
    record = halted(world)
    forget(record, failed_only=True)
    return resume(actor=actor, world=world)


def change_endpoint(*, actor: Person, world: World, endpoint_id: str) -> Job:
    """Go on with another model; what failed with the former one is asked again.

    Raises:
        DomainError: as `retry_failed`; `not-found` for an endpoint that the owner may not use.
    """
    record = halted(world)
    endpoint_for(world.owner, endpoint_id)
    choices = replace(record.choices(), endpoint=endpoint_id)
    with record.folder.change(by=actor.handle, what="import-choices", history=False) as change:
        change.write(f"{FOLDER}/choices.json", record_bytes(choices.to_json()))
    return retry_failed(actor=actor, world=world)


def halted(world: World) -> ImportRecord:
    """The record of an import that has not ended and that no worker is at.

    Raises:
        DomainError: `invalid`, nothing waits.
    """
    record = ImportRecord(folder_of(world))
    if not record.exists or record.state().stage not in World.IMPORTING_STAGES:
        raise nothing_waits(world.id)
    if waiting_for(world.id, STRUCTURE_JOB):
        raise nothing_waits(world.id)
    return record


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
