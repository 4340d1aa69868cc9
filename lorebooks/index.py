"""From a book's folder to its rows: the one way by which the index is written.

A whole book is read when it is new or was edited by hand. After a save of some entries
only their rows are written (`follow_entries`), which takes the same time in a book of any size.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from formats.errors import DomainError
from formats.lorebook.javascript import is_index
from formats.lorebook.model import WorldBook
from formats.text.names import compared
from lorebooks.index_rows import Stored, insert_rows, stored_rows, update_rows
from lorebooks.models import Lorebook, LorebookEntry
from lorebooks.pipeline.book_file import BOOK_FILE
from lorebooks.pipeline.books import (
    content_hash,
    head_model,
    model_of,
    replaced_in_sum,
)
from lorebooks.pipeline.entry_facts import EntryFacts, facts_of, read_facts, storable
from lorebooks.pipeline.import_report import read_report
from lorebooks.pipeline.item_file import Item, read_item
from lorebooks.shelves import folder_at
from portal import bell
from portal.models import Person
from worlds.index import Standing
from worlds.index import standing_of as print_of
from worlds.library.files.import_report import REPORT
from worlds.library.files.item import ITEM_FILE
from worlds.library.room import no_longer_there
from worlds.store.etags import digest_of, etag_of
from worlds.store.folder import ItemFolder
from worlds.store.space import bytes_below

PLACE: Final = ("position", "section")


@dataclass(frozen=True, slots=True)
class Seen:
    """A folder at one moment."""

    standing: Standing
    item: Item
    data: bytes
    problems: int


@dataclass(frozen=True, slots=True)
class Read:
    """A folder read in full: the columns of its row, and its entries' rows."""

    id: str
    seen: Seen
    fields: dict[str, Any]
    rows: list[LorebookEntry]


def index_lorebook(owner: Person, lorebook_id: str, facts: bytes = b"") -> Lorebook | None:
    """Read a book's folder and write its rows; `None`, and no row, when the folder is gone.

    `facts` is what a child found in the same book file (`entry_facts`): then its entries are not read again.

    Raises:
        DomainError: `invalid`, a file of it cannot be read; the rows stay as they were.
    """
    folder = folder_at(owner, lorebook_id)
    lorebook = None
    for last in (False, False, True):
        read = _read(folder, facts)
        with transaction.atomic():
            # The row is the lock: of two that index at once, the second sees that the first was later.
            Lorebook.objects.select_for_update().filter(pk=lorebook_id).first()
            if read is None:
                Lorebook.objects.filter(pk=lorebook_id, owner=owner).delete()
                return None
            if not last and print_of(folder.path).fingerprint != read.seen.standing.fingerprint:
                continue
            lorebook = _written(owner, read)
            break
    bell.ring(f"item:{lorebook_id}")
    return lorebook


def follow_entries(
    lorebook: Lorebook,
    *,
    before: str,
    data: bytes,
    etag: str,
    changed: Mapping[str, EntryFacts],
    moved: Collection[str] = (),
    gone: Collection[str] = (),
) -> Lorebook:
    """Bring the rows of some entries in step after a save.

    `before` is the print of the folder before it, `data` what the book file was made, `etag` its ETag (empty:
    it was left as it was). `moved` entries are in another section. The whole book is read instead when the
    rows did not describe what was there before, or somebody wrote meanwhile.
    """
    folder = folder_at(lorebook.owner, lorebook.pk)
    with transaction.atomic():
        row = Lorebook.objects.select_for_update().select_related("owner").filter(pk=lorebook.pk).first()
        seen = folder.consistently(lambda: _look(folder)) if row and folder.path.is_dir() else None
        if row and seen and row.fingerprint == before and seen.data == data:
            there = stored_rows(row, {*changed, *moved, *gone})
            if _stays_in_order(row, changed.keys() - there.keys()):
                row.book_etag = etag or row.book_etag
                _follow(row, folder, seen, there, changed, gone)
                bell.ring(f"item:{row.pk}")
                return row
    return _all_again(lorebook)


