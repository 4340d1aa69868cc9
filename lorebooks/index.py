"""From a book's folder to its rows: the one way by which the index is written.

A whole book is read when it is new, was edited by hand, or much of it changed. After a save of some entries
only their rows are written (`follow_entries`), which takes the same time in a book of any size.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from formats.errors import DomainError
from formats.lorebook.javascript import is_index
from formats.lorebook.model import Entry, WorldBook
from formats.text.names import compared
from formats.text.tokens import count_tokens
from lorebooks.models import Lorebook, LorebookEntry
from lorebooks.pipeline.book_file import BOOK_FILE, entries_of
from lorebooks.pipeline.books import (
    etag_of_entry,
    hash_of_entry,
    hash_of_settings,
    model_of,
    read_entries,
    replaced_in_sum,
    sum_of_hashes,
)
from lorebooks.pipeline.import_report import REPORT, read_report
from lorebooks.pipeline.item_file import ITEM_FILE, Item, read_item
from lorebooks.shelves import folder_at
from portal import bell
from portal.models import Person
from worlds.index import Standing
from worlds.index import standing_of as print_of
from worlds.library.room import no_longer_there
from worlds.store.etags import digest_of, etag_of
from worlds.store.folder import ItemFolder
from worlds.store.space import bytes_below

BATCH: Final = 500
MOST_ORDER: Final = 1e15  # a file may hold numbers that no column does


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


def index_lorebook(owner: Person, lorebook_id: str) -> Lorebook | None:
    """Read a book's folder and write its rows; `None`, and no row, when the folder is gone.

    Raises:
        DomainError: `invalid`, a file of it cannot be read; the rows stay as they were.
    """
    folder = folder_at(owner, lorebook_id)
    lorebook = None
    for last in (False, False, True):
        read = _read(folder)
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
    changed: Collection[str],
    gone: Collection[str] = (),
) -> Lorebook:
    """Bring the rows of some entries in step after a save.

    `before` is the print of the folder before it, `data` what the book file was made, `etag` its ETag (empty:
    it was left as it was). The whole book is read instead when the rows did not describe what was there
    before, somebody wrote meanwhile, or so much changed that the database would be locked for long.
    """
    folder = folder_at(lorebook.owner, lorebook.pk)
    if len(changed) > BATCH:
        return _all_again(lorebook)
    with transaction.atomic():
        row = Lorebook.objects.select_for_update().select_related("owner").filter(pk=lorebook.pk).first()
        seen = folder.consistently(lambda: _look(folder)) if row and folder.path.is_dir() else None
        alone = row is not None and seen is not None and row.fingerprint == before and seen.data == data
        if row and seen and alone and _stays_in_order(row, changed):
            row.book_etag = etag or row.book_etag
            _follow(row, folder, seen, changed, gone)
            bell.ring(f"item:{row.pk}")
            return row
    return _all_again(lorebook)


def _all_again(lorebook: Lorebook) -> Lorebook:
    fresh = index_lorebook(lorebook.owner, lorebook.pk)
    if fresh is None:
        raise no_longer_there(lorebook.name)
    return fresh


def _read(folder: ItemFolder) -> Read | None:
    """Everything the rows of a book say, computed before any row is locked; None without a folder."""
    if not folder.path.is_dir():
        return None
    seen = folder.consistently(lambda: _look(folder))
    model = model_of(seen.data, seen.item.name or folder.id)
    sections = seen.item.section_of()
    rows = {row.key: row for row in (_row(*numbered, sections) for numbered in enumerate(model.entries))}
    return Read(folder.id, seen, _fields(folder, seen, model, list(rows.values())), list(rows.values()))


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


def _fields(folder: ItemFolder, seen: Seen, model: WorldBook, rows: list[LorebookEntry]) -> dict[str, Any]:
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
        "content_hash": sum_of_hashes(
            [hash_of_settings(model.settings), *(row.content_hash for row in rows)]
        ),
        "source_kind": seen.item.source.kind,
        "source_format": seen.item.source.format[:40],
        "problems": seen.problems,
        "size": bytes_below(folder.path),
        "book_etag": etag_of(digest_of(seen.data)),
        "fingerprint": seen.standing.fingerprint,
        "created_at": _time(seen.item.created_at) or seen.standing.changed_at,
        "updated_at": seen.standing.changed_at,
    }


def _is_always(row: LorebookEntry) -> bool:
    return row.strategy == LorebookEntry.Strategy.ALWAYS


def _row(number: int, entry: Entry, sections: dict[str, str]) -> LorebookEntry:
    key = entry.source.key
    title = storable(" ".join(entry.comment[:2000].split()) or ", ".join(entry.keys)[:300])[:300]
    searched = "\n".join((entry.comment, *entry.keys, *entry.secondary_keys, entry.content))
    return LorebookEntry(
        key=storable(key)[:300],
        position=number,
        title=title,
        title_key=compared(title)[:300],
        words=storable(compared(searched)),
        enabled=entry.enabled,
        strategy=entry.strategy,
        order=float(max(-MOST_ORDER, min(MOST_ORDER, entry.insertion_order))),
        place=entry.position,
        keys_count=len(entry.keys),
        tokens=count_tokens(entry.content),
        section=sections.get(key, "")[:200],
        etag=etag_of_entry(entry.source.raw),
        content_hash=hash_of_entry(entry),
    )


def _write_rows(lorebook: Lorebook, wanted: list[LorebookEntry]) -> None:
    """Bring the rows of a book to `wanted`, writing only what differs; an unchanged entry keeps its time."""
    stored = {row.key: row for row in LorebookEntry.objects.filter(lorebook=lorebook).defer("words")}
    _keep_places(stored, wanted)
    kept = [row for row in wanted if row.key in stored and stored[row.key].etag == row.etag]
    same = {row.key for row in kept}
    LorebookEntry.objects.filter(pk__in=[row.pk for key, row in stored.items() if key not in same]).delete()
    new = [row for row in wanted if row.key not in same]
    for row in new:
        row.lorebook, row.changed_at = lorebook, lorebook.updated_at
    LorebookEntry.objects.bulk_create(new, batch_size=BATCH)
    moved = []
    for row in kept:
        there = stored[row.key]
        if (there.position, there.section) != (row.position, row.section):
            there.position, there.section = row.position, row.section
            moved.append(there)
    LorebookEntry.objects.bulk_update(moved, ["position", "section"], batch_size=BATCH)


def _keep_places(stored: Mapping[str, LorebookEntry], wanted: list[LorebookEntry]) -> None:
    """Number new entries after those that are there, where that is their order: gaps are no disorder."""
    places = [stored[row.key].position for row in wanted if row.key in stored]
    known = len(places)
    if any(row.key not in stored for row in wanted[:known]) or sorted(set(places)) != places:
        return
    free = places[-1] + 1 if places else 0
    for row, place in zip(wanted, (*places, *range(free, free + len(wanted) - known)), strict=True):
        row.position = place


def _follow(
    row: Lorebook, folder: ItemFolder, seen: Seen, changed: Collection[str], gone: Collection[str]
) -> None:
    touched = [*changed, *gone]
    before = {old.key: old for old in _rows_of(row, touched)}
    last = _last_row(row)
    free = last.position + 1 if last else 0
    sections = seen.item.section_of()
    now = seen.standing.changed_at
    after: list[LorebookEntry] = []
    entries = read_entries(entries_of(seen.data, changed))
    for number, (key, entry) in enumerate(entries.items()):
        old = before.get(key)
        fresh = _row(old.position if old else free + number, entry, sections)
        fresh.lorebook, fresh.changed_at = row, now
        if old and old.etag == fresh.etag:
            fresh.changed_at = old.changed_at
        after.append(fresh)
    LorebookEntry.objects.filter(pk__in=[old.pk for old in before.values()]).delete()
    LorebookEntry.objects.bulk_create(after, batch_size=BATCH)
    _keep_totals(row, before.values(), after)
    row.fingerprint, row.updated_at, row.size = seen.standing.fingerprint, now, bytes_below(folder.path)
    row.save()


def _stays_in_order(row: Lorebook, changed: Collection[str]) -> bool:
    """Whether new entries come last: whole-number keys stand in their order before all others.

    An entry that was deleted and is put back is new too, and has its old place among them.
    """
    last = _last_row(row)
    if last is None:
        return True
    known = {old.key for old in _rows_of(row, list(changed))}
    new = [key for key in changed if key not in known]
    if not is_index(last.key):
        return not new
    return all(not is_index(key) or int(key) > int(last.key) for key in new)


def _last_row(row: Lorebook) -> LorebookEntry | None:
    return LorebookEntry.objects.filter(lorebook=row).defer("words").order_by("-position").first()


def _rows_of(lorebook: Lorebook, keys: list[str]) -> Iterator[LorebookEntry]:
    for start in range(0, len(keys), BATCH):
        yield from LorebookEntry.objects.filter(lorebook=lorebook, key__in=keys[start : start + BATCH]).defer(
            "words"
        )


def _keep_totals(row: Lorebook, before: Iterable[LorebookEntry], after: list[LorebookEntry]) -> None:
    """The sums of the book's row after some of its entries were replaced."""
    old = list(before)
    for sign, rows in ((-1, old), (1, after)):
        on = [entry for entry in rows if entry.enabled]
        row.entries_total += sign * len(rows)
        row.entries_on += sign * len(on)
        row.tokens_total += sign * sum(entry.tokens for entry in on)
        row.tokens_always += sign * sum(entry.tokens for entry in on if _is_always(entry))
    row.content_hash = replaced_in_sum(
        row.content_hash, [entry.content_hash for entry in old], [entry.content_hash for entry in after]
    )


def storable(text: str) -> str:
    """A text as every database takes it: no half characters, no NUL."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")


def _time(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
