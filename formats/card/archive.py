"""Zip archives that hold a card: CharX, a zip behind a picture, Backyard archives.

Only listed members are read, nothing is extracted and no member name becomes a path.
"""

from __future__ import annotations

import io
import re
import struct
import unicodedata
import zipfile
import zlib
from dataclasses import dataclass, field

from formats.card.errors import CardError
from formats.card.limits import (
    ARCHIVE_BYTES,
    ARCHIVE_DIRECTORY_BYTES,
    ARCHIVE_MEMBERS,
    RATIO,
    RATIO_FROM_BYTES,
)
from formats.card.reasons import REASONS, Unusable

END_RECORD = struct.Struct("<4s4H2LH")
END_MARK = b"PK\x05\x06"
END_64_RECORD = struct.Struct("<4sQ2H2L4Q")
END_64_MARK = b"PK\x06\x06"
END_64_BEFORE = 20 + 56
"""The locator and the usual length of the 64-bit end record stand right before the ordinary one."""
END_SEARCH = 22 + 65_535
MEMBER_MARK = b"PK\x03\x04"
LOCAL_HEADER = 30
MOST_NAMED = 3
"""Members of one name that are listed in a sentence."""
SYMLINK = 0o120000
FILE_TYPE = 0o170000
DRIVE = re.compile(r"[A-Za-z]:")
READ_ERRORS = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
)


class ViewFile(io.RawIOBase):
    """A read-only file over a memory view, so that an archive is read without copying it."""

    def __init__(self, view: memoryview) -> None:
        self._view = view
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: len(self._view)}[whence]
        if start + offset < 0:
            raise OSError("before the start")
        self._at = start + offset
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        part = self._view[self._at : self._at + len(buffer)]
        buffer[: len(part)] = part
        self._at += len(part)
        return len(part)


def same_name(name: str) -> str:
    """The form in which member names are compared."""
    return unicodedata.normalize("NFC", name).casefold()


def is_unsafe(name: str) -> bool:
    """True for a member name that would be a path out of the archive: climbing, absolute, of a drive, odd."""
    return (
        "\0" in name
        or "\\" in name
        or name.startswith("/")
        or DRIVE.match(name) is not None
        or ".." in name.split("/")
    )


@dataclass(slots=True)
class Archive:
    """An opened archive that kept the rules for archives as a whole; members are checked when read.

    `unsafe` are the names of members that nobody can ask for (see `is_unsafe`).
    """

    zip: zipfile.ZipFile
    members: dict[str, list[zipfile.ZipInfo]]
    start: int
    unsafe: list[str]
    unpacked: int = field(default=0)

    def names(self) -> list[str]:
        """Names of the files inside, folders left out, as written."""
        return [infos[0].filename for infos in self.members.values()]

    def has(self, name: str) -> bool:
        return same_name(name) in self.members

    def read(self, name: str, limit: int) -> bytes:
        """The bytes of one member, unpacked up to `limit`.

        Raises:
            KeyError: no such member.
            Unusable: encrypted, a link, twice there, packed in an unusual way, too large or damaged.
        """
        infos = self.members[same_name(name)]
        _require_readable(infos, limit)
        if self.unpacked > ARCHIVE_BYTES:
            raise Unusable("all-too-long", limit=ARCHIVE_BYTES)
        try:
            with self.zip.open(infos[0]) as member:
                data = member.read(limit + 1)
        except READ_ERRORS:
            raise Unusable("damaged") from None
        self.unpacked += len(data)
        if len(data) > limit:
            raise Unusable("too-long", limit=limit)
        return data


def _require_readable(infos: list[zipfile.ZipInfo], limit: int) -> None:
    info = infos[0]
    if len(infos) > 1:
        members = ", ".join(info.filename for info in infos[:MOST_NAMED])
        raise Unusable("name-twice", members=members)
    if info.flag_bits & 0x1:
        raise Unusable("encrypted")
    if (info.external_attr >> 16) & FILE_TYPE == SYMLINK:
        raise Unusable("link")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise Unusable("odd-packing")
    if info.file_size > limit:
        raise Unusable("too-long", limit=limit)


def has_end_record(view: memoryview) -> bool:
    """True where a zip ends at the end of these bytes (a comment or a little junk may follow)."""
    return _end_record(view) is not None


def begins_zip(rest: bytes) -> bool:
    """True for bytes that a zip may begin with, as many as there are."""
    return bool(rest) and MEMBER_MARK.startswith(rest[: len(MEMBER_MARK)])


def _end_record(view: memoryview) -> tuple[int, int] | None:
    """Number of members and bytes of the directory, as the end record states them."""
    tail = bytes(view[-END_SEARCH:])
    at = tail.rfind(END_MARK)
    if at < 0 or at + END_RECORD.size > len(tail):
        return None
    _, _, _, _, count, size, _, _ = END_RECORD.unpack_from(tail, at)
    if count == 0xFFFF or size == 0xFFFFFFFF:
        start = max(0, len(view) - len(tail) + at - END_64_BEFORE)
        record = bytes(view[start : start + END_64_RECORD.size])
        if len(record) == END_64_RECORD.size and record.startswith(END_64_MARK):
            fields = END_64_RECORD.unpack(record)
            return fields[7], fields[8]
    return count, size


def open_archive(view: memoryview) -> Archive:
    """Open a zip and check the rules that concern all of it.

    Raises:
        CardError: `bad-archive`; `unsafe-archive` for too many members, too much data, overlapping or
            absurdly packed members.
    """
    stated = _end_record(view)
    if stated is None:
        raise CardError("bad-archive")
    count, directory = stated
    if count > ARCHIVE_MEMBERS or directory > ARCHIVE_DIRECTORY_BYTES:
        raise _unsafe("many-members", ARCHIVE_MEMBERS)
    try:
        opened = zipfile.ZipFile(io.BufferedReader(ViewFile(view)))
    except READ_ERRORS:
        raise CardError("bad-archive") from None
    infos = opened.infolist()
    _require_safe(infos, opened.start_dir)
    members: dict[str, list[zipfile.ZipInfo]] = {}
    unsafe: list[str] = []
    for info in infos:
        if is_unsafe(info.orig_filename):
            unsafe.append(info.orig_filename.replace("\0", "\ufffd"))
        elif not info.is_dir():
            members.setdefault(same_name(info.filename), []).append(info)
    start = min((info.header_offset for info in infos), default=opened.start_dir)
    return Archive(opened, members, start, unsafe)


def _unsafe(code: str, limit: int = 0) -> CardError:
    return CardError("unsafe-archive", because=REASONS[code], limit=limit)


def _require_safe(infos: list[zipfile.ZipInfo], directory_start: int) -> None:
    if len(infos) > ARCHIVE_MEMBERS:
        raise _unsafe("many-members", ARCHIVE_MEMBERS)
    if sum(info.file_size for info in infos) > ARCHIVE_BYTES:
        raise _unsafe("large-members", ARCHIVE_BYTES)
    if any(_packed_too_well(info) for info in infos):
        raise _unsafe("packed-too-well", RATIO)
    ends = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        if info.header_offset < ends:
            raise _unsafe("overlap")
        ends = info.header_offset + LOCAL_HEADER + len(info.orig_filename) + info.compress_size
    if ends > directory_start:
        raise _unsafe("overlap")


def _packed_too_well(info: zipfile.ZipInfo) -> bool:
    return info.file_size > RATIO_FROM_BYTES and info.file_size > RATIO * max(info.compress_size, 1)
