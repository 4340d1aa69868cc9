"""The frame of every write to a preset: one locked change of its files, then the index, then the bell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from formats.preset.model import PresetPackage
from portal.models import Person
from presets import index
from presets.access import refuse_unless_editor
from presets.models import Preset
from presets.pipeline.item_file import Item
from presets.pipeline.state_file import DRAFT_FILE, Draft, draft_bytes, read_draft
from presets.stored import Stored
from worlds.library.room import no_longer_there, write_within_quota
from worlds.library.shelves import folder_of
from worlds.store.change import Change

SITTING: Final = timedelta(minutes=10)
"""Saves of the draft by one person in so much time are one step of the history."""


@dataclass(slots=True)
class Edit:
    """The draft inside a change: `package` may be replaced, and is written when the block ends."""

    change: Change
    item: Item
    base: int
    package: PresetPackage


@contextmanager
def changing(
    *, actor: Person, preset: Preset, what: str, note: str = "", fold: timedelta | None = None
) -> Iterator[Change]:
    """One change of any files of a preset; afterwards its row is written, and `preset` is that row.

    Raises DomainError as `ItemFolder.change`; `not-found` for a stranger, `forbidden` for a mere reader.
    """
    refuse_unless_editor(actor, preset)
    folder = folder_of(preset)
    with folder.change(by=actor.handle, what=what, note=note[:200], fold=fold) as change:
        yield change
    if index.index_preset(preset.owner, preset.pk) is None:
        raise no_longer_there(preset.name)
    preset.refresh_from_db()


@contextmanager
def editing_draft(*, actor: Person, preset: Preset, what: str = "autosave", note: str = "") -> Iterator[Edit]:
    """One change of the draft, which is begun where there is none; saves of one sitting are one step.

    A draft that says the same as the version in force is none, and goes.
    """
    fold = SITTING if what == "autosave" else None
    with changing(actor=actor, preset=preset, what=what, note=note, fold=fold) as change:
        stored = Stored(change, preset.pk)
        item, draft = stored.item(), stored.draft()
        before = draft or Draft(item.head, stored.version())
        edit = Edit(change, item, before.base, before.package)
        yield edit
        if edit.package != before.package:
            _write(preset, edit, stored)


def former_draft(preset: Preset, change_id: str) -> PresetPackage | None:
    """The draft as it was before a change; None where there was none. Raises `not-found`, it is not kept."""
    folder = folder_of(preset)
    touched = folder.recorded(change_id).files.get(DRAFT_FILE)
    if touched is None or touched.before is None:
        return None
    stored = Stored(folder, preset.pk)
    former = folder.former(change_id, DRAFT_FILE)
    return read_draft(former, stored.raw(), id=preset.pk, name=stored.item().name).package


def _write(preset: Preset, edit: Edit, stored: Stored) -> None:
    if edit.base == edit.item.head and edit.package == stored.version():
        if edit.change.has(DRAFT_FILE):
            edit.change.remove(DRAFT_FILE)
        return
    draft = Draft(edit.base, edit.package)
    data = draft_bytes(draft)
    stored.will_read(data, draft)
    write_within_quota(preset.owner, edit.change, DRAFT_FILE, data)
