"""Every write of a world asks by itself who may do it, whoever calls it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytest_django import DjangoAssertNumQueries

from formats.errors import DomainError
from portal.models import Person
from tests.support.people import People, share
from worlds import actions
from worlds.access import refuse_unless_editor
from worlds.kinds import element_kind
from worlds.models import World
from worlds.queries import folder_of

pytestmark = pytest.mark.django_db

WRITES: dict[str, Callable[[Person, World], object]] = {
    "add": lambda who, world: actions.add_element(
        actor=who, world=world, kind=element_kind("locations"), value={"name": "Quay"}
    ),
    "file": lambda who, world: actions.save_file(
        actor=who, world=world, path="world.json", text="{}", etag="*"
    ),
    "rename": lambda who, world: actions.rename_world(actor=who, world=world, name="Mine"),
    "picture": lambda who, world: actions.remove_picture(actor=who, world=world, file="a.png"),
}


@pytest.mark.parametrize("name", WRITES)
def test_readers_and_strangers_write_nothing(people: People, saltmarsh: World, name: str) -> None:
    share(people.ben, "world", saltmarsh.pk, "read")
    before = folder_of(saltmarsh).read_all()
    for person, code in ((people.ben, "world.read-only"), (people.cyd, "world.not-found")):
        with pytest.raises(DomainError) as caught:
            WRITES[name](person, saltmarsh)
        assert caught.value.code == code
    assert folder_of(saltmarsh).read_all() == before


def test_a_stranger_copies_nothing(people: People, saltmarsh: World) -> None:
    with pytest.raises(DomainError) as caught:
        actions.copy_world(actor=people.cyd, world=saltmarsh, name="Mine")
    assert caught.value.code == "world.not-found"
    assert list(World.objects.all()) == [saltmarsh]
    share(people.ben, "world", saltmarsh.pk, "read")
    assert actions.copy_world(actor=people.ben, world=saltmarsh, name="Ben's").owner == people.ben


def test_whoever_may_edit_writes(people: People, saltmarsh: World) -> None:
    share(people.ben, "world", saltmarsh.pk, "edit")
    actions.rename_world(actor=people.ben, world=saltmarsh, name="Ours")
    assert saltmarsh.name == "Ours"


def test_of_the_owner_nothing_is_looked_up(
    people: People, saltmarsh: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    share(people.ben, "world", saltmarsh.pk, "edit")
    with django_assert_num_queries(0):
        refuse_unless_editor(people.ana, saltmarsh)
    with django_assert_num_queries(1):
        refuse_unless_editor(people.ben, saltmarsh)
