"""Reading an upload from the outside: a child process with limits, and always a verdict (D42)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from formats.messages import gettext_noop
from lorebooks.pipeline.import_report import ImportReport, StoredError, read_report

TIME_LIMIT: Final = 30.0  # seconds of wall time
TOP: Final = Path(__file__).resolve().parents[2]
REPORT_NAME: Final = "report.json"
BOOK_NAME: Final = "book.json"
UPLOAD_NAME: Final = "upload.json"
_OUT_OF_MEMORY: Final = "MemoryError"


def read_in_child(folder: Path, *, time_limit: float = TIME_LIMIT) -> ImportReport:
    """Read the `lorebook.json` of a staged folder; blocks for at most `time_limit` seconds.

    A book leaves `book.json` and `report.json` there; a child that dies, or runs out of memory or time,
    leaves a verdict with a sentence. The file stays as it came.
    """
    command = [sys.executable, "-m", "lorebooks.pipeline.read_child", str(folder)]
    environment = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    environment["PYDANTIC_DISABLE_PLUGINS"] = "1"  # looking for them takes a third of the start
    try:
        done = subprocess.run(
            command, cwd=TOP, env=environment, timeout=time_limit, capture_output=True, check=False
        )
    except subprocess.TimeoutExpired:
        return _unreadable(
            "read.too-slow",
            gettext_noop("Reading this file took more than {seconds} seconds and was stopped."),
            gettext_noop("It may be damaged. Save it again with the program it came from."),
            seconds=round(time_limit),
        )
    report = folder / REPORT_NAME
    if done.returncode == 0 and report.is_file():
        return read_report(report.read_bytes())
    if _OUT_OF_MEMORY.encode() in done.stderr:
        return _unreadable(
            "read.too-large",
            gettext_noop("Reading this file needed more memory than one file may use."),
            gettext_noop("Real lorebooks need far less. Split it into several."),
        )
    return _unreadable(
        "read.broke",
        gettext_noop("This file broke the program that reads lorebooks. Nothing was kept of it."),
        gettext_noop("This is our fault. Please send the file to the people who run this server."),
        trace=done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2][:200],
    )


def _unreadable(code: str, message: str, hint: str, **args: object) -> ImportReport:
    error = StoredError(
        kind="unsupported", code=code, where="original", message=message, hint=hint, args=args
    )
    return ImportReport(verdict="unreadable", error=error)
