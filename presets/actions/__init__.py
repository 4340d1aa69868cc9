"""Writes of the presets app. Keyword-only, the actor named, one locked change, then the index.

Views, commands, admin and higher rooms call these and nothing below them. Every one raises `DomainError`:
`busy` while somebody else writes the preset, `conflict` when what was seen has changed since, `full`.
Sharing is `portal.sharing`, with the kind "preset".
"""

from presets.actions.attaching import attach_preset, detach_preset
from presets.actions.cases import delete_case, put_back_cases, save_case
from presets.actions.library import (
    copy_preset,
    create_preset,
    edit_item,
    empty_trash,
    index_preset,
    reindex,
    restore_preset,
    sweep,
    touch_preset,
    trash_preset,
)
from presets.actions.prompts import (
    Deleted,
    PromptConflict,
    Saved,
    add_prompt,
    delete_prompt,
    duplicate_prompt,
    move_prompt,
    put_back_prompt,
    save_parameters,
    save_prompt,
    switch_prompt,
    unplace_prompt,
)
from presets.actions.trials import ask_again, delete_run, keep_setup, send_trial, stop_reply
from presets.actions.uploads import MOST_BYTES, discard_upload, keep_upload, upload_preset
from presets.actions.versions import branch, discard_draft, make_version, put_back_draft, restore_version
from presets.waiting import Upload

__all__ = [
    "MOST_BYTES",
    "Deleted",
    "PromptConflict",
    "Saved",
    "Upload",
    "add_prompt",
    "ask_again",
    "attach_preset",
    "branch",
    "copy_preset",
    "create_preset",
    "delete_case",
    "delete_prompt",
    "delete_run",
    "detach_preset",
    "discard_draft",
    "discard_upload",
    "duplicate_prompt",
    "edit_item",
    "empty_trash",
    "index_preset",
    "keep_setup",
    "keep_upload",
    "make_version",
    "move_prompt",
    "put_back_cases",
    "put_back_draft",
    "put_back_prompt",
    "reindex",
    "restore_preset",
    "restore_version",
    "save_case",
    "save_parameters",
    "save_prompt",
    "send_trial",
    "stop_reply",
    "sweep",
    "switch_prompt",
    "touch_preset",
    "trash_preset",
    "unplace_prompt",
    "upload_preset",
]
