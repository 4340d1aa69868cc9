"""Versions: made of the draft, begun from, brought back. What a version says is never changed."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from formats.preset.model import PresetPackage
from portal.models import Person
from presets.actions.writing import changing
from presets.models import Preset
from presets.pipeline.import_report import counted
from presets.pipeline.item_file import Item, Version, item_bytes
from presets.pipeline.state_file import DRAFT_FILE, Draft, draft_bytes, read_draft, state_bytes
from presets.stored import Stored
from worlds.library.files.item import ITEM_FILE, LONGEST_NOTE, next_number
from worlds.library.room import write_within_quota
from worlds.library.shelves import folder_of
from worlds.rules.write import moment
from worlds.store.change import Change
from worlds.store.etags import ABSENT


def make_version(*, actor: Person, preset: Preset, note: str = "") -> int:
    """Make the draft a version, in force from now on; gives its number.

    Raises:
        DomainError: `conflict` without a draft; `full` without room or with as many versions as there may be.
    """
    with changing(actor=actor, preset=preset, what="version", note=note) as change:
        stored = Stored(change, preset.pk)
        item, draft = stored.item(), stored.draft()
        if draft is None:
            raise DomainError(
                "conflict",
                "preset.nothing-new",
                "",
                gettext_noop("Nothing has changed since version {number}. No version was made."),
                args={"number": item.head},
            )
        version = _version(item, draft.package, actor, parent=draft.base, note=note)
        _add(preset, change, item, version, draft.package)
        change.remove(DRAFT_FILE)
    return version.number


def restore_version(*, actor: Person, preset: Preset, number: int) -> int:
    """A new version, in force from now on, that says what an older one said; gives its number.

    Raises:
        DomainError: `not-found`; `conflict` while a draft waits, which would be lost; `full`; `invalid`.
    """
    with changing(actor=actor, preset=preset, what="restore", note=str(number)) as change:
        stored = Stored(change, preset.pk)
        item, package = stored.item(), stored.version(number)
        _refuse_beside_draft(change)
        version = _version(item, package, actor, parent=item.head, restored=number)
        _add(preset, change, item, version, package)
    return version.number


def branch(*, actor: Person, preset: Preset, number: int) -> None:
    """Begin a draft from an older version: the version made of it will have that one as its parent.

    Raises:
        DomainError: `not-found`; `conflict` while another draft waits; `full`; `invalid`.
    """
    with changing(actor=actor, preset=preset, what="branch", note=str(number)) as change:
        stored = Stored(change, preset.pk)
        base, package = stored.item().version(number).number, stored.version(number)
        _refuse_beside_draft(change)
        write_within_quota(preset.owner, change, DRAFT_FILE, draft_bytes(Draft(base, package)))


def discard_draft(*, actor: Person, preset: Preset) -> str:
    """Forget the draft; gives the change that `put_back_draft` takes, or nothing where there was none."""
    with changing(actor=actor, preset=preset, what="discard-draft") as change:
        there = change.has(DRAFT_FILE)
        if there:
            change.remove(DRAFT_FILE)
    return change.id if there else ""


def put_back_draft(*, actor: Person, preset: Preset, change_id: str) -> None:
    """Bring a discarded draft back.

    Raises:
        DomainError: `not-found`, its bytes are not kept any more; `conflict` while another draft waits.
    """
    former = folder_of(preset).former(change_id, DRAFT_FILE)
    with changing(actor=actor, preset=preset, what="put-back", note=change_id) as change:
        _refuse_beside_draft(change)
        stored = Stored(change, preset.pk)
        item = stored.item()
        item.version(read_draft(former, stored.raw(), id=preset.pk, name=item.name).base)
        write_within_quota(preset.owner, change, DRAFT_FILE, former)


def _version(
    item: Item,
    package: PresetPackage,
    actor: Person,
    *,
    parent: int,
    note: str = "",
    restored: int | None = None,
) -> Version:
    return Version(
        number=next_number(item.versions),
        parent=parent,
        restored=restored,
        at=moment(timezone.now()),
        by=actor.username,
        note=note[:LONGEST_NOTE],
        **counted(package),
    )


def _add(preset: Preset, change: Change, item: Item, version: Version, package: PresetPackage) -> None:
    written = item_bytes(item.with_version(version))
    write_within_quota(preset.owner, change, version.path, state_bytes(package), ABSENT)
    change.write(ITEM_FILE, written)


def _refuse_beside_draft(change: Change) -> None:
    if change.has(DRAFT_FILE):
        raise DomainError(
            "conflict",
            "preset.draft-waits",
            "",
            gettext_noop("Edits wait that are in no version yet. Nothing was changed."),
            gettext_noop("Make a version of them, or discard them first."),
        )
