"""Files that were read and wait for an answer, because the same book is there already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from formats.errors import DomainError
from formats.messages import gettext_noop
from formats.stable_json import read_json, write_json
from lorebooks.access import lorebooks_for
from lorebooks.models import Lorebook
from lorebooks.pipeline.import_report import ImportReport, read_report
from lorebooks.pipeline.reading import REPORT_NAME, UPLOAD_NAME
from portal.models import Person
from worlds.data import data_folder
from worlds.store.staging import Staging

MOST_SHOWN: Final = 20


class StagedUpload(BaseModel):
    """`upload.json` of a staged lorebook: whose it is, and what it is to be called."""

    model_config = ConfigDict(frozen=True, validate_by_name=True, validate_by_alias=True)

    schema_: Literal["lorebook-upload/v1"] = Field("lorebook-upload/v1", alias="schema")
    upload: str
    owner: str
    filename: str
    name: str = ""
    language: str = ""
    from_card: str = ""
    size: Annotated[int, Field(ge=0)] = 0
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was read: `lorebook` once it is in the library, else the books it is `identical` to."""

    id: str
    name: str
    entries: int
    report: ImportReport
    identical: list[Lorebook]
    lorebook: Lorebook | None


def staging() -> Staging:
    """The uploads of this server."""
    return Staging(data_folder())


def staged_bytes(staged: StagedUpload) -> bytes:
    """The stored form."""
    return write_json(staged.model_dump(mode="json", by_alias=True)).encode("utf-8", "replace")


def staged_for(person: Person, upload_id: str) -> StagedUpload:
    """A person's own upload that waits; for everybody else it does not exist.

    Raises:
        DomainError: `not-found`: discarded, kept, expired after seven days, or somebody else's.
    """
    try:
        stored = (staging().folder(upload_id) / UPLOAD_NAME).read_bytes()
        staged = StagedUpload.model_validate(read_json(stored))
    except (OSError, ValidationError, ValueError, DomainError) as error:
        raise _no_such_upload(upload_id) from error
    if staged.owner != person.handle:
        raise _no_such_upload(upload_id)
    return staged


def waiting_upload(person: Person, upload_id: str) -> Upload:
    """A person's own file that waits for an answer. Raises DomainError `not-found`."""
    staged = staged_for(person, upload_id)
    report = read_report((staging().folder(upload_id) / REPORT_NAME).read_bytes())
    return upload_of(person, staged, report, None)


def upload_of(
    person: Person, staged: StagedUpload, report: ImportReport, lorebook: Lorebook | None
) -> Upload:
    """What is told of an upload."""
    beside = lorebook.pk if lorebook else ""
    same = identical_books(person, report.content_hash, beside)
    return Upload(staged.upload, staged.name, report.entries, report, same, lorebook)


def identical_books(person: Person, content_hash: str, beside: str = "") -> list[Lorebook]:
    """The books a person may read that say exactly the same, whatever they are called; newest first."""
    if not content_hash:
        return []
    found = lorebooks_for(person).filter(content_hash=content_hash, entries_total__gt=0).exclude(pk=beside)
    return list(found.select_related("owner").order_by("-created_at", "pk")[:MOST_SHOWN])


def _no_such_upload(upload_id: str) -> DomainError:
    return DomainError(
        "not-found",
        "lorebook.no-such-upload",
        upload_id[:80],
        gettext_noop("This file does not wait any more. It was kept, discarded, or its seven days are over."),
        gettext_noop("Upload it again if you still need it."),
    )
