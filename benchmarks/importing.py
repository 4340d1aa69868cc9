"""A card of 1,000 entries from its upload to a world that can start, by the actions that the pages call."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from benchmarks.invented import card
from benchmarks.measure import Measurement, timed_anew
from importer.actions.start import start_structure
from importer.actions.uploads import settle_reading, stage_upload
from importer.models import Upload
from importer.pipeline.reading import read_in_child
from importer.pipeline.record import ImportRecord
from importer.pipeline.steps import StructureImport
from portal.models import Person
from worlds.actions import index_world
from worlds.data import data_folder
from worlds.models import World
from worlds.queries import folder_of
from worlds.store.staging import Staging

ENTRIES = 1000
CHARACTERS = 500


def measure(owner: Person, runs: int) -> Iterator[Measurement]:
    """The two halves of an import: until the preview, and from *start* to a world that can start."""
    data = json.dumps(card(3000, ENTRIES, CHARACTERS), ensure_ascii=False).encode()
    yield Measurement(
        f"upload and read a card of {ENTRIES:,} entries, child process included",
        timed_anew(lambda: lambda: uploaded(owner, data), runs),
        extra={"fileBytes": len(data)},
    )
    yield Measurement(
        f"import a card of {ENTRIES:,} entries without a model, store and index included",
        timed_anew(lambda: started(owner, data), runs),
        goal_ms=3000,
    )


def uploaded(owner: Person, data: bytes) -> Upload:
    """An upload that was staged and read, by the same calls as the view and its job make."""
    upload = stage_upload(actor=owner, chunks=[data], filename="ferries.json")
    reading = read_in_child(Staging(data_folder()).folder(upload.id))
    return settle_reading(upload_id=upload.id, reading=reading)


def started(owner: Person, data: bytes) -> Callable[[], object]:
    upload = uploaded(owner, data)
    return lambda: imported(owner, upload)


def imported(owner: Person, upload: Upload) -> World:
    """What pressing *start* sets going, up to the world in the list; the same calls as the job makes."""
    world = start_structure(actor=owner, upload=upload)
    steps = StructureImport(ImportRecord(folder_of(world)), by=owner.handle, now=lambda: datetime.now(UTC))
    stage = steps.run(lambda stage: None)
    index_world(owner=owner, world_id=world.pk)
    world.refresh_from_db()
    if stage != "done" or world.draft or world.counts["lore"] < ENTRIES * 9 // 10:
        raise AssertionError(f"the import ended at {stage} with {world.counts}")
    return world
