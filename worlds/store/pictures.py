"""The picture library of a world: `images/library/<hash>.<ext>`, each picture once (PIC-2, PIC-5).

The functions that take a `Change` are for callers who change documents in the same step; `PictureLibrary`
makes a change of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from mmap import ACCESS_READ, mmap
from os import SEEK_END
from typing import Final

from formats.errors import DomainError
from formats.finding import Finding
from formats.image import ImageInfo, picture_hash, sniff
from formats.messages import gettext_noop
from worlds.store.change import Change
from worlds.store.folder import ItemFolder
from worlds.store.picture_list import LIST, Files, LibraryPicture, Origin, PictureList

FOLDER: Final = "images/library"
SMALLEST: Final = 1024  # bytes; what is smaller is a dot or a spacer (PIC-5)
LARGEST: Final = 20_000_000  # bytes (PIC-4)
ENDINGS: Final = (".png", ".jpg", ".webp", ".gif")

QuotaLeft = Callable[[], int | None]
"""Bytes that the owner may still use; None without a limit."""


@dataclass(frozen=True, slots=True)
class NewPicture:
    """A picture that somebody brings; nothing about its bytes is believed."""

    data: bytes
    origin: Origin
    alt: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """The picture is in the library now."""

    picture: LibraryPicture


@dataclass(frozen=True, slots=True)
class Copy:
    """The same picture is there already, in `file`; nothing was stored."""

    file: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The picture cannot be kept; the finding says why (codes `picture.*`)."""

    finding: Finding


Added = Kept | Copy | Refused


class PictureLibrary:
    """The library of one world. Every write is one change of the folder; errors are those of `ItemFolder`."""

    def __init__(self, folder: ItemFolder) -> None:
        self._folder = folder

    def pictures(self) -> list[LibraryPicture]:
        """Every picture whose file is there: the listed ones in their order, then files laid in by hand.

        Raises:
            DomainError: `invalid` when the list cannot be read.
        """
        return self._folder.consistently(lambda: _pictures(self._folder))

    def other_pictures(self) -> dict[str, str]:
        """Hash to path of the pictures outside of the library: cover, portraits, and the card's own."""
        folder = self._folder
        paths = [path for path in folder.paths("images") if not path.startswith(f"{FOLDER}/")]
        paths += [path for path in folder.paths(".import") if path.startswith(".import/picture.")]
        return {_hash_of(folder, path): path for path in paths if path != LIST}

    def add(
        self,
        pictures: Sequence[NewPicture],
        *,
        by: str,
        now: datetime,
        quota_left: QuotaLeft | None = None,
        also_known: Mapping[str, str] | None = None,
    ) -> list[Added]:
        """Add pictures in one change; one result for each, in order. See `add_pictures`."""
        left = quota_left() if quota_left else None
        with self._folder.change(by=by, what="add-pictures") as change:
            return add_pictures(change, pictures, now=now, bytes_left=left, also_known=also_known)

    def replace(
        self, file: str, new: NewPicture, *, by: str, now: datetime, quota_left: QuotaLeft | None = None
    ) -> Added:
        """Put another picture in the place of one; see `replace_picture`."""
        left = quota_left() if quota_left else None
        with self._folder.change(by=by, what="replace-picture") as change:
            return replace_picture(change, file, new, now=now, bytes_left=left)

    def describe(self, file: str, alt: str, *, by: str) -> None:
        """Set the words that stand for a picture. Raises DomainError `not-found` for no picture of here."""
        with self._folder.change(by=by, what="describe-picture") as change:
            describe_picture(change, file, alt)

    def remove(self, file: str, *, by: str) -> None:
        """Remove a picture; its bytes stay in the history. Raises DomainError `not-found`."""
        with self._folder.change(by=by, what="remove-picture") as change:
            remove_picture(change, file)


def add_pictures(
    change: Change,
    pictures: Iterable[NewPicture],
    *,
    now: datetime,
    bytes_left: int | None = None,
    also_known: Mapping[str, str] | None = None,
) -> list[Added]:
    """Stage pictures for the library; one result for each, in order. What is refused hinders no other.

    They are gone through once: a generator keeps only one of them in memory.

    Args:
        now: the time to note, with its zone.
        bytes_left: how much room the owner has; None without a limit.
        also_known: hash to path of pictures outside of the library, which count as copies too (PIC-5).
    """
    listed = PictureList(change)
    known = {**(also_known or {}), **_known_hashes(change)}
    results: list[Added] = []
    for new in pictures:
        result = _judged(new, known, bytes_left, now)
        if isinstance(result, Kept):
            change.write(result.picture.file, new.data)
            listed.put(result.picture)
            known[_hash_in(result.picture.file)] = result.picture.file
            bytes_left = None if bytes_left is None else bytes_left - result.picture.size
        results.append(result)
    if any(isinstance(result, Kept) for result in results):
        listed.write(change)
    return results


