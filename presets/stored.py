"""A preset's files as values: its item, a version, the draft. Read from disk each time, of one moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from formats.errors import DomainError
from formats.preset.model import PresetPackage
from formats.preset.reading import Reading
from presets.kept_states import keep_state, kept_state
from presets.pipeline.import_report import ImportReport, read_report
from presets.pipeline.item_file import Item, read_item
from presets.pipeline.state_file import DRAFT_FILE, RAW_FILE, Draft, read_draft, read_raw, read_state
from worlds.library.files.import_report import REPORT
from worlds.library.files.item import ITEM_FILE
from worlds.library.files.stored import Files


@dataclass(frozen=True, slots=True)
class Stored:
    """The files of one preset, parsed when asked for."""

    files: Files
    id: str

    def item(self) -> Item:
        """`item.json`."""
        return read_item(self.files.read(ITEM_FILE))

    def raw(self) -> dict[str, Any]:
        """The file as it came, without its secrets."""
        return read_raw(self.files.read(RAW_FILE))

    def version(self, number: int = 0) -> PresetPackage:
        """The package of a version; 0 is the one in force. Raises `not-found`, or `invalid`."""
        item = self.item()
        path = item.version(number).path
        data, raw = self.files.read(path), self.files.read(RAW_FILE)

        def read() -> PresetPackage:
            return read_state(data, path, read_raw(raw), id=self.id, name=item.name)

        return kept_state(data, raw, (self.id, item.name, path), read)

    def draft(self) -> Draft | None:
        """Edits that are in no version yet."""
        if not self.files.has(DRAFT_FILE):
            return None
        data, raw, name = self.files.read(DRAFT_FILE), self.files.read(RAW_FILE), self.item().name

        def read() -> Draft:
            return read_draft(data, read_raw(raw), id=self.id, name=name)

        return kept_state(data, raw, (self.id, name, DRAFT_FILE), read)

    def will_read(self, data: bytes, draft: Draft) -> None:
        """Note what `draft` reads once these bytes are its file."""
        keep_state(data, self.files.read(RAW_FILE), (self.id, self.item().name, DRAFT_FILE), draft)

    def report(self) -> ImportReport | None:
        """What the import found; None for a preset that was made here."""
        return read_report(self.files.read(REPORT)) if self.files.has(REPORT) else None

    def reading(self) -> Reading:
        """What reading the file found beside its package. A spoilt record is as good as none."""
        try:
            report = self.report()
        except DomainError as error:
            if error.kind != "invalid":
                raise
            report = None
        return report.reading.reading() if report else Reading("native")
