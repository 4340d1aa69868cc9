"""Where things lie in the data folder (D4), and which names are allowed there (CARD-10)."""

from __future__ import annotations

import re
import secrets
from base64 import b32encode
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from formats.errors import DomainError
from formats.messages import gettext_noop
from formats.text.names import safe_path, slug

KINDS: Final = ("worlds", "lorebooks", "presets")
RECORD_FOLDERS: Final = (".import", ".checks")
"""Dot folders of an item that hold records of the program: never published, `.import` travels with sync."""

SLUG_BYTES: Final = 120
_TOKEN = re.compile(r"[a-z2-7]{20}")
_UPLOAD_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,63}")
_FOREIGN = re.compile(
    r"""
      (?P<conflict> .*\.sync-conflict-.* | .*\.\.path[12] | .*\(conflicted\ copy\b.* )
    | (?P<junk> \._.* | \.ds_store | thumbs\.db | desktop\.ini | ~\$.* | \.~lock\..*\# | .*\.sw[a-p] | .*~
        | .*\.partial | .*\.crdownload | .*\.tmp )
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)


def new_token() -> str:
    """Twenty base32 characters (96 random bits), lower-case."""
    return b32encode(secrets.token_bytes(12)).decode().rstrip("=").lower()


def new_item_id(name: str, token: str | None = None) -> str:
    """The id of a new world, lorebook or preset: `<name-slug>-<20 base32 characters>` (D4).

    Args:
        name: any text; a name without letter or digit gives `item-<token>`.
        token: as `new_token` makes it, which is the default.
    """
    return f"{slug(name, SLUG_BYTES) or 'item'}-{token or new_token()}"


def is_item_id(value: str) -> bool:
    """Whether `value` could have come from `new_item_id`; so it is safe as a folder name."""
    words, dash, token = value.rpartition("-")
    return bool(dash and words and _TOKEN.fullmatch(token)) and safe_path(value) and slug(words) == words


def foreign_kind(name: str) -> str | None:
    """`conflict` or `junk` when a file of this name was made by a sync tool, editor or desktop, else None.

    Source: reliability notes, sync rule 4. Such files are shown apart and never become documents.
    """
    match = _FOREIGN.fullmatch(name)
    return match.lastgroup if match else None


def is_document_path(path: str) -> bool:
    """Whether the store may write `path` inside an item (CARD-10).

    A relative path with `/` between parts that are safe on every file system (`formats.text.names`); only the
    first part may start with a dot, and only as `.import` or `.checks`. The litter of other programs is no
    document.
    """
    first, slash, rest = path.partition("/")
    checked = rest if slash and first in RECORD_FOLDERS else path
    return safe_path(checked) and foreign_kind(checked.rpartition("/")[2]) is None


def is_hidden(path: str) -> bool:
    """Whether a document path lies in a dot folder, and so is in no published world or export (WORLD-3)."""
    return path.startswith(".")


def refuse_bad_path(path: str) -> None:
    """Raises DomainError `invalid` for what is not a document path; the name is shown cut and escaped."""
    if not is_document_path(path):
        raise DomainError(
            "invalid",
            "bad-path",
            message=gettext_noop("{path} cannot be the name of a file in here. Nothing was written."),
            hint=gettext_noop("Use letters, digits, spaces and -_.'() only, with / between folders."),
            args={"path": ascii(path[:200])[1:-1]},
        )


def no_such_item(item_id: str = "") -> DomainError:
    """The refusal for an item that is not there, or whose name could never be one."""
    return DomainError(
        "not-found",
        "no-such-item",
        item_id if is_item_id(item_id) else "",
        gettext_noop("This is not here. It may have been moved to the trash."),
    )


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The layout below one data folder (D4). Gives paths; makes nothing.

    Every method raises DomainError `not-found` for a handle, kind or id that could not exist, so that no text
    from outside ever becomes a path.
    """

    root: Path

    def shelf(self, handle: str, kind: str) -> Path:
        """`users/<handle>/<kind>`: all items of one kind of one person."""
        if kind not in KINDS:
            raise no_such_item()
        return self.person(handle) / kind

    def person(self, handle: str) -> Path:
        """`users/<handle>`: everything of one person."""
        if not safe_path(handle) or "/" in handle:
            raise no_such_item()
        return self.root / "users" / handle

    def item(self, handle: str, kind: str, item_id: str) -> Path:
        """`users/<handle>/<kind>/<id>`: one world, lorebook or preset."""
        if not is_item_id(item_id):
            raise no_such_item()
        return self.shelf(handle, kind) / item_id

    def lock_file(self, handle: str, kind: str, item_id: str) -> Path:
        """`users/<handle>/<kind>/.locks/<id>.lock`: never renamed, never deleted, kept when trashed."""
        return self.item(handle, kind, item_id).parent / ".locks" / f"{item_id}.lock"

    def trash(self, handle: str, kind: str) -> Path:
        """`users/<handle>/.trash/<kind>`: whole items that were moved to the trash."""
        return self.shelf(handle, kind).parent / ".trash" / kind

    def staging(self, upload_id: str) -> Path:
        """`staging/<upload id>`: an upload that is not a world yet."""
        if not _UPLOAD_ID.fullmatch(upload_id):
            raise no_such_item()
        return self.staging_root / upload_id

    @property
    def staging_root(self) -> Path:
        """The folder of all uploads that wait."""
        return self.root / "staging"

    @property
    def server_lock(self) -> Path:
        """Held by the one server that runs jobs on this data folder."""
        return self.root / ".server.lock"
