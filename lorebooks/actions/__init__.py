"""Writes of the lorebooks app. Keyword-only, the actor named, one locked change, then the index.

Views, commands, admin and higher rooms call these and nothing below them. Every one raises `DomainError`:
`busy` while somebody else writes the book, `conflict` when what was seen has changed since, `full`.
"""

from lorebooks.actions.attaching import attach_lorebook, detach_lorebook
from lorebooks.actions.cases import delete_case, put_back_cases, run_cases, save_case
from lorebooks.actions.entries import (
    Deleted,
    EntryConflict,
    Saved,
    add_entry,
    bulk_edit,
    delete_entries,
    duplicate_entry,
    save_entry,
)
from lorebooks.actions.keys import TOO_MANY_KEYS
from lorebooks.actions.library import (
    copy_lorebook,
    create_lorebook,
    empty_trash,
    index_lorebook,
    reindex,
    restore_lorebook,
    sweep,
    touch_lorebook,
    trash_lorebook,
)
from lorebooks.actions.settings import SectionEdits, edit_sections, edit_settings
from lorebooks.actions.source import BAD_SOURCE, save_entry_source
from lorebooks.actions.undo import put_back_entries, restore_former
from lorebooks.actions.uploads import (
    MOST_BYTES,
    discard_upload,
    import_from_card,
    keep_upload,
    upload_lorebook,
)
from lorebooks.actions.versions import Restored, keep_version, restore_version
from lorebooks.waiting import Upload

__all__ = [
    "BAD_SOURCE",
    "MOST_BYTES",
    "TOO_MANY_KEYS",
    "Deleted",
    "EntryConflict",
    "Restored",
    "Saved",
    "SectionEdits",
    "Upload",
    "add_entry",
    "attach_lorebook",
    "bulk_edit",
    "copy_lorebook",
    "create_lorebook",
    "delete_case",
    "delete_entries",
    "detach_lorebook",
    "discard_upload",
    "duplicate_entry",
    "edit_sections",
    "edit_settings",
    "empty_trash",
    "import_from_card",
    "index_lorebook",
    "keep_upload",
    "keep_version",
    "put_back_cases",
    "put_back_entries",
    "reindex",
    "restore_former",
    "restore_lorebook",
    "restore_version",
    "run_cases",
    "save_case",
    "save_entry",
    "save_entry_source",
    "sweep",
    "touch_lorebook",
    "trash_lorebook",
    "upload_lorebook",
]
