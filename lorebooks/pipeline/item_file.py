"""`item.json`: what the library knows about a book besides the book itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Annotated, Final, Literal

from pydantic import Field

from formats.messages import gettext_noop
from worlds.library.files.item import ItemFile, LibraryItemFile, LibraryVersion, Name, Part

SCHEMA: Final = "lorebook/v1"
MOST_SECTIONS: Final = 500


class Section(Part):
    """A named heap of entries, by their keys in `book.json`. An entry is in one section or in none."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    name: Name
    entries: tuple[str, ...] = ()


class Version(LibraryVersion):
    """A kept version; its bytes are `versions/<number>.json`."""

    entries: int = 0

    @property
    def sections_path(self) -> str:
        """Where the sections of then are, in an `item.json` of nothing else; older versions may have none."""
        return f"versions/{self.number}.sections.json"


class Source(Part):
    """Where a book came from."""

    kind: Literal["upload", "card", "blank", "copy"] = "blank"
    format: str = ""
    filename: str = ""
    sha256: str = ""


class Item(LibraryItemFile):
    """The whole file."""

    schema_: Annotated[str, Field(alias="schema")] = SCHEMA
    language: Annotated[str, Field(max_length=40)] = ""
    sections: Annotated[tuple[Section, ...], Field(max_length=MOST_SECTIONS)] = ()
    versions: tuple[Version, ...] = ()
    source: Source = Source()

    def section_of(self) -> dict[str, str]:
        """The section's id by entry key; where two sections claim an entry, the first has it."""
        placed: dict[str, str] = {}
        for section in self.sections:
            for key in section.entries:
                placed.setdefault(key, section.id)
        return placed

    def with_placed(self, keys: list[str], section_id: str) -> Item:
        """The item with entries moved into a section; with `""` out of every one."""
        moved = set(keys)
        sections = []
        for section in self.sections:
            rest = tuple(key for key in section.entries if key not in moved)
            added = tuple(keys) if section.id == section_id else ()
            sections.append(section.model_copy(update={"entries": rest + added}))
        return self.model_copy(update={"sections": tuple(sections)})

    def with_sections(self, sections: Iterable[Section], keys: Collection[str]) -> Item:
        """The item of a book that has the entries `keys`, in these sections and no others."""
        there = set(keys)
        placed = (
            one.model_copy(update={"entries": tuple(key for key in one.entries if key in there)})
            for one in sections
        )
        return self.model_copy(update={"sections": tuple(placed)})


ITEM: Final = ItemFile(
    "lorebook",
    Item,
    unreadable=gettext_noop(
        "What the library keeps about this lorebook cannot be read. The book is untouched."
    ),
    no_version=gettext_noop("There is no version {number} of this book."),
)
read_item, item_bytes, changed_item, version_numbered = (
    ITEM.parsed,
    ITEM.written,
    ITEM.changed,
    ITEM.version_in,
)
