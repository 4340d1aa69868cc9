"""`ChangeRecord`: what one change of an item did; the content of `.commit.json` and of `change.json`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any

from formats.stable_json import read_json, write_json
from worlds.store.paths import is_document_path

_DIGEST = re.compile(r"[0-9a-f]{64}")
_CHANGE_ID = re.compile(r"\d{8}T\d{12}Z-[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class FileChange:
    """SHA-256 of a file before and after a change; None where there was, or is, no file."""

    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class ChangeRecord:
    """One change: when, by whom, what for, and which files.

    `what` is a short word (`edit`, `import`, `restore` …), `note` free text. `files` keeps its order: in a
    commit that is being applied the new bytes of the n-th path lie in `.pending/<n>`. `history` is False for
    changes of the program's own records, whose former bytes are not kept.
    """

    id: str
    at: str
    by: str
    what: str
    note: str = ""
    files: Mapping[str, FileChange] = field(default_factory=dict)
    history: bool = True

    @property
    def changed(self) -> list[str]:
        """The paths whose bytes differ before and after."""
        return [path for path, file in self.files.items() if file.before != file.after]

    def to_bytes(self) -> bytes:
        """The stored form."""
        files = {path: {"before": file.before, "after": file.after} for path, file in self.files.items()}
        head = {"id": self.id, "at": self.at, "by": self.by, "what": self.what, "note": self.note}
        tail = {} if self.history else {"history": False}
        return write_json({**head, "files": files, **tail}).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> ChangeRecord:
        """Read a stored record, trusting nothing: it may come from a copied or damaged folder.

        Raises:
            ValueError: not a change record, or one that names a path outside of the item.
        """
        value = read_json(data)
        if not isinstance(value, dict) or not isinstance(value.get("files"), dict):
            raise ValueError("a change record is an object with files")
        head = [value.get(name) for name in ("id", "at", "by", "what", "note")]
        if not all(isinstance(text, str) for text in head) or not is_change_id(str(value["id"])):
            raise ValueError("a change record has an id and four texts")
        datetime.fromisoformat(str(value["at"]))
        files = {path: _file(path, item) for path, item in value["files"].items()}
        change_id, at, by, what, note = map(str, head)
        return cls(change_id, at, by, what, note, files=files, history=value.get("history") is not False)


def new_change_id(now: datetime) -> str:
    """`<utc with microseconds>-<random>`: sorts by time, and two changes never share one."""
    return f"{stamp(now)}-{token_hex(4)}"


def stamp(now: datetime) -> str:
    """A moment as part of a file name, sorting by time: `20261130T192204123456Z`."""
    return now.astimezone(UTC).strftime("%Y%m%dT%H%M%S%fZ")


def moment(text: str) -> datetime:
    """The moment that `stamp` wrote.

    Raises:
        ValueError: not written by `stamp`.
    """
    return datetime.strptime(text, "%Y%m%dT%H%M%S%fZ").replace(tzinfo=UTC)


def is_change_id(text: str) -> bool:
    """Whether a text is an id as `new_change_id` makes them, and so safe as a folder name."""
    return _CHANGE_ID.fullmatch(text) is not None


def _file(path: str, value: Any) -> FileChange:
    digests = [value.get("before"), value.get("after")] if isinstance(value, dict) else [0]
    if not is_document_path(path) or not all(_is_digest(digest) for digest in digests):
        raise ValueError("a change record names documents and their digests")
    return FileChange(*digests)


def _is_digest(value: object) -> bool:
    return value is None or (isinstance(value, str) and _DIGEST.fullmatch(value) is not None)
