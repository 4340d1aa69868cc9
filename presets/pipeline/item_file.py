"""`item.json`: what the library knows about a preset: its name, where it came from, its versions."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from formats.errors import DomainError
from formats.messages import gettext_noop
from worlds.library.files.item import (
    MOST_VERSIONS,
    ItemFile,
    LibraryItemFile,
    LibraryVersion,
    Number,
    Part,
)

SCHEMA: Final = "preset/v1"


class Version(LibraryVersion):
    """A version; its package is `versions/<number>.json`.

    `parent` is the version that was edited, None for the first. `restored` names an older version whose text
    this one has again.
    """

    parent: Number | None = None
    restored: Number | None = None
    prompts: int = 0
    on: int = 0


class Source(Part):
    """Where a preset came from."""

    kind: Literal["upload", "blank", "copy"] = "blank"
    filename: str = ""
    sha256: str = ""


class Item(LibraryItemFile):
    """The whole file. `head` is the version in force, which is the newest."""

    schema_: Annotated[str, Field(alias="schema")] = SCHEMA
    head: Number = 1
    versions: Annotated[tuple[Version, ...], Field(min_length=1)]
    source: Source = Source()

    def version(self, number: int) -> Version:
        """One of the versions; 0 is the one in force. Raises DomainError `not-found`."""
        return ITEM.version_in(self.versions, number or self.head)

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


ITEM: Final = ItemFile(
    "preset",
    Item,
    unreadable=gettext_noop(
        "What the library keeps about this preset cannot be read. The preset is untouched."
    ),
    no_version=gettext_noop("There is no version {number} of this preset."),
)
read_item, item_bytes, changed_item = ITEM.parsed, ITEM.written, ITEM.changed