def _all_again(lorebook: Lorebook) -> Lorebook:
    fresh = index_lorebook(lorebook.owner, lorebook.pk)
    if fresh is None:
        raise no_longer_there(lorebook.name)
    return fresh


def _read(folder: ItemFolder, given: bytes) -> Read | None:
    """Everything the rows of a book say, computed before any row is locked; None without a folder."""
    if not folder.path.is_dir():
        return None
    seen = folder.consistently(lambda: _look(folder))
    name = seen.item.name or folder.id
    facts = read_facts(given, seen.data) if given else None
    if facts is None:
        head = model_of(seen.data, name)
        facts = [facts_of(entry, entry.source.raw) for entry in head.entries]
    else:
        head = head_model(seen.data, name)
    sections = seen.item.section_of()
    rows = {one.key: _row(one, number, sections) for number, one in enumerate(facts)}
    return Read(folder.id, seen, _fields(folder, seen, head, list(rows.values())), list(rows.values()))


def _written(owner: Person, read: Read) -> Lorebook:
    lorebook, _made = Lorebook.objects.update_or_create(
        pk=read.id,
        defaults={"owner": owner, **read.fields},
        create_defaults={"owner": owner, "used_at": timezone.now(), **read.fields},
    )
    _write_rows(lorebook, read.rows)
    return lorebook


def _look(folder: ItemFolder) -> Seen:
    problems = 0
    if folder.has(REPORT):
        try:
            problems = read_report(folder.read(REPORT)).problems
        except DomainError as error:
            if error.kind != "invalid":
                raise
    item, data = read_item(folder.read(ITEM_FILE)), folder.read(BOOK_FILE)
    return Seen(print_of(folder.path), item, data, problems)


def _fields(
    folder: ItemFolder, seen: Seen, model: WorldBook, rows: Sequence[LorebookEntry]
) -> dict[str, Any]:
    name = storable(seen.item.name.strip()) or folder.id
    on = [row for row in rows if row.enabled]
    return {
        "name": name[:300],
        "name_key": compared(name)[:300],
        "description": storable(" ".join(model.description[:2000].split()))[:300],
        "language": seen.item.language[:40],
        "tags": [storable(tag) for tag in seen.item.tags],
        "entries_total": len(rows),
        "entries_on": len(on),
        "tokens_total": sum(row.tokens for row in on),
        "tokens_always": sum(row.tokens for row in on if _is_always(row)),
        "content_hash": content_hash(model.settings, (row.content_hash for row in rows)),
        "source_kind": seen.item.source.kind,
        "source_format": seen.item.source.format[:40],
        "problems": seen.problems,
        "size": bytes_below(folder.path),
        "book_etag": etag_of(digest_of(seen.data)),
        "fingerprint": seen.standing.fingerprint,
        "created_at": _time(seen.item.created_at) or seen.standing.changed_at,
        "updated_at": seen.standing.changed_at,
    }


def _is_always(row: LorebookEntry | Stored) -> bool:
    return row.strategy == LorebookEntry.Strategy.ALWAYS


def _row(facts: EntryFacts, position: int, sections: Mapping[str, str]) -> LorebookEntry:
    section = sections.get(facts.key, "")[:200]
    return LorebookEntry(position=position, section=section, **facts._asdict())


def _placed(old: Stored, sections: Mapping[str, str]) -> LorebookEntry:
    return LorebookEntry(pk=old.pk, position=old.position, section=sections.get(old.key, "")[:200])


