"""`item.json`: what the library knows about a book besides the book itself."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, Final, Literal, NoReturn

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from formats.errors import DomainError
from formats.messages import gettext_noop
from formats.stable_json import read_json, write_json

ITEM_FILE: Final = "item.json"
SCHEMA: Final = "lorebook/v1"
MOST_SECTIONS: Final = 500
MOST_TAGS: Final = 60

Name = Annotated[str, Field(max_length=300)]
Word = Annotated[str, Field(max_length=80)]


class _Part(BaseModel):
    """Keys that nobody here reads are kept and written back."""

    model_config = ConfigDict(frozen=True, extra="allow")


class Section(_Part):
    """A named heap of entries, by their keys in `book.json`. An entry is in one section or in none."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    name: Name
    entries: tuple[str, ...] = ()


class Version(_Part):
    """A kept version; its bytes are `versions/<number>.json`."""

    number: Annotated[int, Field(ge=1)]
    at: str
    by: str = ""
    note: str = ""
    entries: int = 0

    @property
    def path(self) -> str:
        """Where its bytes are."""
        return f"versions/{self.number}.json"

    @property
    def sections_path(self) -> str:
        """Where the sections of then are, in an `item.json` of nothing else; a book without any has none."""
        return f"versions/{self.number}.sections.json"


class Source(_Part):
    """Where a book came from."""

    kind: Literal["upload", "card", "blank", "copy"] = "blank"
    format: str = ""
    filename: str = ""
    sha256: str = ""


class Item(_Part):
    """The whole file."""

    schema_: Annotated[str, Field(alias="schema")] = SCHEMA
    name: Name = ""
    language: Annotated[str, Field(max_length=40)] = ""
    tags: Annotated[tuple[Word, ...], Field(max_length=MOST_TAGS)] = ()
    sections: Annotated[tuple[Section, ...], Field(max_length=MOST_SECTIONS)] = ()
    versions: tuple[Version, ...] = ()
    source: Source = Source()
    created_at: str = ""
    updated_at: str = ""

    model_config = ConfigDict(frozen=True, extra="allow", validate_by_name=True, validate_by_alias=True)

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

    def with_returned(self, then: Item, keys: Collection[str], came_back: Collection[str]) -> Item:
        """The item of a book that has the entries `keys` again: those that came back are placed as they were
        `then`, in a section of that id or name, which is made anew where it is gone. The others stay."""
        known = {section.id: section.id for section in self.sections}
        named = {section.name: section.id for section in self.sections}
        there = set(keys)
        placed = {section.id: [key for key in section.entries if key in there] for section in self.sections}
        made: list[Section] = []
        was, now = then.section_of(), self.section_of()
        for section in then.sections:
            returned = [key for key in section.entries if was[key] == section.id and key in came_back]
            returned = [key for key in returned if key not in now]
            if not returned:
                continue
            home = known.get(section.id) or named.get(section.name)
            if home is None and len(self.sections) + len(made) < MOST_SECTIONS:
                made.append(section.model_copy(update={"entries": tuple(returned)}))
            elif home is not None:
                placed[home] += returned
        kept = (one.model_copy(update={"entries": tuple(placed[one.id])}) for one in self.sections)
        return self.model_copy(update={"sections": (*kept, *made)})


def item_bytes(item: Item) -> bytes:
    """The file of an item, in the form of every file of ours."""
    return write_json(item.model_dump(mode="json", by_alias=True)).encode()


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
            "lorebook.bad-field",
            where,
            gettext_noop("{field} cannot hold this. Nothing was changed."),
            args={"field": where},
        ) from error


def version_numbered(versions: tuple[Version, ...], number: int) -> Version:
    """One of a book's versions. Raises DomainError `not-found`."""
    for version in versions:
        if version.number == number:
            return version
    raise DomainError(
        "not-found",
        "lorebook.no-such-version",
        str(number)[:20],
        gettext_noop("There is no version {number} of this book."),
        args={"number": number},
    )


def _unreadable(where: str) -> NoReturn:
    raise DomainError(
        "invalid",
        "lorebook.item-unreadable",
        f"{ITEM_FILE}: {where}" if where else ITEM_FILE,
        gettext_noop("What the library keeps about this lorebook cannot be read. The book is untouched."),
        gettext_noop("Correct item.json by hand, or bring back a former version."),
    )
