"""The child process that reads one upload: `python -m presets.pipeline.read_child FOLDER` (D42).

It reads `preset.json` there and writes the file without its secrets, the package, and `report.json` last. The
bytes as they came stay only where no secret is in them; else the file without its secrets takes their place.
"""

from __future__ import annotations

import sys
from pathlib import Path

from formats.errors import DomainError
from formats.preset.model import PresetPackage
from formats.preset.reader import read_file
from formats.preset.reading import Reading
from presets.pipeline.import_report import (
    ORIGINAL,
    ImportReport,
    StoredReading,
    counted,
    report_bytes,
)
from presets.pipeline.reading import RAW_NAME, REPORT_NAME, STATE_NAME
from presets.pipeline.state_file import content_hash, raw_bytes, state_bytes
from worlds.library.child import StoredError, limit_this_process
from worlds.store.atomic import atomic_write


def read_upload(folder: Path) -> ImportReport:
    """Read the file of a folder and write what it holds; the report is stored last.

    Raises:
        OSError, MemoryError: the parent turns these into a sentence.
    """
    try:
        package, reading = read_file((folder / ORIGINAL).read_bytes())
    except DomainError as error:
        report = _refused(error)
    else:
        raw = raw_bytes(package)
        if reading.secrets:
            atomic_write(folder / ORIGINAL, raw)
        atomic_write(folder / RAW_NAME, raw)
        atomic_write(folder / STATE_NAME, state_bytes(package))
        report = _reported(package, reading)
    atomic_write(folder / REPORT_NAME, report_bytes(report))
    return report


def _reported(package: PresetPackage, reading: Reading) -> ImportReport:
    return ImportReport(
        verdict="preset",
        name=package.name,
        content_hash=content_hash(package),
        kept="without-secrets" if reading.secrets else "as-it-came",
        reading=StoredReading.of(reading),
        **counted(package),
    )


def _refused(error: DomainError) -> ImportReport:
    kind = getattr(error, "kind_of_file", "")
    return ImportReport(verdict="other" if kind else "unreadable", error=StoredError.of(error), kind=kind)


def main() -> int:
    limit_this_process()
    read_upload(Path(sys.argv[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
