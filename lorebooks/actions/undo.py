"""Bringing back what a change replaced: deleted entries, or the whole book as it was before."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from formats.errors import DomainError
from lorebooks.actions.entries import MOST_ENTRIES
from lorebooks.actions.versions import Restored, bring_back
from lorebooks.actions.writing import changing, changing_entries
from lorebooks.models import Lorebook
from lorebooks.pipeline.book_file import BOOK_FILE, entries_of, keys_of
from lorebooks.pipeline.item_file import read_item
from lorebooks.shelves import folder_of
from portal.models import Person
from worlds.library.files.item import ITEM_FILE
from worlds.store.folder import ItemFolder


def put_back_entries(*, actor: Person, lorebook: Lorebook, change_id: str) -> int:
    """Put back the entries that a change took away, into their sections; what was written since stays.

    Raises:
        DomainError: `not-found`, its former bytes are not kept any more; `full`.
    """
    folder = folder_of(lorebook)
    record = folder.recorded(change_id)
    former = folder.former(change_id, BOOK_FILE)
    with changing_entries(actor=actor, lorebook=lorebook, what="put-back", note=change_id) as draft:
        there = draft.all_keys()
        gone = [key for key in keys_of(former) if key not in set(there)]
        if len(there) + len(gone) > MOST_ENTRIES:
            raise DomainError(
                "full",
                "lorebook.too-many-entries",
                "",
                gettext_noop("A lorebook holds at most {count} entries. Nothing was added."),
                args={"count": MOST_ENTRIES},
            )
        draft.put.update(entries_of(former, gone))
        if gone and ITEM_FILE in record.changed:
            before = read_item(folder.former(change_id, ITEM_FILE)).section_of()
            item = draft.read_item()
            for section in item.sections:
                keys = [key for key in gone if before.get(key) == section.id]
                item = item.with_placed(keys, section.id) if keys else item
            draft.item = item
    return len(gone)


def restore_former(*, actor: Person, lorebook: Lorebook, change_id: str) -> Restored:
    """Make the book what it was before a change of its history, its sections too.

    Raises:
        DomainError: `not-found`, no bytes of then are kept; `invalid` for a file a hand has spoilt; `full`.
    """
    folder = folder_of(lorebook)
    if (
        ITEM_FILE in folder.recorded(change_id).changed
    ):  # of a change of sections alone, the book is as it was
        data = _before(folder, change_id, BOOK_FILE)
    else:
        data = folder.former(change_id, BOOK_FILE)
    then = read_item(_before(folder, change_id, ITEM_FILE))
    with changing(actor=actor, lorebook=lorebook, what="restore", note=change_id) as change:
        return bring_back(lorebook, change, data, then)


def _before(folder: ItemFolder, change_id: str, path: str) -> bytes:
    """What a file was before a change: what the first change since that wrote it replaced."""
    place = ""
    for record in folder.history():
        if path in record.changed:
            place = record.id
        if record.id == change_id:
            break
    return folder.former(place, path) if place else folder.read(path)
