"""One entry saved as the object that the file holds, for those who know the format."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext_noop

from formats.errors import DomainError
from formats.lorebook.diagnostics import LorebookError
from formats.stable_json import read_json
from formats.text.tokens import count_tokens
from lorebooks.actions.entries import EntryConflict, Saved
from lorebooks.actions.writing import SITTING, changing_entries
from lorebooks.models import Lorebook
from lorebooks.pipeline.books import etag_of_entry, read_entry
from lorebooks.pipeline.entry_fields import fields_of
from lorebooks.shelves import no_such_entry
from portal.models import Person

LONGEST_SOURCE: Final = 1_000_000


def save_entry_source(*, actor: Person, lorebook: Lorebook, key: str, text: str, if_match: str) -> Saved:
    """Save an entry as JSON, unknown fields and all. A step of the history as `save_entry`.

    Raises:
        EntryConflict: it is another entry by now.
        DomainError: `invalid` for text that is no JSON object; `not-found`; as `ItemFolder.change`.
    """
    written = object_of(text)
    try:
        entry = read_entry(key, written)
    except LorebookError as error:
        raise _no_entry() from error
    with changing_entries(actor=actor, lorebook=lorebook, what="autosave", note=key, fold=SITTING) as draft:
        raw = draft.entry(key)
        if raw is None:
            raise no_such_entry(key)
        if written != raw and etag_of_entry(raw) != if_match:
            raise EntryConflict(key, etag_of_entry(raw), fields_of(read_entry(key, raw)), fields_of(entry))
        if written != raw:
            draft.put[key] = written
    return Saved(key, etag_of_entry(written), count_tokens(entry.content))


def object_of(text: str) -> dict[str, Any]:
    """The JSON object of a text. Raises DomainError `invalid`."""
    try:
        value = read_json(text) if len(text) <= LONGEST_SOURCE else None
    except ValueError as error:
        raise _no_entry() from error
    if not isinstance(value, dict):
        raise _no_entry()
    return value


def _no_entry() -> DomainError:
    return DomainError(
        "invalid",
        "lorebook.entry-source",
        "text",
        gettext_noop("This is no JSON object, so it cannot be an entry. Nothing was changed."),
    )
