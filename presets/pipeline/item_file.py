"""`item.json`: what the library knows about a preset: its name, where it came from, its versions."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, NoReturn

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from formats.errors import DomainError
from formats.messages import gettext_noop
from formats.stable_json import read_json, write_json

ITEM_FILE: Final = "item.json"
SCHEMA: Final = "preset/v1"
MOST_TAGS: Final = 60
MOST_VERSIONS: Final = 200
LONGEST_NOTE: Final = 500

Name = Annotated[str, Field(max_length=300)]
Word = Annotated[str, Field(max_length=80)]
Number = Annotated[int, Field(ge=1)]


class _Part(BaseModel):
    """Keys that nobody here reads are kept and written back."""

    model_config = ConfigDict(frozen=True, extra="allow")


class Version(_Part):
    """A version; its package is `versions/<number>.json`.

    `parent` is the version that was edited, None for the first. `restored` names an older version whose text
    this one has again.
    """

    number: Number
    parent: Number | None = None
    restored: Number | None = None
    at: str = ""
    by: str = ""
    note: str = ""
    prompts: int = 0
    on: int = 0

    @property
    def path(self) -> str:
        """Where its package is."""
        return version_path(self.number)


class Source(_Part):
    """Where a preset came from."""

    kind: Literal["upload", "blank", "copy"] = "blank"
    filename: str = ""
    sha256: str = ""


class Item(_Part):
    """The whole file. `head` is the version in force, which is the newest."""

    model_config = ConfigDict(frozen=True, extra="allow", validate_by_name=True, validate_by_alias=True)

    schema_: Annotated[str, Field(alias="schema")] = SCHEMA
    name: Name = ""
    tags: Annotated[tuple[Word, ...], Field(max_length=MOST_TAGS)] = ()
    head: Number = 1
    versions: Annotated[tuple[Version, ...], Field(min_length=1)]
    source: Source = Source()
    created_at: str = ""
    updated_at: str = ""

    def version(self, number: int) -> Version:
        """One of the versions; 0 is the one in force. Raises DomainError `not-found`."""
        wanted = number or self.head
        found = next((version for version in self.versions if version.number == wanted), None)
        if found is None:
            raise DomainError(
                "not-found",
                "preset.no-such-version",
                str(number)[:20],
                gettext_noop("There is no version {number} of this preset."),
                args={"number": number},
            )
        return found

    def with_version(self, version: Version) -> Item:
        """The item with one more version, in force from now on. Raises DomainError `full`."""
        if len(self.versions) >= MOST_VERSIONS:
            raise DomainError(
                "full",
                "preset.too-many-versions",
                "",
                gettext_noop("A preset keeps at most {count} versions. Nothing was changed."),
                gettext_noop("Duplicate the preset to begin a new tree of versions."),
                {"count": MOST_VERSIONS},
            )
        return self.model_copy(
            update={"versions": (*self.versions, version), "head": version.number, "updated_at": version.at}
        )

    @property
    def next_number(self) -> int:
        """The number of the next version."""
        return max(version.number for version in self.versions) + 1


def version_path(number: int) -> str:
    """Where the package of a version is."""
    return f"versions/{number}.json"


def item_bytes(item: Item) -> bytes:
    """The stored form."""
    return write_json(item.model_dump(mode="json", by_alias=True)).encode("utf-8", "replace")


def read_item(data: bytes) -> Item:
    """Read the file back. Raises DomainError `invalid` where it is no item."""
    try:
        return Item.model_validate(read_json(data))
    except ValidationError as error:
        _unreadable(".".join(str(part) for part in error.errors()[0]["loc"]))
    except ValueError:
        _unreadable("")


def changed_item(item: Item, **fields: Any) -> Item:
    """The item with fields replaced, checked. Raises DomainError `invalid` naming the field."""
    try:
        return Item.model_validate({**item.model_dump(by_alias=True), **fields})
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise DomainError(
            "invalid",
            "preset.bad-field",
            where,
            gettext_noop("{field} cannot hold this. Nothing was changed."),
            args={"field": where},
        ) from error


def _unreadable(where: str) -> NoReturn:
    raise DomainError(
        "invalid",
        "preset.item-unreadable",
        f"{ITEM_FILE}: {where}" if where else ITEM_FILE,
        gettext_noop("What the library keeps about this preset cannot be read. The preset is untouched."),
        gettext_noop("Correct item.json by hand, or bring back a former version."),
    )
