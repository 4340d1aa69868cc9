"""The versions of one file that the history keeps, who saved the last of them, and two of them compared."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from portal.models import Person
from worlds.changes import names_of, what_word
from worlds.differences import FieldDiff, file_diff
from worlds.models import World
from worlds.queries import folder_of
from worlds.store.etags import digest_of
from worlds.store.listing import no_such_file
from worlds.store.paths import is_hidden

NOW = "now"
MOST = 200


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a file: `id` is the change that replaced it (`now` for what is there), `until` when."""

    id: str
    until: datetime | None
    who: str
    what: str


@dataclass(frozen=True, slots=True)
class Saved:
    """Who saved a file last and when; `who` is "" where another program wrote it since."""

    who: str
    own: bool
    at: datetime | None


def last_saved(world: World, path: str, reader: Person, note: str = "") -> Saved:
    """Who saved what stands at a path now. `note` names an entry of a list file that many share."""
    folder = folder_of(world)
    now = digest_of(folder.read(path)) if folder.has(path) else None
    for record in folder.history():
        if path not in record.changed:
            continue
        if now is not None and record.files[path].after != now:
            break
        now = None  # earlier changes of a list file are judged by their note alone
        if not note or record.note in ("", path, note) or not record.note.startswith(f"{path}: "):
            who = names_of({record.by}, reader).get(record.by, record.by)
            return Saved(who, record.by == reader.handle, datetime.fromisoformat(record.at))
    return Saved("", False, None)


def versions_of(world: World, path: str, reader: Person) -> list[Version]:
    """What is there now, then every version that is kept, newest first.

    Raises:
        DomainError: `not-found` for a record of the import, which is no file of the world (D38).
    """
    folder = folder_of(world)
    if is_hidden(path):
        raise no_such_file(path[:200])
    touching = (record for record in folder.history() if path in record.changed and record.files[path].before)
    records = list(islice(touching, MOST))
    names = names_of({record.by for record in records}, reader)
    kept = [
        Version(r.id, datetime.fromisoformat(r.at), names.get(r.by, r.by), what_word(r.what)) for r in records
    ]
    return [Version(NOW, None, "", ""), *kept] if folder.has(path) else kept


def compared_versions(world: World, path: str, old: str, new: str) -> list[FieldDiff] | None:
    """What differs between two versions; None for pictures and other files that are no text.

    Raises:
        DomainError: `not-found` for a version that is not kept.
    """
    before, after = (_bytes_of(world, path, version) for version in (old, new))
    found = file_diff(path, before, after)
    return found if found or before == after else None


def _bytes_of(world: World, path: str, version: str) -> bytes:
    folder = folder_of(world)
    return folder.read(path) if version == NOW else folder.former(version, path)
