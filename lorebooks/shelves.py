"""Where the lorebooks of a person are on disk."""

from __future__ import annotations

from functools import partial
from typing import Final

from django.utils.translation import gettext_noop

from formats.errors import DomainError
from lorebooks.models import Lorebook
from worlds.library.shelves import folder_at as folder_at_kind
from worlds.library.shelves import folder_of
from worlds.library.shelves import shelf_of as shelf_of_kind

__all__ = ["folder_at", "folder_of", "no_such_entry", "shelf_of"]

shelf_of: Final = partial(shelf_of_kind, Lorebook)
folder_at: Final = partial(folder_at_kind, Lorebook)


def no_such_entry(key: str) -> DomainError:
    """The answer for an entry that is not in the book, or not any more."""
    return DomainError(
        "not-found",
        "lorebook.no-such-entry",
        key[:200],
        gettext_noop("This entry is not in the book any more. It may have been deleted meanwhile."),
        gettext_noop("An earlier version of the book still has it."),
    )
