"""Reading an upload from the outside: a child process with limits, and always a verdict (D42)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from presets.pipeline.import_report import ImportReport, read_report
from worlds.library.child import TIME_LIMIT, run_child

REPORT_NAME: Final = "report.json"
RAW_NAME: Final = "raw.json"
STATE_NAME: Final = "state.json"


def read_in_child(folder: Path, *, time_limit: float = TIME_LIMIT) -> ImportReport:
    """Read the `preset.json` of a staged folder; blocks for at most `time_limit` seconds.

    A preset leaves `raw.json`, `state.json` and `report.json` there, and its file holds no secret any more; a
    child that dies, or runs out of memory or time, leaves a verdict with a sentence.
    """
    failed = run_child("presets.pipeline.read_child", folder, REPORT_NAME, time_limit)
    if failed is not None:
        return ImportReport(verdict="unreadable", error=failed)
    return read_report((folder / REPORT_NAME).read_bytes())
