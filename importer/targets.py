"""Worlds that a newer card could update, and what the page should propose (PREV-5, PREV-6)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from django.db.models import Case, IntegerField, Value, When

from formats.errors import DomainError
from formats.text.names import compared
from importer.pipeline.record import ImportRecord
from portal.models import Person
from worlds.models import World
from worlds.queries import folder_of
from worlds.store.snapshot import edited_since

Edited = Literal["yes", "no", "unknown"]
LISTED = 200  # worlds listed for one card; those named as the card come first


@dataclass(frozen=True)
class Target:
    """A world the card could update."""

    world: World
    same_name: bool

    @cached_property
    def edited(self) -> Edited:
        """Whether the world's files differ from those its import wrote.

        Reads every document of the world, so it is looked at only for what is shown.
        """
        return edited_since_import(self.world)


def find_targets(person: Person, card_name: str) -> list[Target]:
    """The person's worlds that a card was imported into and whose import is finished, namesakes first.

    At most `LISTED`, the last used first; no document is read here.
    """
    key = compared(card_name)[:300]
    namesake_first = Case(When(name_key=key, then=Value(0)), default=Value(1), output_field=IntegerField())
    finished = World.objects.filter(owner=person, stage="done").select_related("owner")
    listed = finished.annotate(namesake=namesake_first).order_by("namesake", "-used_at", "pk")[:LISTED]
    return [
        Target(world, world.name_key == key)
        for world in listed
        if ImportRecord(folder_of(world)).has("card.json")
    ]


def edited_since_import(world: World) -> Edited:
    """Compare a world's files with `.import/files.json`; `unknown` without a snapshot that can be read."""
    folder = folder_of(world)
    try:
        stored = folder.read_json(".import/files.json")
    except DomainError:
        return "unknown"
    files = stored.get("files") if isinstance(stored, dict) else None
    if not isinstance(files, dict):
        return "unknown"
    return "yes" if edited_since(folder, files) else "no"


def default_target(targets: list[Target]) -> Target | None:
    """Update when a world of the same name is unedited, else a new world (None) (PREV-6)."""
    return next((target for target in targets if target.same_name and target.edited == "no"), None)
