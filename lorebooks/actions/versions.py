"""Versions that somebody wanted to keep: the book's bytes under a number, until the book goes."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from lorebooks.actions.writing import changing, changing_entries, rewrite_item
from lorebooks.models import Lorebook
from lorebooks.pipeline.book_file import BOOK_FILE, keys_of, read_book_file
from lorebooks.pipeline.item_file import ITEM, Item, Version, item_bytes, read_item
from portal.models import Person
from worlds.library.files.item import ITEM_FILE, LONGEST_NOTE, MOST_VERSIONS, next_number
from worlds.library.room import refuse_over_quota
from worlds.rules.write import moment
from worlds.store.change import Change
from worlds.store.etags import ABSENT


@dataclass(frozen=True, slots=True)
class Restored:
    """What bringing back did: by which change, whether anything was otherwise before, and whether the
    sections are those of then as well."""

    change_id: str
    changed: bool
    with_sections: bool


def keep_version(*, actor: Person, lorebook: Lorebook, note: str = "") -> int:
    """Keep the book as it is now; gives the version's number.

    Raises:
        DomainError: `full` without room, or with as many versions as a book may have.
    """
    with changing_entries(actor=actor, lorebook=lorebook, what="version", note=note) as draft:
        change, data = draft.change, draft.data
        item = read_item(change.read(ITEM_FILE))
        if len(item.versions) >= MOST_VERSIONS:
            raise DomainError(
                "full",
                "lorebook.too-many-versions",
                "",
                gettext_noop("A lorebook keeps at most {count} versions. Nothing was changed."),
                gettext_noop("Duplicate the book to begin a new row of versions."),
                {"count": MOST_VERSIONS},
            )
        refuse_over_quota(lorebook.owner, len(data))
        number = next_number(item.versions)
        version = Version(
            number=number,
            at=moment(timezone.now()),
            by=actor.username,
            note=note[:LONGEST_NOTE],
            entries=len(keys_of(data)),
        )
        change.write(version.path, data, if_match=ABSENT)
        change.write(version.sections_path, item_bytes(Item(sections=item.sections)), if_match=ABSENT)
        rewrite_item(change, versions=[kept.model_dump() for kept in (*item.versions, version)])
    return number


def restore_version(*, actor: Person, lorebook: Lorebook, number: int) -> Restored:
    """Make the book what it was in a version, its sections too; what it is now goes into its history.

    Raises:
        DomainError: `not-found`; `invalid` when a hand has spoilt the version's file.
    """
    with changing(actor=actor, lorebook=lorebook, what="restore", note=str(number)) as change:
        item = read_item(change.read(ITEM_FILE))
        version = ITEM.version_in(item.versions, number)
        kept = version.sections_path
        then = read_item(change.read(kept)) if change.has(kept) else None
        return bring_back(lorebook, change, change.read(version.path), then)


def bring_back(lorebook: Lorebook, change: Change, data: bytes, then: Item | None) -> Restored:
    """Write a former book, and its sections as they were `then`; where nobody knows them, those of now stay.

    Raises:
        DomainError: `invalid` for a book that a hand has spoilt; `full`.
    """
    read_book_file(data)
    refuse_over_quota(lorebook.owner, len(data))
    item = read_item(change.read(ITEM_FILE))
    placed = item.with_sections((then or item).sections, keys_of(data))
    changed = placed != item or data != change.read(BOOK_FILE)
    change.write(BOOK_FILE, data)
    if placed != item:
        change.write(ITEM_FILE, item_bytes(placed))
    return Restored(change.id, changed, then is not None or not item.sections)
