"""A server that died between a folder and its row: the next start makes both agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from portal import slots
from tests.support.people import People, client_of
from worlds import actions
from worlds.models import World
from worlds.queries import shelf_of

pytestmark = pytest.mark.django_db


def started() -> None:
    for hook in slots.filled("server.started"):
        hook()


@pytest.mark.req("WORLD-1")
def test_a_world_that_was_restored_without_its_row_is_listed_again(people: People, data_root: Path) -> None:
    world = actions.create_world(actor=people.ana, name="Fog", language="en", opening="Fog.")
    entry = actions.trash_world(actor=people.ana, world=world)
    shelf_of(people.ana).restore(entry)
    assert client_of(people.ana).get(f"/w/{world.pk}/").status_code == 404
    started()
    assert client_of(people.ana).get(f"/w/{world.pk}/").status_code == 200


@pytest.mark.req("WORLD-1")
def test_a_row_whose_world_went_to_the_trash_goes_too(people: People, data_root: Path) -> None:
    world = actions.create_world(actor=people.ana, name="Fog", language="en", opening="Fog.")
    kept = actions.create_world(actor=people.ben, name="Sea", language="en", opening="Sea.")
    shelf_of(people.ana).to_trash(world.pk)
    started()
    assert list(World.objects.values_list("pk", flat=True)) == [kept.pk]
