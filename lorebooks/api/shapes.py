"""What the library tells programs: the shapes of its JSON answers."""

from __future__ import annotations

from typing import Any

from lorebooks.models import Lorebook
from lorebooks.pipeline.import_report import ImportReport
from portal.say import hinted, said

Json = dict[str, Any]


def book_json(book: Lorebook, report: ImportReport) -> Json:
    """A book that was taken in."""
    return {"id": book.pk, "name": book.name, "language": book.language, "report": report_json(report)}


def report_json(report: ImportReport) -> Json:
    """What reading the file found; `findings` as sentences, one for each thing that was noticed."""
    return {
        "format": report.format,
        "fromCard": report.from_card or None,
        "entries": report.entries,
        "off": report.off,
        "always": report.always,
        "empty": report.empty,
        "byMeaning": report.by_meaning,
        "positions": report.positions,
        "findings": [
            {
                "severity": finding.severity,
                "code": finding.code,
                "where": finding.where,
                "message": said(finding),
                "hint": hinted(finding),
            }
            for finding in report.findings
        ],
    }
