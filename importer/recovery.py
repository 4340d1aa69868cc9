"""What a start of the server finds half done, it finishes (RUN-3): nothing waits for somebody to notice."""

from __future__ import annotations

import logging
import re

from django.utils import timezone

from formats.errors import DomainError
from importer.actions.start import STRUCTURE_JOB, continue_start, submit_import
from importer.actions.uploads import READING_JOB
from importer.models import Upload
from importer.pipeline.record import ImportRecord
from portal.jobs import submit, waiting_for
from portal.models import Job, Person
from worlds.data import data_folder
from worlds.models import World
from worlds.queries import folder_of
from worlds.store.staging import Staging

logger = logging.getLogger(__name__)
UPLOAD_ID = re.compile(r"[a-z2-7]{20}")


def go_on() -> None:
    """Give a job to every import and every reading that has none, and finish starts that were cut off.

    One that cannot go on is logged and named on its own page; it holds up no other. An import that its owner
    stopped stays stopped.
    """
    for upload in Upload.objects.filter(state=Upload.State.READY).exclude(world="").select_related("owner"):
        try:
            continue_start(upload=upload)
        except DomainError as error:
            logger.warning("the start of upload %s cannot be finished: %s", upload.pk, error)
    for upload in Upload.objects.filter(state=Upload.State.READING).select_related("owner"):
        if not waiting_for(upload.pk):
            submit(READING_JOB, owner=upload.owner, subject=upload.pk, title=upload.filename)
    for world in World.objects.filter(stage__in=World.IMPORTING_STAGES).select_related("owner"):
        newest = Job.objects.filter(subject=world.pk, kind=STRUCTURE_JOB).first()
        if newest is None or newest.state not in (*Job.LIVE, *ended_on_purpose(world)):
            submit_import(world)
    forget_expired()


def ended_on_purpose(world: World) -> tuple[str, ...]:
    """How a job may have ended that a start of the server does not ask for again.

    What a person stopped stays stopped; an import with a model that could not go on waits for a person too,
    since asking again would cost money.
    """
    try:
        way = ImportRecord(folder_of(world)).choices().way
    except (DomainError, ValueError):
        way = "structure"
    return (Job.State.STOPPED, Job.State.FAILED) if way == "model" else (Job.State.STOPPED,)


def forget_expired() -> int:
    """Discard uploads that nobody started within their seven days; gives how many.

    Rows whose files are gone, whoever swept them, are marked too.
    """
    staging = Staging(data_folder())
    staging.sweep(timezone.now())
    # Rows first: an upload whose row comes after this look has its folder already, and is not judged.
    waiting = Upload.objects.exclude(state__in=Upload.ELSEWHERE).filter(world="")
    rows = list(waiting.values_list("pk", flat=True))
    there = set(staging.ids())
    gone = [pk for pk in rows if pk not in there]
    return Upload.objects.filter(pk__in=gone, world="").update(state=Upload.State.DISCARDED)


def rebuild_rows(owner: Person) -> None:
    """Make the rows of started uploads again from the records of the person's worlds (`reindex`)."""
    for world in World.objects.filter(owner=owner).exclude(stage=""):
        record = ImportRecord(folder_of(world))
        try:
            info, card = record.upload(), record.card()
        except (DomainError, ValueError) as error:
            logger.warning("the import records of %s cannot be read: %s", world.pk, error)
            continue
        if not UPLOAD_ID.fullmatch(info.upload):
            continue
        Upload.objects.get_or_create(
            pk=info.upload,
            defaults={
                "owner": owner,
                "filename": info.filename[:300],
                "size": info.size,
                "sha256": info.sha256[:64],
                "taken_from": info.taken_from[:32],
                "number": info.number,
                "state": Upload.State.STARTED,
                "name": card.name[:300],
                "world": world.pk,
                "created_at": world.created_at,
            },
        )
