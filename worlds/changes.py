"""The changes of a world as a page tells them: who, what, when, and what differed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from formats.errors import DomainError
from portal.models import Person
from worlds.differences import FieldDiff, file_diff
from worlds.models import World
from worlds.overview import address_of
from worlds.queries import folder_of
from worlds.store.paths import is_hidden
from worlds.store.record import ChangeRecord
from worlds.subjects import Subject, subjects_of

FILES_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """One change of the timeline: its id, when, by whom, what it did, its first files by name, how many more.

    The record itself stays behind: its note and its dot paths are not for every reader (D38).
    """

    id: str
    at: datetime
    who: str
    what: str
    files: list[Subject]
    more: int


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """One file of a change.

    `made` and `deleted` say that there was none before, or none after. `fields` is what differs, None where
    the later bytes are not kept any more. `kept` says that the former bytes can be brought back.
    """

    path: str
    title: str
    made: bool
    deleted: bool
    fields: list[FieldDiff] | None
    kept: bool
    address: str


def entries_of(world: World, records: Iterable[ChangeRecord], reader: Person) -> list[Entry]:
    """Changes for the timeline."""
    shown = [(record, changed_files(record)) for record in records]
    names = names_of({record.by for record, _changed in shown}, reader)
    subjects = subjects_of(world, [(record, changed[:FILES_SHOWN]) for record, changed in shown])
    return [
        Entry(
            record.id,
            datetime.fromisoformat(record.at),
            names.get(record.by, record.by),
            what_word(record.what),
            told,
            max(0, len(changed) - FILES_SHOWN),
        )
        for (record, changed), told in zip(shown, subjects, strict=True)
    ]


def names_of(handles: set[str], reader: Person) -> dict[str, str]:
    """Who is behind the handles of a history; the reader is "You"."""
    found = dict(Person.objects.filter(handle__in=handles).values_list("handle", "username"))
    return found | ({reader.handle: _("You")} if reader.handle in handles else {})


def deleted_something(record: ChangeRecord) -> bool:
    """Whether a file went away by this change, and so is in the trash of the world."""
    return any(record.files[path].after is None for path in changed_files(record))


def changed_files(record: ChangeRecord) -> list[str]:
    """The files of the world that a change touched. The import's own records are no files of it (D38)."""
    return [path for path in record.changed if not is_hidden(path)]


def can_be_undone(record: ChangeRecord) -> bool:
    """Whether a change can be taken back as a whole: not an import, whose records say that it happened."""
    return record.what != "import" and bool(changed_files(record))


def files_of(world: World, record: ChangeRecord, most: int) -> list[ChangedFile]:
    """The first files of a change with what differed in each."""
    paths = changed_files(record)[:most]
    after = _kept_after(world, record, paths)
    [subjects] = subjects_of(world, [(record, paths)])
    return [_file(world, record, subject, after.get(subject.path)) for subject in subjects]


def _file(world: World, record: ChangeRecord, subject: Subject, after: bytes | None) -> ChangedFile:
    path = subject.path
    changed = record.files[path]
    former = _former(world, record.id, path) if changed.before else None
    whole = (former is not None or changed.before is None) and (after is not None or changed.after is None)
    return ChangedFile(
        path=path,
        title=subject.title,
        made=changed.before is None,
        deleted=changed.after is None,
        fields=file_diff(path, former, after) if whole else None,
        kept=former is not None,
        address=address_of(world, path),
    )


def _kept_after(world: World, record: ChangeRecord, paths: list[str]) -> dict[str, bytes]:
    """What the change wrote, as far as it is known: still there, or kept by the file's next change."""
    folder = folder_of(world)
    next_change: dict[str, str] = {}
    for other in folder.history():
        if other.id <= record.id:
            break
        next_change |= {path: other.id for path in paths if path in other.files}
    found = {}
    for path in paths:
        if path in next_change:
            data = _former(world, next_change[path], path)
        else:
            data = folder.read(path) if folder.has(path) else None
        if data is not None:
            found[path] = data
    return found


def _former(world: World, change_id: str, path: str) -> bytes | None:
    try:
        return folder_of(world).former(change_id, path)
    except DomainError as error:
        if error.kind != "not-found":
            raise
        return None


def what_word(what: str) -> str:
    """The words for what a change did; the stored word where it is none of ours."""
    words = {
        "edit": pgettext("change", "Edited"),
        "add": pgettext("change", "Added"),
        "delete": pgettext("change", "Deleted"),
        "rename": pgettext("change", "Renamed"),
        "restore": pgettext("change", "Restored a version"),
        "undo": pgettext("change", "Took a change back"),
        "import": pgettext("change", "Imported"),
        "add-pictures": pgettext("change", "Added pictures"),
        "replace-picture": pgettext("change", "Replaced a picture"),
        "remove-picture": pgettext("change", "Removed a picture"),
        "describe-picture": pgettext("change", "Described a picture"),
        "use-picture": pgettext("change", "Chose a picture"),
    }
    return words.get(what, what)
