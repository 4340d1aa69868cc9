"""`.import/pictures.json`: which picture addresses of a card were asked, and what became of each (PIC-1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from pydantic import Field

from formats.card.addresses import may_be_picture
from importer.pipeline.record import Record, StoredError, read_record
from worlds.store.folder import ItemFolder
from worlds.store.paths import no_such_item

FILE: Final = ".import/pictures.json"


class AddressResult(Record):
    """What became of one address. `file` is the library's picture, or the one it is a copy of.

    Failed ones have a code and a sentence (an English template without fields); `passing` means that asking
    again may help.
    """

    address: str
    result: Literal["kept", "copy", "failed"]
    at: str
    file: str = ""
    code: str = ""
    message: str = ""
    passing: bool = False


class PictureReport(Record):
    """`pictures.json`: every address that was asked, and why the last run ended early, if it did."""

    schema_: Literal["roleplay-import-pictures/v1"] = Field("roleplay-import-pictures/v1", alias="schema")
    pictures: list[AddressResult] = Field(default_factory=list)
    ended: StoredError | None = None

    def by_address(self) -> dict[str, AddressResult]:
        """The result of each address that was asked."""
        return {result.address: result for result in self.pictures}

    def failed(self) -> list[AddressResult]:
        """The addresses that gave nothing, with their reasons."""
        return [result for result in self.pictures if result.result == "failed"]

    def with_results(self, results: Iterable[AddressResult], ended: StoredError | None) -> PictureReport:
        """The report after a batch: a new result takes the place of the former one of its address."""
        merged = self.by_address() | {result.address: result for result in results}
        return PictureReport(pictures=list(merged.values()), ended=ended)


def candidates(addresses: Iterable[str]) -> list[str]:
    """The addresses worth asking, each once: PNG, JPEG, WebP, GIF or no extension (PIC-1)."""
    return [address for address in dict.fromkeys(addresses) if may_be_picture(address)]


def read_report(folder: ItemFolder) -> PictureReport:
    """What is stored so far; an empty report before the first run.

    Raises:
        DomainError: `not-found` when the world is gone; `invalid` for a file of another version or program,
            which is left as it is.
    """
    if not folder.exists():
        raise no_such_item(folder.id)
    if not folder.has(FILE):
        return PictureReport()
    return read_record(PictureReport, folder.read(FILE), FILE)
