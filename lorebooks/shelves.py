"""Where the lorebooks of a person are on disk."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from formats.errors import DomainError
from lorebooks.models import Lorebook
from portal.models import Person
from worlds.data import data_folder
from worlds.store.folder import ItemFolder
from worlds.store.shelf import Shelf

SHELF = "lorebooks"


def shelf_of(owner: Person) -> Shelf:
    """All lorebooks of a person, and their trash."""
    return Shelf(data_folder(), owner.handle, SHELF)


def folder_at(owner: Person, lorebook_id: str) -> ItemFolder:
    """The folder of a book by owner and id; whether it exists is for the caller to see."""
    data = data_folder()
    place = (owner.handle, SHELF, lorebook_id)
    return ItemFolder(data.item(*place), data.lock_file(*place))


def folder_of(lorebook: Lorebook) -> ItemFolder:
    """The folder of a book, with its lock."""
    return folder_at(lorebook.owner, lorebook.id)


def no_such_entry(key: str) -> DomainError:
    """The answer for an entry that is not in the book, or not any more."""
    return DomainError(
        "not-found",
        "lorebook.no-such-entry",
        key[:200],
        gettext_noop("This entry is not in the book any more. It may have been deleted meanwhile."),
        gettext_noop("An earlier version of the book still has it."),
    )
