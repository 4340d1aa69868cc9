"""Files that become presets: read in a child process, kept without their secrets, told what was found."""

from __future__ import annotations

from typing import Final

from formats.preset.reader import FILE_BYTES
from portal.models import Person
from presets.actions.library import first_item, shelve
from presets.library import LIBRARY
from presets.models import Preset
from presets.pipeline.import_report import ORIGINAL, read_report, report_bytes
from presets.pipeline.item_file import Source
from presets.pipeline.reading import RAW_NAME, REPORT_NAME, STATE_NAME, read_in_child
from presets.pipeline.state_file import RAW_FILE, read_raw, read_state
from presets.waiting import Upload, upload_of
from worlds.library.files.import_report import RECORDS, REPORT
from worlds.library.files.item import version_path
from worlds.library.room import refuse_over_quota
from worlds.library.waiting import arriving, discard, staged_for, staging
from worlds.store.paths import new_item_id

MOST_BYTES: Final = FILE_BYTES


def upload_preset(*, actor: Person, data: bytes, filename: str, name: str = "") -> Upload:
    """Take a file into the library: a preset in any form.

    It is there at once, unless a preset the actor can read says exactly the same: then the file waits for
    `keep_upload` or `discard_upload`, seven days at most. Secrets are in neither: reading took them out.

    Raises:
        DomainError: `too-large`, `full`, `unsupported` (what it is instead), `invalid`; nothing is kept.
    """
    refuse_over_quota(actor, len(data))
    with arriving(Preset, actor, data, ORIGINAL, MOST_BYTES, filename=filename, name=name) as arrival:
        report = read_in_child(arrival.folder)
        if report.error is not None:
            raise report.error.as_error()
        staged = arrival.named(report.name)
    waiting = upload_of(actor, staged, report, None)
    if waiting.identical:
        return waiting
    return upload_of(actor, staged, report, keep_upload(actor=actor, upload_id=staged.upload))


def keep_upload(*, actor: Person, upload_id: str) -> Preset:
    """Make a preset of a file that waits. Asked twice, after a crash, it is the same preset.

    Raises:
        DomainError: `not-found`, it does not wait any more; `full`.
    """
    staged = staged_for(Preset, actor, upload_id)
    room = staging()
    folder = room.folder(upload_id)
    preset_id = new_item_id(staged.name, upload_id)
    if preset_id in LIBRARY.shelf_of(actor).ids():
        preset = LIBRARY.indexed(actor, preset_id)
    else:
        raw, state = ((folder / name).read_bytes() for name in (RAW_NAME, STATE_NAME))
        report = read_report((folder / REPORT_NAME).read_bytes()).model_copy(update=staged.known)
        package = read_state(state, STATE_NAME, read_raw(raw), id=preset_id, name=staged.name)
        source = Source(kind="upload", filename=staged.filename, sha256=staged.sha256)
        files = {
            RAW_FILE: raw,
            version_path(1): state,
            f"{RECORDS}/{ORIGINAL}": (folder / ORIGINAL).read_bytes(),
            REPORT: report_bytes(report),
        }
        preset = shelve(actor, preset_id, first_item(staged.name, source, package, actor), files)
    room.discard(upload_id)
    return preset


def discard_upload(*, actor: Person, upload_id: str) -> None:
    """Forget a file that waits. One that is gone already is fine, somebody else's is not touched."""
    discard(Preset, actor, upload_id)