def replace_picture(
    change: Change, file: str, new: NewPicture, *, now: datetime, bytes_left: int | None = None
) -> Added:
    """Stage another picture in the place of `file`, which keeps its words and its place in the list.

    The new picture has a file name of its own: a caller that gets `Kept` re-points what uses the old one.

    Raises:
        DomainError: `not-found` for no picture of the library.
    """
    listed, old = PictureList(change), _own_file(change, file)
    result = _judged(new, _known_hashes(change), bytes_left, now)
    if not isinstance(result, Kept):
        return result
    former = listed.picture(old)
    picture = replace(result.picture, alt=new.alt or (former.alt if former else ""))
    change.remove(old)
    change.write(picture.file, new.data)
    listed.put(picture, in_place_of=old)
    listed.write(change)
    return Kept(picture)


def remove_picture(change: Change, file: str) -> None:
    """Stage the removal of a picture. Raises DomainError `not-found`."""
    listed = PictureList(change)
    change.remove(_own_file(change, file))
    if listed.picture(file) is not None:
        listed.drop(file)
        listed.write(change)


def describe_picture(change: Change, file: str, alt: str) -> None:
    """Stage the words that stand for a picture. Raises DomainError `not-found`."""
    listed, own = PictureList(change), _own_file(change, file)
    listed.put(replace(listed.picture(own) or _laid_in_by_hand(change, own), alt=alt))
    listed.write(change)


def _judged(new: NewPicture, known: Mapping[str, str], bytes_left: int | None, now: datetime) -> Added:
    """What becomes of a picture: kept (under this name), a copy, or refused."""
    info, size = sniff(new.data), len(new.data)
    if info is None:
        return _refused("not-a-picture", gettext_noop("This is not a PNG, JPEG, WebP or GIF picture."))
    problem = _size_problem(size, info)
    if problem:
        return problem
    digest = picture_hash(new.data)
    if digest in known:
        return Copy(known[digest])
    if bytes_left is not None and size > bytes_left:
        return _refused(
            "quota",
            gettext_noop("The space of this account is used up; the picture was not kept."),
            gettext_noop(
                "Empty the trash, or ask the host for more space. What is deleted from a world takes space "
                "until it cannot be brought back any more."
            ),
        )
    file, added = f"{FOLDER}/{digest}.{info.ending}", now.isoformat(timespec="seconds")
    return Kept(LibraryPicture(file, new.origin, new.alt, size, info.width, info.height, added))


def _size_problem(size: int, info: ImageInfo) -> Refused | None:
    if size < SMALLEST:
        return _refused("too-small", gettext_noop("The picture is smaller than 1 KB; it was not kept."))
    if size > LARGEST:
        return _refused("too-large", gettext_noop("The picture is larger than 20 MB; it was not kept."))
    if info.too_large:
        return _refused(
            "too-many-pixels", gettext_noop("The picture has more than 40 million pixels; it was not kept.")
        )
    return None


def _refused(code: str, message: str, hint: str = "") -> Refused:
    return Refused(Finding("warning", f"picture.{code}", "", message, hint))


def _pictures(folder: ItemFolder) -> list[LibraryPicture]:
    there = _picture_files(folder)
    found = {picture.file: picture for picture in PictureList(folder).pictures() if picture.file in there}
    return [*found.values(), *(_laid_in_by_hand(folder, file) for file in there if file not in found)]


def _picture_files(files: Files) -> list[str]:
    """Paths of the library's picture files, sorted."""
    return [path for path in files.paths(FOLDER) if path.endswith(ENDINGS)]


def _known_hashes(change: Change) -> dict[str, str]:
    """Hash to path of the library's files: ours carry the hash in their name, others are read."""
    return {_hash_in(file) or picture_hash(change.read(file)): file for file in _picture_files(change)}


def _hash_of(folder: ItemFolder, path: str) -> str:
    """`picture_hash` of a file, which is mapped: a card's picture may be large."""
    with folder.open(path) as file:
        if file.seek(0, SEEK_END) == 0:
            return picture_hash(b"")
        with mmap(file.fileno(), 0, access=ACCESS_READ) as mapped, memoryview(mapped) as data:
            return picture_hash(data)


def _hash_in(file: str) -> str:
    """The hash that one of our file names carries; empty for another name."""
    stem = file.rpartition("/")[2].partition(".")[0]
    return stem if len(stem) == 64 and not stem.strip("0123456789abcdef") else ""


def _laid_in_by_hand(files: Files, file: str) -> LibraryPicture:
    data = files.read(file)
    info, name = sniff(data), file.rpartition("/")[2]
    width, height = (info.width, info.height) if info else (0, 0)
    return LibraryPicture(file, Origin("user", "", name), "", len(data), width, height, "")


def _own_file(change: Change, file: str) -> str:
    if file not in _picture_files(change):
        raise DomainError(
            "not-found",
            "no-such-picture",
            message=gettext_noop("This picture is not in the library any more. Nothing was changed."),
        )
    return file
