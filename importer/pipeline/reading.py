"""Reading an upload from the outside: a child process with limits, and a verdict whatever becomes of it
(D42).
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from formats.messages import gettext_noop
from importer.pipeline.preview import CardPreview
from importer.pipeline.receiving import receive
from importer.pipeline.record import Reading, StoredError, read_record, record_bytes
from worlds.store.atomic import atomic_write
from worlds.store.paths import new_token
from worlds.store.staging import Staging

TIME_LIMIT = 30.0  # seconds of wall time
TOP = Path(__file__).resolve().parents[2]
OUT_OF_MEMORY = "MemoryError"


def read_in_child(folder: Path, *, time_limit: float = TIME_LIMIT) -> Reading:
    """Read the `original` of a staged folder; blocks for at most `time_limit` seconds.

    A child that dies, runs out of memory or time leaves an `unreadable` verdict with a sentence; the
    original stays.
    """
    command = [sys.executable, "-m", "importer.pipeline.read_upload", str(folder)]
    environment = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    environment["PYDANTIC_DISABLE_PLUGINS"] = "1"  # looking for them takes a third of the start
    try:
        done = subprocess.run(
            command, cwd=TOP, env=environment, timeout=time_limit, capture_output=True, check=False
        )
    except subprocess.TimeoutExpired:
        return keep_verdict(folder, too_slow(time_limit))
    if done.returncode == 0 and (folder / "read.json").is_file():
        return read_record(Reading, (folder / "read.json").read_bytes(), "read.json")
    return keep_verdict(folder, broke(done.stderr.decode("utf-8", "replace")))


def inspect(
    staging: Staging, chunks: Iterable[bytes], filename: str, *, limit: int
) -> tuple[Reading, CardPreview | None]:
    """Read a file in a child process and keep nothing of it; the preview where it is a card.

    Raises:
        DomainError: as `receive`.
    """
    upload_id = new_token()
    staging.begin(upload_id)
    try:
        receive(staging, upload_id, chunks, filename, limit=limit)
        folder = staging.folder(upload_id)
        reading = read_in_child(folder)
        if reading.verdict != "card":
            return reading, None
        stored = (folder / "preview.json").read_bytes()
        return reading, read_record(CardPreview, stored, "preview.json")
    finally:
        staging.discard(upload_id)


def keep_verdict(folder: Path, error: StoredError) -> Reading:
    reading = Reading(verdict="unreadable", error=error)
    atomic_write(folder / "read.json", record_bytes(reading))
    return reading


def too_slow(seconds: float) -> StoredError:
    return StoredError(
        code="read.too-slow",
        where="original",
        message=gettext_noop(
            "Reading this file took more than {seconds} seconds and was stopped. The file is kept."
        ),
        hint=gettext_noop(
            "It may be damaged or made to be slow. Try to save it again with the program it came from."
        ),
        args={"seconds": round(seconds)},
    )


def broke(trace: str) -> StoredError:
    """What a dead child means; its last words go to the log of whoever asks, never to a page."""
    if OUT_OF_MEMORY in trace:
        return StoredError(
            code="read.too-large",
            where="original",
            message=gettext_noop(
                "Reading this file needed more memory than one file may use. The file is kept."
            ),
            hint=gettext_noop("Real cards need far less. Ask the author for a smaller version."),
        )
    last = trace.strip().rpartition("\n")[2][:200]
    return StoredError(
        code="read.broke",
        where="original",
        message=gettext_noop(
            "This file broke the program that reads cards. The file is kept, nothing else was touched."
        ),
        hint=gettext_noop("This is our fault. Please send the file to the people who run this server."),
        args={"trace": last},
    )
