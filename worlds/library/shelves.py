"""Where the items of a library are on disk."""

from __future__ import annotations

from portal.models import Person
from worlds.data import data_folder
from worlds.library.models import LibraryItem
from worlds.store.folder import ItemFolder
from worlds.store.shelf import Shelf


def shelf_of(kind: type[LibraryItem], owner: Person) -> Shelf:
    """All items of a kind that a person has, and their trash."""
    return Shelf(data_folder(), owner.handle, kind.shelf)


def folder_at(kind: type[LibraryItem], owner: Person, item_id: str) -> ItemFolder:
    """The folder of an item by owner and id; whether it exists is for the caller to see."""
    data = data_folder()
    place = (owner.handle, kind.shelf, item_id)
    return ItemFolder(data.item(*place), data.lock_file(*place))


def folder_of(item: LibraryItem) -> ItemFolder:
    """The folder of an item, with its lock."""
    return folder_at(type(item), item.owner, item.pk)