def _write_rows(lorebook: Lorebook, wanted: Sequence[LorebookEntry]) -> None:
    """Bring the rows of a book to `wanted`, writing only what differs; an unchanged entry keeps its time."""
    stored = stored_rows(lorebook)
    _keep_places(stored, wanted)
    new, changed, placed = [], [], []
    for row in wanted:
        there = stored.get(row.key)
        row.lorebook, row.changed_at = lorebook, lorebook.updated_at
        if there is None:
            new.append(row)
            continue
        row.pk = there.pk
        if there.etag != row.etag:
            changed.append(row)
        elif there.keys_count != row.keys_count:  # counted otherwise by an earlier version of this
            row.changed_at = there.changed_at
            changed.append(row)
        elif (there.position, there.section) != (row.position, row.section):
            placed.append(row)
    _delete(stored[key] for key in stored.keys() - {row.key for row in wanted})
    insert_rows(new)
    update_rows(changed)
    update_rows(placed, PLACE)


def _delete(rows: Iterable[Stored]) -> None:
    LorebookEntry.objects.filter(pk__in=[row.pk for row in rows]).delete()


def _keep_places(stored: Mapping[str, Stored], wanted: Sequence[LorebookEntry]) -> None:
    """Number new entries after those that are there, where that is their order: gaps are no disorder."""
    places = [stored[row.key].position for row in wanted if row.key in stored]
    known = len(places)
    if any(row.key not in stored for row in wanted[:known]) or sorted(set(places)) != places:
        return
    free = places[-1] + 1 if places else 0
    for row, place in zip(wanted, (*places, *range(free, free + len(wanted) - known)), strict=True):
        row.position = place


def _follow(
    row: Lorebook,
    folder: ItemFolder,
    seen: Seen,
    there: Mapping[str, Stored],
    changed: Mapping[str, EntryFacts],
    gone: Collection[str],
) -> None:
    """`there` are the rows of all entries that were touched."""
    last = _last_row(row)
    free = last.position + 1 if last else 0
    sections = seen.item.section_of()
    after: list[LorebookEntry] = []
    for number, (key, facts) in enumerate(changed.items()):
        old = there.get(key)
        fresh = _row(facts, old.position if old else free + number, sections)
        fresh.lorebook, fresh.pk = row, old.pk if old else None
        fresh.changed_at = old.changed_at if old and old.etag == fresh.etag else seen.standing.changed_at
        after.append(fresh)
    insert_rows([fresh for fresh in after if fresh.pk is None])
    update_rows([fresh for fresh in after if fresh.pk is not None])
    replaced = [old for key, old in there.items() if key in changed or key in gone]
    moved = [old for key, old in there.items() if key not in changed and key not in gone]
    update_rows([_placed(old, sections) for old in moved], PLACE)
    _delete(there[key] for key in gone if key in there)
    _keep_totals(row, replaced, after)
    row.fingerprint, row.updated_at = seen.standing.fingerprint, seen.standing.changed_at
    row.size = bytes_below(folder.path)
    row.save()


def _stays_in_order(row: Lorebook, new: Collection[str]) -> bool:
    """Whether new entries come last: whole-number keys stand in their order before all others.

    An entry that was deleted and is put back is new too, and has its old place among them.
    """
    last = _last_row(row)
    if last is None:
        return True
    if not is_index(last.key):
        return not new
    return all(not is_index(key) or int(key) > int(last.key) for key in new)


def _last_row(row: Lorebook) -> LorebookEntry | None:
    return LorebookEntry.objects.filter(lorebook=row).defer("words").order_by("-position").first()


def _keep_totals(row: Lorebook, old: Sequence[Stored], after: Sequence[LorebookEntry]) -> None:
    """The sums of the book's row after some of its entries were replaced."""
    sides: tuple[tuple[int, Sequence[Stored | LorebookEntry]], ...] = ((-1, old), (1, after))
    for sign, rows in sides:
        on = [entry for entry in rows if entry.enabled]
        row.entries_total += sign * len(rows)
        row.entries_on += sign * len(on)
        row.tokens_total += sign * sum(entry.tokens for entry in on)
        row.tokens_always += sign * sum(entry.tokens for entry in on if _is_always(entry))
    row.content_hash = replaced_in_sum(
        row.content_hash, [entry.content_hash for entry in old], [entry.content_hash for entry in after]
    )


def _time(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
