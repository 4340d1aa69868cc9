"""A look at a file: read as an upload is, in a child process, and nothing kept of it."""

from __future__ import annotations

from formats.preset.model import PresetPackage
from formats.preset.report import PresetImportReport, report_of
from presets.pipeline.import_report import ORIGINAL, ImportReport
from presets.pipeline.reading import RAW_NAME, STATE_NAME, read_in_child
from presets.pipeline.state_file import read_raw, read_state
from worlds.library.waiting import staging
from worlds.store.paths import new_token


def inspect_file(data: bytes, limit: int) -> tuple[ImportReport, PresetPackage | None]:
    """What an upload of these bytes would give; the preset where there is one.

    Raises:
        DomainError: `too-large`, `full`, `unavailable`.
    """
    room, upload_id = staging(), new_token()
    folder = room.begin(upload_id)
    try:
        with room.receive(upload_id, ORIGINAL, limit) as receiving:
            receiving.write(data)
        report = read_in_child(folder)
        package = None
        if report.verdict == "preset":
            raw = read_raw((folder / RAW_NAME).read_bytes())
            state = (folder / STATE_NAME).read_bytes()
            package = read_state(state, STATE_NAME, raw, id="", name=report.name)
    finally:
        room.discard(upload_id)
    return report, package


def report_on(report: ImportReport, package: PresetPackage) -> PresetImportReport:
    """What becomes of each prompt, and what works differently here."""
    return report_of(package, report.reading.reading())
