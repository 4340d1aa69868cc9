"""Entries of a book: saved one by one as they are typed, added, deleted, and changed many at a time."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.translation import gettext_noop

from formats.errors import DomainError
from formats.lorebook.model import Entry
from formats.text.tokens import count_tokens
from lorebooks.actions.writing import SITTING, Draft, changing_entries
from lorebooks.models import Lorebook
from lorebooks.pipeline.book_file import free_key
from lorebooks.pipeline.books import etag_of_entry, raw_of, raws_of, read_entries, read_entry
from lorebooks.pipeline.entry_fields import fields_of, with_fields
from lorebooks.shelves import no_such_entry
from portal.models import Person

MOST_ENTRIES: Final = 10_000


@dataclass(frozen=True, slots=True)
class Saved:
    """One entry as it is after a save."""

    key: str
    etag: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Deleted:
    """How many entries went, and the change by which they did: `put_back_entries` undoes it."""

    count: int
    change_id: str


class EntryConflict(DomainError):
    """The entry was changed by somebody else meanwhile; nothing was written.

    `theirs` and `yours` are the fields by their flat names, `etag` is what to save over theirs with.
    """

    def __init__(self, key: str, etag: str, theirs: Mapping[str, Any], yours: Mapping[str, Any]) -> None:
        self.etag, self.theirs, self.yours = etag, dict(theirs), {**theirs, **yours}
        super().__init__(
            "conflict",
            "lorebook.entry-changed",
            key[:200],
            gettext_noop("This entry was changed by someone else meanwhile. Nothing was overwritten."),
            gettext_noop("Compare the two, then save yours or take theirs."),
            {"etag": etag},
        )


def save_entry(
    *, actor: Person, lorebook: Lorebook, key: str, fields: Mapping[str, Any], if_match: str
) -> Saved:
    """Save some fields of one entry, by the flat names of `entry_fields`; the rest stays as it is.

    `if_match` is the ETag with which the entry was read. The same save tried again, whose answer was lost, is
    accepted. Saves of one sitting are one step of the history.

    Raises:
        EntryConflict: it is another entry by now.
        DomainError: `not-found`, it is gone; `invalid` for a field; as `ItemFolder.change`.
    """
    with changing_entries(actor=actor, lorebook=lorebook, what="autosave", note=key, fold=SITTING) as draft:
        raw = draft.entry(key)
        if raw is None:
            raise no_such_entry(key)
        stored = read_entry(key, raw)
        entry = with_fields(stored, fields)
        written = raw_of(entry) if entry != stored else raw
        if written != raw and etag_of_entry(raw) != if_match:
            raise EntryConflict(key, etag_of_entry(raw), fields_of(stored), fields)
        if written != raw:
            draft.put[key] = written
    return Saved(key, etag_of_entry(written), count_tokens(entry.content))


def add_entry(*, actor: Person, lorebook: Lorebook, fields: Mapping[str, Any], section: str = "") -> Saved:
    """A new entry at the end of the book. Raises `full` where a book has as many as it may."""
    with changing_entries(actor=actor, lorebook=lorebook, what="add") as draft:
        keys = draft.all_keys()
        entry = with_fields(_blank(keys), fields)
        return _put_new(draft, keys, entry, section)


def duplicate_entry(*, actor: Person, lorebook: Lorebook, key: str) -> Saved:
    """The same entry once more, at the end of the book and in the same section."""
    with changing_entries(actor=actor, lorebook=lorebook, what="add", note=key) as draft:
        raw = draft.entry(key)
        if raw is None:
            raise no_such_entry(key)
        keys = draft.all_keys()
        entry = read_entry(key, raw)
        return _put_new(draft, keys, entry, draft.read_item().section_of().get(key, ""))


def delete_entries(*, actor: Person, lorebook: Lorebook, keys: Collection[str]) -> Deleted:
    """Take entries out of the book. The book as it was is kept in its history."""
    with changing_entries(actor=actor, lorebook=lorebook, what="delete") as draft:
        gone = [key for key in draft.all_keys() if key in set(keys)]
        draft.gone.update(gone)
        item = draft.read_item()
        if not draft.gone.isdisjoint(item.section_of()):
            draft.item = item.with_placed(gone, "")
    return Deleted(len(gone), draft.change.id)


def bulk_edit(
    *,
    actor: Person,
    lorebook: Lorebook,
    keys: Collection[str],
    enabled: bool | None = None,
    section: str | None = None,
    order_by: float = 0,
) -> int:
    """Change many entries as one step of the history; how many of `keys` are in the book.

    Args:
        actor: who does it.
        lorebook: the book.
        keys: of the entries; those that are gone meanwhile are passed over.
        enabled: switch them on or off; None leaves them.
        section: put them into this section; "" takes them out of theirs, None leaves them.
        order_by: add this to their order.
    """
    with changing_entries(actor=actor, lorebook=lorebook, what="bulk") as draft:
        wanted = set(keys)
        there = [key for key in draft.all_keys() if key in wanted]
        if enabled is not None or order_by:
            _rewrite(draft, there, enabled, order_by)
        if section is not None:
            item = draft.read_item()
            if section and section not in {known.id for known in item.sections}:
                raise _no_such_section(section)
            draft.item = item.with_placed(there, section)
            draft.moved.update(there)
    return len(there)


def _rewrite(draft: Draft, keys: list[str], enabled: bool | None, order_by: float) -> None:
    def changed(entry: Entry) -> Entry:
        return replace(
            entry,
            enabled=entry.enabled if enabled is None else enabled,
            insertion_order=entry.insertion_order + order_by if order_by else entry.insertion_order,
        )

    entries = read_entries(draft.entries(keys)).items()
    draft.models.update({key: new for key, entry in entries if (new := changed(entry)) != entry})
    draft.put.update(raws_of(draft.models.values()))


def _blank(keys: list[str]) -> Entry:
    key = free_key(keys)
    return read_entry(key, {"uid": int(key), "addMemo": True})


def _put_new(draft: Draft, keys: list[str], entry: Entry, section: str) -> Saved:
    if len(keys) >= MOST_ENTRIES:
        raise _too_many()
    key = free_key(keys)
    source = replace(entry.source, key=key)
    raw = raw_of(replace(entry, uid=int(key), source=source))
    draft.put[key] = raw
    if section:
        item = draft.read_item()
        if section not in {known.id for known in item.sections}:
            raise _no_such_section(section)
        draft.item = item.with_placed([key], section)
    return Saved(key, etag_of_entry(raw), count_tokens(entry.content))


def _too_many() -> DomainError:
    return DomainError(
        "full",
        "lorebook.too-many-entries",
        "",
        gettext_noop("A lorebook holds at most {count} entries. Nothing was added."),
        gettext_noop("Delete some, or begin another book; a world can attach several."),
        {"count": MOST_ENTRIES},
    )


def _no_such_section(section: str) -> DomainError:
    return DomainError(
        "not-found",
        "lorebook.no-such-section",
        section[:200],
        gettext_noop("This section is not there any more. Nothing was changed."),
    )
