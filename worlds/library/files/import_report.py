"""`.import/report.json`: what reading an uploaded file gave, as far as every kind of item has it."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from worlds.library.child import StoredError

RECORDS: Final = ".import"
REPORT: Final = f"{RECORDS}/report.json"


class LibraryReport(BaseModel):
    """The keys of every kind's report: the file, and what it was called; `error` where nothing came of it.

    A kind says which verdicts there are.
    """

    model_config = ConfigDict(frozen=True, validate_by_name=True, validate_by_alias=True)

    schema_: Annotated[str, Field(alias="schema")]
    verdict: str
    error: StoredError | None = None
    kind: str = ""
    filename: str = ""
    size: int = 0
    sha256: str = ""
    name: str = ""
    content_hash: str = ""
