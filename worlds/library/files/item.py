"""`item.json`: what a library knows about an item besides the item itself, as far as every kind has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from formats.errors import DomainError
from formats.messages import gettext_noop
from worlds.library.files.stored import StoredFile, place_of

ITEM_FILE: Final = "item.json"
MOST_TAGS: Final = 60
MOST_VERSIONS: Final = 200
LONGEST_NOTE: Final = 500

Name = Annotated[str, Field(max_length=300)]
Word = Annotated[str, Field(max_length=80)]
Number = Annotated[int, Field(ge=1)]


class Part(BaseModel):
    """Keys that nobody here reads are kept and written back."""

    model_config = ConfigDict(frozen=True, extra="allow", validate_by_name=True, validate_by_alias=True)


class LibraryVersion(Part):
    """A kept version: its number, when and by whom it was made, and the note of whoever made it."""

    number: Number
    at: str = ""
    by: str = ""
    note: str = ""

    @property
    def path(self) -> str:
        """Where its bytes are."""
        return version_path(self.number)


class LibraryItemFile(Part):
    """The keys of every kind's file; a kind says its schema and adds keys of its own."""

    schema_: Annotated[str, Field(alias="schema")] = ""
    name: Name = ""
    tags: Annotated[tuple[Word, ...], Field(max_length=MOST_TAGS)] = ()
    created_at: str = ""
    updated_at: str = ""


ItemModel = TypeVar("ItemModel", bound=LibraryItemFile)
VersionModel = TypeVar("VersionModel", bound=LibraryVersion)


@dataclass(frozen=True, slots=True)
class ItemFile(Generic[ItemModel]):
    """`item.json` of a `kind`. The sentences are whole, so that they can be translated.

    `unreadable` is said of a file that a hand spoilt, `no_version` (with `{number}`) of a version that is not
    there.
    """

    kind: str
    model: type[ItemModel]
    unreadable: str
    no_version: str

    def written(self, item: ItemModel) -> bytes:
        """The stored form."""
        return self._file.written(item)

    def parsed(self, data: bytes) -> ItemModel:
        """Read the file back. Raises DomainError `invalid` where it is no item."""
        return self._file.parsed(data)

    def changed(self, item: ItemModel, **fields: Any) -> ItemModel:
        """The item with fields replaced, checked. Raises DomainError `invalid` naming the field."""
        try:
            return self.model.model_validate({**item.model_dump(by_alias=True), **fields})
        except ValidationError as error:
            where = place_of(error)
            raise DomainError(
                "invalid",
                f"{self.kind}.bad-field",
                where,
                gettext_noop("{field} cannot hold this. Nothing was changed."),
                args={"field": where},
            ) from error

    def version_in(self, versions: Sequence[VersionModel], number: int) -> VersionModel:
        """The version of a number. Raises DomainError `not-found`."""
        found = next((version for version in versions if version.number == number), None)
        if found is None:
            code = f"{self.kind}.no-such-version"
            args = {"number": number}
            raise DomainError("not-found", code, str(number)[:20], self.no_version, args=args)
        return found

    @property
    def _file(self) -> StoredFile[ItemModel]:
        hint = gettext_noop("Correct item.json by hand, or bring back a former version.")
        return StoredFile(ITEM_FILE, self.model, f"{self.kind}.item-unreadable", self.unreadable, hint)


def version_path(number: int) -> str:
    """Where the bytes of a version are."""
    return f"versions/{number}.json"


def next_number(versions: Sequence[LibraryVersion]) -> int:
    """The number of the version that comes after these."""
    return max((version.number for version in versions), default=0) + 1
