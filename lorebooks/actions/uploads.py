"""Files that become lorebooks: read in a child process, kept as they came, told what was found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from formats.lorebook.intake import FILE_BYTES
from formats.stable_json import write_json
from lorebooks.actions.library import shelve_as
from lorebooks.library import LIBRARY
from lorebooks.models import Lorebook
from lorebooks.pipeline.book_file import BOOK_FILE
from lorebooks.pipeline.import_report import ORIGINAL, ImportReport, report_bytes
from lorebooks.pipeline.item_file import Item, Source
from lorebooks.pipeline.reading import BOOK_NAME, FACTS_NAME, REPORT_NAME, read_in_child
from lorebooks.shelves import shelf_of
from lorebooks.waiting import Upload, upload_of
from portal.models import Person
from worlds.library.files.import_report import RECORDS, REPORT
from worlds.library.room import refuse_over_quota
from worlds.library.waiting import StagedUpload, arriving, discard, staged_for, staging
from worlds.store.paths import new_item_id

MOST_BYTES: Final = FILE_BYTES


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
    said = {
        "filename": filename,
        "name": _one_line(name),
        "language": language[:40],
        "from_card": from_card[:300],
    }
    with arriving(Lorebook, actor, data, ORIGINAL, MOST_BYTES, **said) as arrival:
        report = read_in_child(arrival.folder)
        if report.error is not None:
            raise report.error.as_error()
        staged = arrival.named(_one_line(report.name))
    waiting = upload_of(actor, staged, report, None)
    if waiting.identical:
        return waiting
    return upload_of(actor, staged, report, keep_upload(actor=actor, upload_id=staged.upload))


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
    staged = staged_for(Lorebook, actor, upload_id)
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
        known = folder / FACTS_NAME  # a file that waits may be older than this program
        facts = known.read_bytes() if known.is_file() else b""
        lorebook = shelve_as(actor, lorebook_id, item, files, facts)
    else:
        lorebook = LIBRARY.indexed(actor, lorebook_id)
    room.discard(upload_id)
    return lorebook


def discard_upload(*, actor: Person, upload_id: str) -> None:
    """Forget a file that waits. One that is gone already is fine, somebody else's is not touched."""
    discard(Lorebook, actor, upload_id)


def _one_line(name: str) -> str:
    return " ".join(name.split())


def _completed(report: ImportReport, staged: StagedUpload) -> ImportReport:
    return report.model_copy(update={**staged.known, "from_card": report.from_card or staged.from_card})
