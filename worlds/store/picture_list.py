"""`images/library.json`: what is known about each picture of a world's library.

The list is a plain file that people may edit: unknown keys and entries that are not understood stay in it, a
field of the wrong type counts as empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, Protocol, cast, get_args

from formats.errors import DomainError
from formats.messages import gettext_noop

LIST: Final = "images/library.json"
SCHEMA: Final = "roleplay-library/v1"

OriginKind = Literal["user", "card", "downloaded"]


class Files(Protocol):
    """The reading that an `ItemFolder` and a `Change` have in common."""

    def has(self, path: str) -> bool: ...

    def read(self, path: str) -> bytes: ...

    def read_json(self, path: str) -> Any: ...

    def paths(self, under: str = "", hidden: bool = False) -> list[str]: ...


class Writes(Files, Protocol):
    """A `Change`, as far as the list needs it."""

    def write_json(self, path: str, value: Any) -> str: ...


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a picture came from: the user, the card itself, or an address that the card names."""

    kind: OriginKind
    address: str = ""
    original_name: str = ""


@dataclass(frozen=True, slots=True)
class LibraryPicture:
    """A picture of the library. `file` is its path in the world, `size` in bytes, `added` a time in ISO form
    or empty for a file that was laid into the folder by hand."""

    file: str
    origin: Origin
    alt: str
    size: int
    width: int
    height: int
    added: str

    def to_json(self) -> dict[str, Any]:
        """The entry of the list, keys in this order."""
        return asdict(self)

    @classmethod
    def from_json(cls, entry: Any) -> LibraryPicture | None:
        """A listed picture; None for what is no entry with a file."""
        if not file_of(entry):
            return None
        origin = entry["origin"] if isinstance(entry.get("origin"), dict) else {}
        kind = origin.get("kind") if origin.get("kind") in get_args(OriginKind) else "user"
        address, name = _text(origin.get("address")), _text(origin.get("original_name"))
        return cls(
            file=file_of(entry),
            origin=Origin(cast(OriginKind, kind), address, name),
            alt=_text(entry.get("alt")),
            size=_number(entry.get("size")),
            width=_number(entry.get("width")),
            height=_number(entry.get("height")),
            added=_text(entry.get("added")),
        )


class PictureList:
    """The list as it stands in one moment, to be changed and written back as a whole."""

    def __init__(self, files: Files) -> None:
        """Read the list, or begin one.

        Raises:
            DomainError: `invalid` with the code `library-unreadable` when the file is no such list; it is
                never replaced.
        """
        value = files.read_json(LIST) if files.has(LIST) else {"schema": SCHEMA, "pictures": []}
        if not isinstance(value, dict) or not isinstance(value.get("pictures"), list):
            raise DomainError(
                "invalid",
                "library-unreadable",
                LIST,
                gettext_noop(
                    "The list of pictures, {path}, is damaged. The pictures are safe; nothing was changed."
                ),
                gettext_noop("Bring an earlier state of the file back from the history, or remove it."),
                {"path": LIST},
            )
        self._value: dict[str, Any] = value
        self._entries: list[Any] = value["pictures"]

    def pictures(self) -> Iterator[LibraryPicture]:
        """The entries that are understood, in their order."""
        for entry in self._entries:
            picture = LibraryPicture.from_json(entry)
            if picture is not None:
                yield picture

    def picture(self, file: str) -> LibraryPicture | None:
        """The entry of one file."""
        return next((picture for picture in self.pictures() if picture.file == file), None)

    def put(self, picture: LibraryPicture, in_place_of: str = "") -> None:
        """Set an entry where the one for `in_place_of` (default: the same file) is, else at the end."""
        wanted = in_place_of or picture.file
        for number, entry in enumerate(self._entries):
            if file_of(entry) == wanted:
                self._entries[number] = {**entry, **picture.to_json()}
                return
        self._entries.append(picture.to_json())

    def drop(self, file: str) -> None:
        """Take the entry of one file out, if there is one."""
        self._entries[:] = [entry for entry in self._entries if file_of(entry) != file]

    def write(self, change: Writes) -> None:
        """Stage the list as it is now."""
        change.write_json(LIST, self._value)


def file_of(entry: Any) -> str:
    """The path in an entry of the list; empty when it has none."""
    return _text(entry.get("file")) if isinstance(entry, dict) else ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0
