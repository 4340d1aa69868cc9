"""Files that were read and wait for an answer, because the same book is there already."""

from __future__ import annotations

from dataclasses import dataclass

from lorebooks.access import ACCESS
from lorebooks.models import Lorebook
from lorebooks.pipeline.import_report import ImportReport, read_report
from lorebooks.pipeline.reading import REPORT_NAME
from portal.models import Person
from worlds.library.waiting import StagedUpload, identical_items, staged_for, staging, waiting_of


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was read: `lorebook` once it is in the library, else the books it is `identical` to."""

    id: str
    name: str
    entries: int
    report: ImportReport
    identical: list[Lorebook]
    lorebook: Lorebook | None


def waiting_upload(person: Person, upload_id: str) -> Upload:
    """A person's own file that waits for an answer. Raises DomainError `not-found`."""
    staged = staged_for(Lorebook, person, upload_id)
    return upload_of(person, staged, _report(staged), None)


def waiting_uploads(person: Person) -> list[Upload]:
    """A person's own files that wait for an answer, those that came last first; the first few of them."""

    def told(staged: StagedUpload) -> Upload | None:
        report = _report(staged)
        return upload_of(person, staged, report, None) if report.verdict == "book" else None

    return waiting_of(Lorebook, person, told)


def _report(staged: StagedUpload) -> ImportReport:
    return read_report((staging().folder(staged.upload) / REPORT_NAME).read_bytes())


def upload_of(
    person: Person, staged: StagedUpload, report: ImportReport, lorebook: Lorebook | None
) -> Upload:
    """What is told of an upload. A book without entries is the same as no other."""
    beside = lorebook.pk if lorebook else ""
    same = identical_books(person, report.content_hash, beside) if report.entries else []
    return Upload(staged.upload, staged.name, report.entries, report, same, lorebook)


def identical_books(person: Person, content_hash: str, beside: str = "") -> list[Lorebook]:
    """The books a person may read that say exactly the same, whatever they are called; newest first."""
    return identical_items(ACCESS, person, content_hash, beside)
