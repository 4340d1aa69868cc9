"""Worlds on the shelves of the four people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from portal.models import Person
from tests.support.people import People
from tests.support.worlds import rich_world, small_world
from worlds import actions
from worlds.models import World
from worlds.queries import shelf_of
from worlds.store.paths import new_item_id

MakeWorld = Callable[..., World]


@pytest.fixture
def make_world(people: People, data_root: Path) -> MakeWorld:
    """Put files on somebody's shelf as a world and index it: `make_world(files, owner=ana, name="x")`."""

    def make(files: Mapping[str, bytes], owner: Person | None = None, name: str = "world") -> World:
        keeper = owner or people.ana
        world_id = new_item_id(name)
        shelf_of(keeper).create(world_id, files)
        world = actions.index_world(owner=keeper, world_id=world_id)
        assert world is not None
        return world

    return make


@pytest.fixture
def saltmarsh(make_world: MakeWorld) -> World:
    """Ana's small world, in which a story can start."""
    return make_world(small_world(), name="Saltmarsh")


@pytest.fixture
def fog_harbour(make_world: MakeWorld) -> World:
    """Ana's rich Chinese world, which uses every kind of document."""
    return make_world(rich_world(), name="雾港")
