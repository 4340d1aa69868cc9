"""`.import/report.json`: what reading an uploaded book gave, kept with the book."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import Field

from formats.finding import Finding
from formats.lorebook.model import WorldBook
from formats.messages import gettext_noop, ngettext_noop
from formats.text.language import language_of_text
from worlds.library.files.import_report import REPORT, LibraryReport
from worlds.library.files.stored import StoredFile

ORIGINAL: Final = "lorebook.json"
PEEKED: Final = 60  # characters of so many entries, to tell the language by

RENAMED: Final = ngettext_noop(
    "{count} entry stood under a name that can be no address; it has another now, its text is the same.",
    "{count} entries stood under names that can be no address; they have others now, the texts stay.",
)
BOOKLESS: Final = gettext_noop("“{name}” is a character card without a lorebook. Nothing was kept of it.")


class ImportReport(LibraryReport):
    """The whole file.

    `verdict` "book" has everything, "other" and "unreadable" have an error. `positions` counts entries by
    where they go. `from_card` names the card when the book was inside one. `named` are the places of findings
    that are inside an entry, with the key that the entry has in the library.
    """

    schema_: Literal["lorebook-import/v1"] = Field("lorebook-import/v1", alias="schema")
    verdict: Literal["book", "other", "unreadable"]
    from_card: str = ""
    format: str = ""
    language: str = ""
    entries: int = 0
    off: int = 0
    always: int = 0
    empty: int = 0
    by_meaning: int = 0
    positions: dict[str, int] = Field(default_factory=dict)
    named: dict[str, str] = Field(default_factory=dict)
    stored_findings: list[dict[str, Any]] = Field(default_factory=list, alias="findings")

    @property
    def findings(self) -> list[Finding]:
        """What was repaired or could not be kept."""
        return [Finding.from_json(stored) for stored in self.stored_findings]

    @property
    def problems(self) -> int:
        """How many of the findings are more than a remark."""
        return sum(stored.get("severity") != "info" for stored in self.stored_findings)


def counted(model: WorldBook) -> dict[str, Any]:
    """The numbers of a report, counted on the model."""
    positions: dict[str, int] = {}
    for entry in model.entries:
        positions[entry.position] = positions.get(entry.position, 0) + 1
    return {
        "entries": len(model.entries),
        "off": sum(not entry.enabled for entry in model.entries),
        "always": sum(entry.constant for entry in model.entries),
        "empty": sum(not entry.content.strip() for entry in model.entries),
        "by_meaning": sum(entry.strategy == "vectorized" for entry in model.entries),
        "positions": positions,
        "language": language_of(model),
    }


def language_of(model: WorldBook) -> str:
    """The language of a book as far as its script tells, by the code this server has for it."""
    found = language_of_text("".join(entry.content[:PEEKED] for entry in model.entries[:PEEKED]))
    return {"zh": "zh-hans"}.get(found, found)


STORED: Final = StoredFile(
    REPORT,
    ImportReport,
    "lorebook.report-unreadable",
    gettext_noop("The report of this import cannot be read. The lorebook itself is untouched."),
)
read_report, report_bytes = STORED.parsed, STORED.written
