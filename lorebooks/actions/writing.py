"""The frame of every write to a book: one locked change of its files, then the index, then the bell."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from django.utils import timezone

from formats.lorebook.model import Entry
from lorebooks import index
from lorebooks.access import refuse_unless_editor
from lorebooks.actions.keys import refuse_masses_of_keys
from lorebooks.models import Lorebook
from lorebooks.pipeline.book_file import BOOK_FILE, entries_of, entry_of, keys_of, with_entries, without
from lorebooks.pipeline.books import read_entries
from lorebooks.pipeline.entry_facts import EntryFacts, facts_of
from lorebooks.pipeline.item_file import Item, changed_item, item_bytes, read_item
from lorebooks.shelves import folder_of
from portal.models import Person
from worlds.index import standing_of as print_of
from worlds.library.files.item import ITEM_FILE
from worlds.library.room import no_longer_there, refuse_over_quota
from worlds.rules.write import moment
from worlds.store.change import Change

SITTING: Final = timedelta(minutes=10)
"""Saves of entries by one person in so much time are one step of the history."""


@dataclass(slots=True)
class Draft:
    """The entries of a book inside a change: what is put or taken away is written when its block ends."""

    change: Change
    data: bytes
    put: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    models: dict[str, Entry] = field(default_factory=dict)  # of `put`, where they were made as models
    moved: set[str] = field(default_factory=set)  # entries whose section changed, not themselves
    item: Item | None = None

    def entry(self, key: str) -> dict[str, Any] | None:
        """One entry's object as it stands."""
        return entry_of(self.data, key)

    def entries(self, keys: Collection[str]) -> dict[str, dict[str, Any]]:
        """Several entries' objects; those that are not there are left out."""
        return entries_of(self.data, keys)

    def all_keys(self) -> list[str]:
        """The keys of all entries, in the order of the file."""
        return keys_of(self.data)

    def read_item(self) -> Item:
        """`item.json` as it stands."""
        return self.item or read_item(self.change.read(ITEM_FILE))

    def written(self) -> dict[str, Entry]:
        """The entries that are put, as models."""
        put = {key: raw for key, raw in self.put.items() if key not in self.gone}
        self.models |= read_entries({key: raw for key, raw in put.items() if key not in self.models})
        return {key: self.models[key] for key in put}

    def facts(self) -> dict[str, EntryFacts]:
        """What the index will say of the entries that are put."""
        return {key: facts_of(entry, self.put[key]) for key, entry in self.written().items()}

    def apply(self) -> bytes:
        """The book's bytes afterwards."""
        data = with_entries(self.data, self.put) if self.put else self.data
        return without(data, self.gone) if self.gone else data


@contextmanager
def changing(*, actor: Person, lorebook: Lorebook, what: str, note: str = "") -> Iterator[Change]:
    """One change of any files of a book; afterwards the whole book is indexed again.

    `lorebook` is brought up to date in place. Raises DomainError as `ItemFolder.change`, and
    `not-found` or `forbidden` for an actor who may not edit it.
    """
    refuse_unless_editor(actor, lorebook)
    with folder_of(lorebook).change(by=actor.handle, what=what, note=note[:200]) as change:
        yield change
    fresh = index.index_lorebook(lorebook.owner, lorebook.pk)
    if fresh is None:
        raise no_longer_there(lorebook.name)
    lorebook.refresh_from_db()


@contextmanager
def changing_entries(
    *, actor: Person, lorebook: Lorebook, what: str, note: str = "", fold: timedelta | None = None
) -> Iterator[Draft]:
    """One change of some entries; afterwards only their rows are written, whatever the book's size.

    Raises as `changing`, and `invalid` for more keys than an entry or a book may have.
    """
    refuse_unless_editor(actor, lorebook)
    folder = folder_of(lorebook)
    with folder.change(by=actor.handle, what=what, note=note[:200], fold=fold) as change:
        draft = Draft(change, change.read(BOOK_FILE))
        before = print_of(folder.path).fingerprint
        yield draft
        refuse_masses_of_keys(lorebook, draft.data, before, draft.written(), draft.gone)
        data = draft.apply()
        refuse_over_quota(lorebook.owner, len(data) - len(draft.data))
        etag = change.write(BOOK_FILE, data) if draft.put or draft.gone else ""
        if draft.item is not None:
            change.write(ITEM_FILE, item_bytes(draft.item))
    index.follow_entries(
        lorebook,
        before=before,
        data=data,
        etag=etag,
        changed=draft.facts(),
        moved=draft.moved,
        gone=draft.gone,
    )
    lorebook.refresh_from_db()


def rewrite_item(change: Change, **fields: Any) -> Item:
    """`item.json` with fields replaced, and the time. Raises DomainError `invalid` naming the field."""
    item = changed_item(read_item(change.read(ITEM_FILE)), **fields, updated_at=moment(timezone.now()))
    change.write(ITEM_FILE, item_bytes(item))
    return item
