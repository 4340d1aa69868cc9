"""Files that were read and wait for an answer, because the same preset is there already."""

from __future__ import annotations

from dataclasses import dataclass

from portal.models import Person
from presets.access import ACCESS
from presets.models import Preset
from presets.pipeline.import_report import ImportReport, read_report
from presets.pipeline.reading import REPORT_NAME
from worlds.library.waiting import StagedUpload, identical_items, staged_for, staging, waiting_of


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was read: `preset` once it is in the library, else the presets it is `identical` to."""

    id: str
    name: str
    prompts: int
    report: ImportReport
    identical: list[Preset]
    preset: Preset | None


def waiting_upload(person: Person, upload_id: str) -> Upload:
    """A person's own file that waits for an answer. Raises DomainError `not-found`."""
    staged = staged_for(Preset, person, upload_id)
    return upload_of(person, staged, _report(staged), None)


def waiting_uploads(person: Person) -> list[Upload]:
    """A person's own files that wait for an answer, those that came last first; the first few of them."""

    def told(staged: StagedUpload) -> Upload | None:
        report = _report(staged)
        return upload_of(person, staged, report, None) if report.verdict == "preset" else None

    return waiting_of(Preset, person, told)


def _report(staged: StagedUpload) -> ImportReport:
    return read_report((staging().folder(staged.upload) / REPORT_NAME).read_bytes())


def upload_of(person: Person, staged: StagedUpload, report: ImportReport, preset: Preset | None) -> Upload:
    """What is told of an upload."""
    same = identical_items(ACCESS, person, report.content_hash, preset.pk if preset else "")
    return Upload(staged.upload, staged.name, report.prompts, report, same, preset)
