"""One entry saved as the object that the file holds, for those who know the format."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext_noop

from formats.errors import DomainError
from formats.json_file import size_of
from formats.lenient_json import TooDeep
from formats.lorebook.diagnostics import LorebookError
from formats.lorebook.intake import DEPTH
from formats.stable_json import read_json
from formats.text.tokens import count_tokens
from lorebooks.actions.entries import EntryConflict, Saved
from lorebooks.actions.writing import SITTING, changing_entries
from lorebooks.models import Lorebook
from lorebooks.pipeline.book_file import entry_bytes
from lorebooks.pipeline.books import etag_of_entry, read_entry
from lorebooks.pipeline.entry_fields import fields_of
from lorebooks.shelves import no_such_entry
from portal.models import Person

LONGEST_SOURCE: Final = 1_000_000
BAD_SOURCE: Final = "lorebook.entry-source"


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
    try:
        size_of(value, DEPTH, LONGEST_SOURCE)
        entry_bytes(value)
    except TooDeep as error:
        raise _refused(
            gettext_noop("This is nested deeper than {limit} levels. Nothing was changed."), limit=DEPTH
        ) from error
    except ValueError as error:  # `1e999` is read as an infinity, which JSON cannot say
        raise _refused(
            gettext_noop("A number in it is larger than any that a file can hold. Nothing was changed.")
        ) from error
    return value


def _no_entry() -> DomainError:
    return _refused(gettext_noop("This is no JSON object, so it cannot be an entry. Nothing was changed."))


def _refused(message: str, **args: int) -> DomainError:
    return DomainError("invalid", BAD_SOURCE, "text", message, args=args)
