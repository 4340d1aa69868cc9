"""Writes of the worlds app. Keyword-only, the actor named, one locked change of the folder, then the index.

Views, commands, admin and higher rooms call these and nothing below them. Every one raises `DomainError`:
`busy` while an import or somebody else writes the world, `precondition` when what was seen has changed since.
"""

from worlds.actions.elements import (
    add_element,
    delete_element,
    save_element,
    save_file,
)
from worlds.actions.history import restore_version, undo_change
from worlds.actions.info import choose_opening, edit_info, move_opening, rename_world
from worlds.actions.pictures import (
    add_picture,
    describe_picture,
    remove_picture,
    replace_picture,
    use_picture,
)
from worlds.actions.shelf import (
    copy_world,
    create_world,
    empty_trash,
    index_world,
    reindex,
    restore_world,
    sweep,
    touch_world,
    trash_world,
)
from worlds.actions.writing import Refused, changing

__all__ = [
    "Refused",
    "add_element",
    "add_picture",
    "changing",
    "choose_opening",
    "copy_world",
    "create_world",
    "delete_element",
    "describe_picture",
    "edit_info",
    "empty_trash",
    "index_world",
    "move_opening",
    "reindex",
    "remove_picture",
    "rename_world",
    "replace_picture",
    "restore_version",
    "restore_world",
    "save_element",
    "save_file",
    "sweep",
    "touch_world",
    "trash_world",
    "undo_change",
    "use_picture",
]
