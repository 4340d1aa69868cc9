"""A look at a file: read as an upload is, in a child process, and nothing kept of it."""

from __future__ import annotations

from formats.preset.model import PresetPackage
from formats.preset.report import PresetImportReport, report_of
from presets.pipeline.import_report import ORIGINAL, ImportReport
from presets.pipeline.reading import RAW_NAME, STATE_NAME, read_in_child
from presets.pipeline.state_file import read_raw, read_state
from worlds.library.inspecting import staged_once


def inspect_file(data: bytes, limit: int) -> tuple[ImportReport, PresetPackage | None]:
    """What an upload of these bytes would give; the preset where there is one.

    Raises:
        DomainError: `too-large`, `full`, `unavailable`.
    """
    with staged_once(data, ORIGINAL, limit) as folder:
        report = read_in_child(folder)
        package = None
        if report.verdict == "preset":
            raw = read_raw((folder / RAW_NAME).read_bytes())
            state = (folder / STATE_NAME).read_bytes()
            package = read_state(state, STATE_NAME, raw, id="", name=report.name)
    return report, package


def report_on(report: ImportReport, package: PresetPackage) -> PresetImportReport:
    """What becomes of each prompt, and what works differently here."""
    return report_of(package, report.reading.reading())
