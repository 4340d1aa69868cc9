"""An upload from its first byte to its choices: streamed to staging, read by a child process, never in
memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, get_args

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language, gettext_noop

from formats.card.choice import Choices, Language, check_choices, default_choices
from formats.errors import DomainError
from importer.models import Upload
from importer.pipeline.receiving import ALONE, Place, receive
from importer.pipeline.record import CardFiles, Reading, record_bytes
from importer.space import space_left
from portal import bell
from portal.jobs import submit
from portal.models import Person
from worlds.data import data_folder
from worlds.store.staging import Staging

AN_HOUR = timedelta(hours=1)
READING_JOB = "read-upload"
STATES = {
    "card": Upload.State.READY,
    "other": Upload.State.OTHER,
    "several": Upload.State.SEVERAL,
    "unreadable": Upload.State.UNREADABLE,
}


def stage_upload(
    *, actor: Person, chunks: Iterable[bytes], filename: str, counted: bool = True, place: Place = ALONE
) -> Upload:
    """Take in a file chunk by chunk and let a job read it. Nothing of a world is made (CARD-4).

    Args:
        actor: who will own it.
        chunks: its bytes; never held together in memory (CARD-3).
        filename: as it came; kept for people only.
        counted: False at a shell, where the hourly limit of the pages does not hold.
        place: of a card that was taken out of an upload that lists several.

    Raises:
        DomainError: `too-large` over the limit of a file, `full` over the owner's space or on a full disk,
            `limited` after too many in an hour; what had arrived is removed.
    """
    refuse_too_many(actor, counted)
    upload = Upload(owner=actor, **place._asdict())
    staging = Staging(data_folder())
    staging.begin(upload.id)
    try:
        info = receive(
            staging,
            upload.id,
            within(chunks, space_left(actor)),
            filename,
            limit=settings.IMPORTS.max_upload_bytes,
            place=place,
        )
        upload.filename, upload.size, upload.sha256 = info.filename, info.size, info.sha256
        with transaction.atomic():
            # One after the other: files that came together must not all be the last that fits.
            Person.objects.select_for_update().get(pk=actor.pk)
            refuse_too_many(actor, counted)
            if upload.size > space_left(actor):
                raise no_space()
            upload.save(force_insert=True)
            # The job has no request: the language of whoever uploads goes along (D2).
            language = {"language": language_of(actor)}
            submit(READING_JOB, owner=actor, subject=upload.id, title=upload.filename, data=language)
    except BaseException:
        staging.discard(upload.id)
        raise
    return upload


def within(chunks: Iterable[bytes], space: int) -> Iterator[bytes]:
    """The chunks, as long as they fit into `space` bytes.

    Raises:
        DomainError: `full` before the first that does not.
    """
    for chunk in chunks:
        space -= len(chunk)
        if space < 0:
            raise no_space()
        yield chunk


def no_space() -> DomainError:
    return DomainError(
        "full",
        "upload.no-space",
        "",
        gettext_noop("The space of your account is used up. This file was not taken; the others are safe."),
        gettext_noop("Discard uploads or empty the trash, then upload it again."),
    )


def refuse_too_many(actor: Person, counted: bool) -> None:
    """A limit for each person, so that nobody keeps the server busy for everybody (reliability, part 5).

    Raises:
        DomainError: `limited`; `seconds` says when the next file is taken.
    """
    limit, now = settings.IMPORTS.uploads_per_hour, timezone.now()
    lately = Upload.objects.filter(owner=actor, created_at__gt=now - AN_HOUR).order_by("-created_at")
    if not counted or lately.count() < limit:
        return
    blocking = lately[limit - 1]
    raise DomainError(
        "limited",
        "upload.too-many",
        "",
        gettext_noop(
            "You have uploaded {limit} files within an hour. This one was not taken; the others are safe."
        ),
        gettext_noop("Wait a while, then upload it again."),
        {"limit": limit, "seconds": max(1, round((blocking.created_at + AN_HOUR - now).total_seconds()))},
    )


def settle_reading(*, upload_id: str, reading: Reading, language: Language | None = None) -> Upload:
    """Keep what reading gave: the row's state, and the first choices of a card (PREV-1).

    An upload that was settled or discarded meanwhile stays as it is: choices made since are not lost when a
    late second reading ends.
    """
    upload = Upload.objects.select_related("owner").get(pk=upload_id)
    if upload.state != Upload.State.READING:
        return upload
    if reading.verdict == "card":
        staging = Staging(data_folder())
        files = CardFiles(staging.folder(upload.id))
        card = files.card()
        if not files.has("choices.json"):
            choices = default_choices(card, language=language or language_of(upload.owner))
            staging.write(upload.id, "choices.json", record_bytes(choices.to_json()))
        upload.name = card.name[:300]
    if reading.verdict == "several":
        take_apart(upload)
    waiting = Upload.objects.filter(pk=upload.pk, state=Upload.State.READING)
    waiting.update(state=STATES[reading.verdict], kind=reading.kind, name=upload.name)
    bell.ring(f"person:{upload.owner_id}")
    upload.refresh_from_db()
    return upload


def take_apart(upload: Upload) -> None:
    """Let each card of a file that lists several be an upload of its own (card formats: batch import).

    Done again after a crash it takes in only what is missing. When the owner's space is used up the rest
    stays in the file, which is kept; its page says how many wait.
    """
    listed = CardFiles(Staging(data_folder()).folder(upload.id)).listed_cards()
    taken = set(upload.parts().values_list("number", flat=True))
    stem = upload.filename.rpartition(".")[0] or upload.filename
    for number, file in enumerate(listed, 1):
        if number in taken:
            continue
        try:
            with file.open("rb") as card:
                stage_upload(
                    actor=upload.owner,
                    chunks=iter(partial(card.read, 1 << 20), b""),
                    filename=f"{stem[:280]} {number}.json",
                    counted=False,
                    place=Place(upload.pk, number),
                )
        except DomainError as error:
            if error.kind not in ("full", "too-large"):
                raise
            break


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
    waiting = Upload.objects.filter(pk=upload.pk, world="").exclude(state=Upload.State.STARTED)
    if not waiting.update(state=Upload.State.DISCARDED):  # a start may have begun since the page was made
        refuse_unless_ready(Upload(id=upload.id, state=Upload.State.STARTED))
    Staging(data_folder()).discard(upload.id)
    bell.ring(f"person:{actor.pk}")
