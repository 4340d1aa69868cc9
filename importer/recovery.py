"""What a start of the server finds half done, it finishes (RUN-3): nothing waits for somebody to notice."""

from __future__ import annotations

import logging

from django.utils import timezone

from formats.errors import DomainError
from importer.actions.start import STRUCTURE_JOB, continue_start, submit_import
from importer.models import Upload
from portal.jobs import submit, waiting_for
from worlds.data import data_folder
from worlds.models import World
from worlds.store.staging import Staging

logger = logging.getLogger(__name__)


def go_on() -> None:
    """Give a job to every import and every reading that has none, and finish starts that were cut off.

    One that cannot go on is logged and named on its own page; it holds up no other.
    """
    for upload in Upload.objects.filter(state=Upload.State.READY).exclude(world="").select_related("owner"):
        try:
            continue_start(upload=upload)
        except DomainError as error:
            logger.warning("the start of upload %s cannot be finished: %s", upload.pk, error)
    for upload in Upload.objects.filter(state=Upload.State.READING).select_related("owner"):
        if not waiting_for(upload.pk):
            submit("read-upload", owner=upload.owner, subject=upload.pk, title=upload.filename)
    for world in World.objects.filter(stage__in=World.IMPORTING_STAGES).select_related("owner"):
        if not waiting_for(world.pk, STRUCTURE_JOB):
            submit_import(world)


def forget_expired() -> int:
    """Discard uploads that nobody started within their seven days; gives how many."""
    gone = Staging(data_folder()).sweep(timezone.now())
    Upload.objects.filter(pk__in=gone).exclude(state=Upload.State.STARTED).update(
        state=Upload.State.DISCARDED
    )
    return len(gone)
