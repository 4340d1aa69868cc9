"""An upload from its first byte to its choices: streamed to staging, read by a child process, never in
memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from typing import Any, get_args

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language, gettext_noop

from formats.card.choice import Choices, Language, check_choices, default_choices
from formats.errors import DomainError
from importer.models import Upload
from importer.pipeline.reading import read_in_child
from importer.pipeline.record import CardFiles, Reading, UploadInfo, record_bytes
from portal import bell
from portal.jobs import submit
from portal.models import Person
from worlds.data import data_folder
from worlds.queries import quota_left
from worlds.store.staging import Staging

AN_HOUR = timedelta(hours=1)
STATES = {
    "card": Upload.State.READY,
    "other": Upload.State.OTHER,
    "several": Upload.State.SEVERAL,
    "unreadable": Upload.State.UNREADABLE,
}


def stage_upload(*, actor: Person, chunks: Iterable[bytes], filename: str) -> Upload:
    """Take in a file chunk by chunk and let a job read it. Nothing of a world is made (CARD-4).

    Raises:
        DomainError: `too-large` over the limit (CARD-3) or the owner's space, `limited` after too many in
            an hour, `full`; what had arrived is removed.
    """
    refuse_too_many(actor)
    limit = min(settings.IMPORTS.max_upload_bytes, quota_left(actor))
    upload = Upload(owner=actor, filename=shown_name(filename))
    staging = Staging(data_folder())
    staging.begin(upload.id)
    try:
        with staging.receive(upload.id, "original", limit) as receiving:
            for chunk in chunks:
                receiving.write(chunk)
        upload.size, upload.sha256 = receiving.size, receiving.sha256
        info = UploadInfo(upload=upload.id, filename=upload.filename, size=upload.size, sha256=upload.sha256)
        staging.write(upload.id, "upload.json", record_bytes(info))
    except BaseException:
        staging.discard(upload.id)
        raise
    with transaction.atomic():
        upload.save(force_insert=True)
        submit("read-upload", owner=actor, subject=upload.id, title=upload.filename)
    return upload


def refuse_too_many(actor: Person) -> None:
    """A limit for each person, so that nobody fills the disk of everybody (reliability: rates)."""
    since = timezone.now() - AN_HOUR
    if Upload.objects.filter(owner=actor, created_at__gt=since).count() >= settings.IMPORTS.uploads_per_hour:
        raise DomainError(
            "limited",
            "upload.too-many",
            "",
            gettext_noop(
                "You have uploaded {limit} files within an hour. This one was not taken; the others are safe."
            ),
            gettext_noop("Wait a while, then upload it again."),
            {"limit": settings.IMPORTS.uploads_per_hour},
        )


def shown_name(filename: str) -> str:
    """The name a file came with, for people only: never a path, no control characters, at most 300
    characters.
    """
    last = filename.replace("\\", "/").rpartition("/")[2]
    return "".join(c for c in last if c.isprintable())[:300] or "card"


def read_upload(*, upload: Upload) -> Upload:
    """Read the staged file in a child process and store the verdict; blocks up to half a minute.

    Raises:
        DomainError: `not-found` when the upload was discarded meanwhile.
    """
    folder = Staging(data_folder()).folder(upload.id)
    return settle_reading(upload_id=upload.id, reading=read_in_child(folder))


def settle_reading(*, upload_id: str, reading: Reading) -> Upload:
    """Keep what reading gave: the row's state, and the first choices of a card (PREV-1)."""
    upload = Upload.objects.select_related("owner").get(pk=upload_id)
    if reading.verdict == "card":
        staging = Staging(data_folder())
        card = CardFiles(staging.folder(upload.id)).card()
        choices = default_choices(card, language=language_of(upload.owner))
        staging.write(upload.id, "choices.json", record_bytes(choices.to_json()))
        upload.name = card.name[:300]
    upload.kind = reading.kind
    waiting = Upload.objects.filter(pk=upload.pk, state=Upload.State.READING)
    waiting.update(state=STATES[reading.verdict], kind=upload.kind, name=upload.name)
    bell.ring(f"person:{upload.owner_id}")
    upload.refresh_from_db()
    return upload


def language_of(person: Person) -> Language:
    """The language an import starts in: the person's own, else that of the request, else English (D2)."""
    wanted = (person.language or get_language() or "en").lower()
    return next(
        (known for known in get_args(Language) if wanted == known), "zh-hans" if wanted[:2] == "zh" else "en"
    )


def choose(*, actor: Person, upload: Upload, **changes: Any) -> Choices:
    """Change some of the choices of an upload; they are kept at once.

    Args:
        actor: the owner.
        upload: one that is ready.
        changes: fields of `Choices`: `name`, `off`, `opening`, `language`.

    Raises:
        DomainError: `conflict` when it has started, `invalid` for choices that the card does not offer.
    """
    refuse_unless_ready(upload)
    staging = Staging(data_folder())
    files = CardFiles(staging.folder(upload.id))
    choices = check_choices(files.card(), replace(files.choices(), **changes))
    staging.write(upload.id, "choices.json", record_bytes(choices.to_json()))
    return choices


def refuse_unless_ready(upload: Upload) -> None:
    if upload.state != Upload.State.READY:
        raise DomainError(
            "conflict",
            "import.not-ready",
            upload.id,
            gettext_noop("This upload is not waiting to be imported any more. Nothing was changed."),
            gettext_noop("Open it again to see what became of it."),
        )


def discard_upload(*, actor: Person, upload: Upload) -> None:
    """Remove an upload that was not started; the row stays as a record that there was one."""
    if upload.state == Upload.State.STARTED or upload.world:
        refuse_unless_ready(Upload(id=upload.id, state=Upload.State.STARTED))
    Upload.objects.filter(pk=upload.pk).update(state=Upload.State.DISCARDED)
    Staging(data_folder()).discard(upload.id)
    bell.ring(f"person:{actor.pk}")
