"""`.import/report.json`: what reading an uploaded preset found, kept with the preset.

The report on the prompts is not kept: it is made of the package and this, so that it follows every edit.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from formats.finding import Finding
from formats.messages import gettext_noop
from formats.preset.kinds import Shape
from formats.preset.model import PresetPackage
from formats.preset.reading import Reading
from worlds.library.files.import_report import REPORT, LibraryReport
from worlds.library.files.stored import StoredFile

ORIGINAL: Final = "preset.json"


class StoredReading(BaseModel):
    """`formats.preset.reading.Reading`, stored."""

    model_config = ConfigDict(frozen=True)

    shape: Shape = "native"
    has_order: bool = True
    other_orders: tuple[int | str | None, ...] = ()
    dangling: tuple[str, ...] = ()
    missing_core: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    findings: tuple[dict[str, Any], ...] = ()

    @classmethod
    def of(cls, reading: Reading) -> StoredReading:
        """To be stored."""
        return cls(
            shape=reading.shape,
            has_order=reading.has_order,
            other_orders=reading.other_orders,
            dangling=reading.dangling,
            missing_core=reading.missing_core,
            secrets=reading.secrets,
            findings=tuple(finding.to_json() for finding in reading.findings),
        )

    def reading(self) -> Reading:
        """As it was."""
        return Reading(
            shape=self.shape,
            has_order=self.has_order,
            other_orders=self.other_orders,
            dangling=self.dangling,
            missing_core=self.missing_core,
            secrets=self.secrets,
            findings=tuple(Finding.from_json(dict(stored)) for stored in self.findings),
        )


class ImportReport(LibraryReport):
    """The whole file.

    `verdict` "preset" has a reading, "other" and "unreadable" have an error. `kept` says what the file beside
    it is: the bytes as they came, or the file without the secrets that `reading.secrets` names.
    """

    schema_: Literal["preset-import/v1"] = Field("preset-import/v1", alias="schema")
    verdict: Literal["preset", "other", "unreadable"]
    prompts: int = 0
    on: int = 0
    kept: Literal["as-it-came", "without-secrets"] = "as-it-came"
    reading: StoredReading = StoredReading()


def counted(package: PresetPackage) -> dict[str, int]:
    """How many prompts the file has, and how many of them take part."""
    return {
        "prompts": sum(not prompt.was_added for prompt in package.prompts),
        "on": sum(not prompt.was_added for prompt in package.enabled_prompts()),
    }


STORED: Final = StoredFile(
    REPORT,
    ImportReport,
    "preset.report-unreadable",
    gettext_noop("The report of this import cannot be read. The preset itself is untouched."),
)
read_report, report_bytes = STORED.parsed, STORED.written
