"""`.import/report.json`: what reading an uploaded book gave, kept with the book."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from formats.errors import DomainError
from formats.finding import Finding
from formats.lorebook.model import WorldBook
from formats.messages import gettext_noop, ngettext_noop
from formats.stable_json import read_json, write_json
from formats.text.language import language_of_text
from worlds.library.child import StoredError

RECORDS: Final = ".import"
ORIGINAL: Final = "lorebook.json"
REPORT: Final = f"{RECORDS}/report.json"
PEEKED: Final = 60  # characters of so many entries, to tell the language by

RENAMED: Final = ngettext_noop(
    "{count} entry stood under a name that can be no address; it has another now, its text is the same.",
    "{count} entries stood under names that can be no address; they have others now, the texts stay.",
)
BOOKLESS: Final = gettext_noop("“{name}” is a character card without a lorebook. Nothing was kept of it.")


class ImportReport(BaseModel):
    """The whole file.

    `verdict` "book" has everything, "other" and "unreadable" have an error. `positions` counts entries by
    where they go. `from_card` names the card when the book was inside one.
    """

    model_config = ConfigDict(frozen=True, validate_by_name=True, validate_by_alias=True)

    schema_: Literal["lorebook-import/v1"] = Field("lorebook-import/v1", alias="schema")
    verdict: Literal["book", "other", "unreadable"]
    error: StoredError | None = None
    kind: str = ""
    filename: str = ""
    size: int = 0
    sha256: str = ""
    name: str = ""
    from_card: str = ""
    format: str = ""
    language: str = ""
    entries: int = 0
    off: int = 0
    always: int = 0
    empty: int = 0
    by_meaning: int = 0
    positions: dict[str, int] = Field(default_factory=dict)
    content_hash: str = ""
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


def report_bytes(report: ImportReport) -> bytes:
    """The stored form; what UTF-8 cannot hold of a file's own words is shown as a question mark."""
    return write_json(report.model_dump(mode="json", by_alias=True)).encode("utf-8", "replace")


def read_report(data: bytes) -> ImportReport:
    """Read the file back. Raises DomainError `invalid` for what another program wrote."""
    try:
        return ImportReport.model_validate(read_json(data))
    except (ValidationError, ValueError) as error:
        raise DomainError(
            "invalid",
            "lorebook.report-unreadable",
            REPORT,
            gettext_noop("The report of this import cannot be read. The lorebook itself is untouched."),
        ) from error
