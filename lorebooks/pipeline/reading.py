"""Reading an upload from the outside: a child process with limits, and always a verdict (D42)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from lorebooks.pipeline.import_report import ImportReport, read_report
from worlds.library.child import TIME_LIMIT, run_child

REPORT_NAME: Final = "report.json"
BOOK_NAME: Final = "book.json"
FACTS_NAME: Final = "facts.json"


def read_in_child(folder: Path, *, time_limit: float = TIME_LIMIT) -> ImportReport:
    """Read the `lorebook.json` of a staged folder; blocks for at most `time_limit` seconds.

    A book leaves `book.json`, `facts.json` and `report.json` there; a child that dies, or runs out of memory
    or time, leaves a verdict with a sentence. The file stays as it came.
    """
    failed = run_child("lorebooks.pipeline.read_child", folder, REPORT_NAME, time_limit)
    if failed is not None:
        return ImportReport(verdict="unreadable", error=failed)
    return read_report((folder / REPORT_NAME).read_bytes())
