"""Whole presets: made, copied, renamed, moved to the trash and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from formats.preset.model import HISTORY, PERSONA, PresetPackage
from formats.preset.reader import read_value
from portal.models import Person
from presets import index
from presets.access import refuse_unless_reader
from presets.actions.writing import changing
from presets.library import LIBRARY
from presets.models import Preset
from presets.pipeline.cases import CASES, cases_of_copy
from presets.pipeline.import_report import counted
from presets.pipeline.item_file import (
    Item,
    Source,
    Version,
    changed_item,
    item_bytes,
    read_item,
)
from presets.pipeline.state_file import RAW_FILE, raw_bytes, state_bytes
from presets.stored import Stored
from worlds.library.files.cases import CASES_FILE
from worlds.library.files.item import ITEM_FILE, version_path
from worlds.library.shelves import folder_of
from worlds.rules.write import moment
from worlds.store.paths import new_item_id

BEGINNING: Sequence[Mapping[str, Any]] = (
    {"id": "main", "sourceIdentifier": "main", "name": "Main Prompt", "systemPrompt": True},
    {"id": PERSONA, "sourceIdentifier": PERSONA, "name": "Persona Description", "marker": True},
    {"id": HISTORY, "sourceIdentifier": HISTORY, "name": "Chat History", "marker": True},
    {"id": "jailbreak", "sourceIdentifier": "jailbreak", "name": "Post-History Instructions"},
)
"""What a preset begins with that was made here; reading puts the places around the history."""


def index_preset(*, owner: Person, preset_id: str) -> Preset | None:
    """Rebuild the row of one preset from its folder; a row without a folder is removed (then `None`)."""
    return index.index_preset(owner, preset_id)


def create_preset(*, actor: Person, name: str) -> Preset:
    """A preset of our own with every place in its order and no text yet. Raises `full`."""
    order = [{"promptId": one["id"], "enabled": True, "orderIndex": at} for at, one in enumerate(BEGINNING)]
    prompts = [{"role": "system", "content": "", **one} for one in BEGINNING]
    made, _reading = read_value({"source": "native", "prompts": prompts, "promptOrder": order})
    # The file it was made of is no file of anybody's: what counts is the package.
    package = PresetPackage(
        id="", name="", source="native", prompts=made.prompts, prompt_order=made.prompt_order, raw={}
    )
    item = first_item(name, Source(kind="blank"), package, actor)
    files = {RAW_FILE: raw_bytes(package), version_path(1): state_bytes(package)}
    return shelve(actor, new_item_id(name), item, files)


def copy_preset(*, actor: Person, preset: Preset, name: str = "") -> Preset:
    """A copy of the version in force on the actor's own shelf, with its cases, without history and records.

    Raises:
        DomainError: `not-found` for a stranger; `invalid` for a file that cannot be read; `full`.
    """
    refuse_unless_reader(actor, preset)
    folder = folder_of(preset)

    def read() -> tuple[Item, PresetPackage, dict[str, bytes]]:
        stored = Stored(folder, preset.pk)
        item, files = stored.item(), {RAW_FILE: folder.read(RAW_FILE)}
        if cases := cases_of_copy(CASES.of(folder), item.head):
            files[CASES_FILE] = CASES.written(cases)
        return item, stored.version(), files

    there, package, files = folder.consistently(read)
    called = name or there.name
    item = first_item(called, Source(kind="copy"), package, actor).model_copy(update={"tags": there.tags})
    return shelve(actor, new_item_id(called), item, {**files, version_path(1): state_bytes(package)})


def edit_item(*, actor: Person, preset: Preset, fields: Mapping[str, Any]) -> None:
    """Save the preset's name and tags. Raises `invalid` naming the field."""
    wanted = {name: value for name, value in fields.items() if name in ("name", "tags")}
    with changing(actor=actor, preset=preset, what="settings") as change:
        item = read_item(change.read(ITEM_FILE))
        change.write(ITEM_FILE, item_bytes(changed_item(item, **wanted, updated_at=moment(timezone.now()))))


def first_item(name: str, source: Source, package: PresetPackage, actor: Person) -> Item:
    """`item.json` of a preset with one version."""
    now = moment(timezone.now())
    version = Version(number=1, at=now, by=actor.username, **counted(package))
    return Item(name=name[:300], source=source, versions=(version,), created_at=now, updated_at=now)


def shelve(actor: Person, preset_id: str, item: Item, files: Mapping[str, bytes]) -> Preset:
    """Put a new preset on the actor's shelf and give it its row. Raises `full` when there is no room."""
    return LIBRARY.shelve(actor, preset_id, {ITEM_FILE: item_bytes(item), **files})


def touch_preset(*, actor: Person, preset: Preset) -> None:
    """Note that its owner looked at a preset, for the order of their list."""
    LIBRARY.note_use(actor, preset)


def trash_preset(*, actor: Person, preset: Preset) -> str:
    """Move a preset to its owner's trash; gives the entry id that `restore_preset` takes.

    Raises:
        DomainError: `forbidden` unless the actor owns it; `busy` while somebody writes it.
    """
    return LIBRARY.trash(actor, preset)


def restore_preset(*, actor: Person, entry_id: str) -> Preset:
    """Bring a preset back from the actor's own trash. It is shared with whom it was shared before.

    Raises:
        DomainError: `not-found` when the entry is gone; `conflict` when the place is taken.
    """
    return LIBRARY.restore(actor, entry_id)


def empty_trash(*, actor: Person, entry_ids: list[str]) -> int:
    """Remove presets from the actor's trash for good, with their shares; gives how many."""
    return LIBRARY.empty(actor, entry_ids)


def reindex(*, owner: Person) -> tuple[int, int]:
    """Rebuild the rows of one shelf; gives how many presets were read and how many rows went."""
    return LIBRARY.reindex(owner)


def sweep(*, now: datetime) -> int:
    """Remove for good what was longer in a trash than `TRASH_DAYS`, and former versions that old."""
    return LIBRARY.sweep(now)
