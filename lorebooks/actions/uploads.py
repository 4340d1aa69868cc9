"""Files that become lorebooks: read in a child process, kept as they came, told what was found."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any, Final

from formats.errors import DomainError, ErrorKind
from formats.lorebook.intake import FILE_BYTES
from formats.stable_json import write_json
from lorebooks import index
from lorebooks.actions.library import shelve_as
from lorebooks.actions.writing import refuse_over_quota
from lorebooks.models import Lorebook
from lorebooks.pipeline.book_file import BOOK_FILE
from lorebooks.pipeline.import_report import ORIGINAL, RECORDS, REPORT, ImportReport, report_bytes
from lorebooks.pipeline.item_file import Item, Source
from lorebooks.pipeline.reading import BOOK_NAME, REPORT_NAME, UPLOAD_NAME, read_in_child
from lorebooks.shelves import shelf_of
from lorebooks.waiting import StagedUpload, Upload, staged_bytes, staged_for, staging, upload_of
from portal.models import Person
from worlds.store.paths import new_item_id, new_token

MOST_BYTES: Final = FILE_BYTES
LONGEST_NAME: Final = 300


def upload_lorebook(
    *, actor: Person, data: bytes, filename: str, name: str = "", language: str = "", from_card: str = ""
) -> Upload:
    """Take a file into the library: a lorebook in any form, or a card with one inside.

    It is there at once, unless a book the actor can read says exactly the same: then the file waits for
    `keep_upload` or `discard_upload`, seven days at most.

    Raises:
        DomainError: `too-large`, `full`, `unsupported` (what it is instead), `invalid`; nothing is kept.
    """
    refuse_over_quota(actor, len(data))
    staged = StagedUpload(
        upload=new_token(),
        owner=actor.handle,
        filename=shown_name(filename),
        name=name.strip()[:LONGEST_NAME],
        language=language[:40],
        from_card=from_card[:LONGEST_NAME],
        size=len(data),
        sha256=sha256(data).hexdigest(),
    )
    room, upload_id = staging(), staged.upload
    folder = room.begin(upload_id)
    try:
        with room.receive(upload_id, ORIGINAL, MOST_BYTES) as receiving:
            receiving.write(data)
        room.write(upload_id, UPLOAD_NAME, staged_bytes(staged))
        report = read_in_child(folder)
        if report.verdict != "book":
            raise _refused(report)
        stem = PurePosixPath(staged.filename).stem
        staged = staged.model_copy(update={"name": (staged.name or report.name or stem)[:LONGEST_NAME]})
        room.write(upload_id, UPLOAD_NAME, staged_bytes(staged))
    except BaseException:
        room.discard(upload_id)
        raise
    waiting = upload_of(actor, staged, report, None)
    if waiting.identical:
        return waiting
    return upload_of(actor, staged, report, keep_upload(actor=actor, upload_id=upload_id))


def import_from_card(
    *, actor: Person, value: Mapping[str, Any], card_name: str, language: str = ""
) -> Upload:
    """Take the `character_book` out of a card that was read already. As `upload_lorebook`.

    A book without a name of its own is called after its card (WB-9).
    """
    own = value.get("name")
    name = own.strip() if isinstance(own, str) and own.strip() else f"{card_name} lorebook"
    data = write_json(dict(value)).encode("utf-8", "surrogatepass")
    return upload_lorebook(
        actor=actor,
        data=data,
        filename=f"{card_name}.json",
        name=name,
        language=language,
        from_card=card_name,
    )


def keep_upload(*, actor: Person, upload_id: str) -> Lorebook:
    """Make a book of a file that waits. Asked twice, after a crash, it is the same book.

    Raises:
        DomainError: `not-found`, it does not wait any more; `full`.
    """
    staged = staged_for(actor, upload_id)
    room = staging()
    folder = room.folder(upload_id)
    report = ImportReport.model_validate_json((folder / REPORT_NAME).read_bytes())
    lorebook_id = new_item_id(staged.name, upload_id)
    if lorebook_id not in shelf_of(actor).ids():
        source = Source(
            kind="card" if report.from_card or staged.from_card else "upload",
            format=report.format,
            filename=staged.filename,
            sha256=staged.sha256,
        )
        files = {
            BOOK_FILE: (folder / BOOK_NAME).read_bytes(),
            f"{RECORDS}/{ORIGINAL}": (folder / ORIGINAL).read_bytes(),
            REPORT: report_bytes(_completed(report, staged)),
        }
        item = Item(name=staged.name, language=staged.language or report.language, source=source)
        lorebook = shelve_as(actor, lorebook_id, item, files)
    else:
        found = index.index_lorebook(actor, lorebook_id)
        if found is None:
            raise index.no_longer_there(staged.name)
        lorebook = found
    room.discard(upload_id)
    return lorebook


def discard_upload(*, actor: Person, upload_id: str) -> None:
    """Forget a file that waits. One that is gone already is fine, somebody else's is not touched."""
    try:
        staged_for(actor, upload_id)
    except DomainError as error:
        if error.kind == "not-found":
            return
        raise
    staging().discard(upload_id)


def shown_name(filename: str) -> str:
    """The name a file came with, for people only: never a path, no control characters."""
    last = filename.replace("\\", "/").rpartition("/")[2]
    return "".join(char for char in last if char.isprintable())[:LONGEST_NAME] or "lorebook"


def _completed(report: ImportReport, staged: StagedUpload) -> ImportReport:
    return report.model_copy(
        update={
            "filename": staged.filename,
            "size": staged.size,
            "sha256": staged.sha256,
            "name": staged.name,
            "from_card": report.from_card or staged.from_card,
        }
    )


def _refused(report: ImportReport) -> DomainError:
    error = report.error
    assert error is not None  # every verdict but "book" has one
    kinds: dict[str, ErrorKind] = {"invalid": "invalid", "too-large": "too-large"}
    kind = kinds.get(error.kind, "unsupported")
    return DomainError(kind, error.code, error.where, error.message, error.hint, error.args)
