"""The limits of keys wherever entries are written: by form, source, choice, copy, or brought back."""

from __future__ import annotations

from typing import Final

from django.db.models import Sum
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from formats.lorebook.key_limits import KEYS_OF_A_BOOK, KEYS_OF_AN_ENTRY, count_keys
from formats.lorebook.model import Entry
from lorebooks.index_rows import stored_rows
from lorebooks.models import Lorebook, LorebookEntry
from lorebooks.pipeline.book_file import entry_of
from lorebooks.pipeline.books import model_of, read_entry

TOO_MANY_KEYS: Final = ("lorebook.too-many-keys-of-entry", "lorebook.too-many-keys-of-book")
"""The codes of both refusals; `where` is the field."""
FIELDS: Final = ("keys", "secondary_keys")


def refuse_masses_of_keys(
    lorebook: Lorebook, data: bytes, before: str, written: dict[str, Entry], gone: set[str]
) -> None:
    """Refuse entries that have more keys than they may; what is over a limit may stay, and become less.

    `data` is the book file before the change and `before` the print of its folder: as long as the rows
    describe it, they are asked for the numbers and the book is not read. `written` are the entries to be
    written, `gone` those that go.

    Raises:
        DomainError: `invalid`, with one of `TOO_MANY_KEYS`.
    """
    for key, entry in written.items():
        _refuse_entry(data, key, entry)
    come = sum(map(count_keys, written.values()))
    if not come:
        return
    touched = written.keys() | gone
    if LorebookEntry.objects.filter(lorebook__pk=lorebook.pk, lorebook__fingerprint=before).exists():
        left = sum(row.keys_count for row in stored_rows(lorebook, touched).values())
        if come <= left:
            return
        rows = LorebookEntry.objects.filter(lorebook=lorebook)
        count = rows.aggregate(all=Sum("keys_count"))["all"] or 0
    else:  # edited by hand a moment ago, or without an entry
        counts = {entry.source.key: count_keys(entry) for entry in model_of(data, lorebook.name).entries}
        left, count = sum(counts.get(key, 0) for key in touched), sum(counts.values())
    if come > left and count - left + come > KEYS_OF_A_BOOK:
        raise DomainError(
            "invalid",
            "lorebook.too-many-keys-of-book",
            "keys",
            gettext_noop(
                "A lorebook may have {limit} keys, and with this it would have {count}. Nothing was changed."
            ),
            gettext_noop("Split the lorebook into two, or take away keys that nobody writes."),
            {"limit": KEYS_OF_A_BOOK, "count": count - left + come},
        )


def _refuse_entry(data: bytes, key: str, entry: Entry) -> None:
    over = [name for name in FIELDS if len(getattr(entry, name)) > KEYS_OF_AN_ENTRY]
    raw = entry_of(data, key) if over else None
    stored = read_entry(key, raw) if raw is not None else None
    for name in over:
        count = len(getattr(entry, name))
        if stored is None or count > len(getattr(stored, name)):
            raise DomainError(
                "invalid",
                "lorebook.too-many-keys-of-entry",
                name,
                gettext_noop(
                    "An entry may have {limit} keys, and this one would have {count}. Nothing was changed."
                ),
                gettext_noop("Divide its keys among several entries."),
                {"limit": KEYS_OF_AN_ENTRY, "count": count},
            )
