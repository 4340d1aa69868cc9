"""Imports in the database: uploads that were read, and worlds whose import ran, in this very process."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from importer import actions
from importer.actions.uploads import settle_reading
from importer.models import Upload
from importer.pipeline.read_upload import read_upload
from importer.pipeline.record import ImportRecord
from importer.pipeline.steps import StructureImport
from portal.models import Person
from tests.support.cards import json_bytes
from worlds.actions import index_world
from worlds.data import data_folder
from worlds.models import World
from worlds.queries import folder_of
from worlds.store.staging import Staging


def uploaded(owner: Person, data: bytes, filename: str = "card.json") -> Upload:
    """A file as it arrived; nobody has read it yet."""
    return actions.stage_upload(actor=owner, chunks=[data], filename=filename)


def was_read(upload: Upload) -> Upload:
    """The verdict on a file, without the child process that gives it in earnest."""
    reading = read_upload(Staging(data_folder()).folder(upload.pk))
    return settle_reading(upload_id=upload.pk, reading=reading)


def ready(owner: Person, card: Any, filename: str = "card.json") -> Upload:
    """A card that waits for its choices."""
    return was_read(uploaded(owner, card if isinstance(card, bytes) else json_bytes(card), filename))


def started(upload: Upload) -> World:
    """The world of an import that waits for its worker."""
    return actions.start_structure(actor=upload.owner, upload=upload)


def ran(world: World, until: str = "") -> World:
    """The world after its import ran: to the end, or until a stage was stored."""
    steps = StructureImport(
        ImportRecord(folder_of(world)), by=world.owner.handle, now=lambda: datetime.now(UTC)
    )

    class Enough(Exception):
        """The stage that was asked for is stored."""

    def heard(stage: str) -> None:
        if stage == until:
            raise Enough

    with suppress(Enough):
        steps.run(heard)
    fresh = index_world(owner=world.owner, world_id=world.pk)
    assert fresh is not None
    return fresh


def imported(owner: Person, card: Any, filename: str = "card.json") -> World:
    """A world whose import is finished, or a draft of one."""
    return ran(started(ready(owner, card, filename)))
