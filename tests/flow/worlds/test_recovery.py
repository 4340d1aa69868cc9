"""A server that died between a folder and its row: the next start makes both agree."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import pytest

from formats.errors import DomainError
from portal import slots
from tests.support.cards import v3
from tests.support.faults import Crash, broken
from tests.support.importing import imported
from tests.support.people import People, client_of
from worlds import actions, index, recovery
from worlds.models import World
from worlds.queries import folder_of, shelf_of

pytestmark = pytest.mark.django_db


def started() -> None:
    for hook in slots.filled("server.started"):
        hook()


@contextmanager
def dead_before_the_index() -> Iterator[None]:
    """The process dies as soon as the files are in place."""

    def crash(*args: object) -> None:
        raise Crash("index")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index, "index_world", crash)
        with suppress(Crash):
            yield


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


@pytest.mark.req("WORLD-1")
def test_a_change_whose_row_was_not_written_is_told_after_the_next_start(
    people: People, data_root: Path
) -> None:
    world = actions.create_world(actor=people.ana, name="Fog", language="en", opening="Fog.")
    with dead_before_the_index():
        actions.rename_world(actor=people.ana, world=world, name="Mist")
    assert World.objects.get().name == "Fog", "the fault was made"
    started()
    assert World.objects.get().name == "Mist"


@pytest.mark.req("WORLD-1")
@pytest.mark.django_db(transaction=True)
def test_a_save_that_was_cut_off_anywhere_leaves_row_and_folder_alike(
    people: People, data_root: Path
) -> None:
    world = actions.create_world(actor=people.ana, name="Fog", language="en", opening="Fog.")
    names = set()
    for at in count(1):
        name = World.objects.get().name
        with broken(crash=True, at=at) as fault:
            actions.rename_world(actor=people.ana, world=world, name=f"Mist {at}")
        started()
        row = World.objects.get()
        assert row.name in (name, f"Mist {at}")
        assert row.name == folder_of(world).read_json("world.json")["name"], at
        assert row.fingerprint == recovery.standing(row)
        names.add(row.name)
        if not fault.hit:
            break
    assert at > 10
    assert len(names) > 2, "in some lives the change had happened"


@pytest.mark.req("DRAFT-4")
def test_a_draft_that_was_mended_in_the_last_moment_is_an_ordinary_world(
    people: People, data_root: Path
) -> None:
    world = imported(people.ana, v3(first_mes="", alternate_greetings=[]))
    assert (world.stage, world.draft) == ("repair", True)
    seen = folder_of(world).read_json("world.json")
    with dead_before_the_index(), folder_of(world).change(by="ana", what="edit") as change:
        change.write_json("world.json", {**seen, "opening": "The bell rings."})
    started()
    world.refresh_from_db()
    assert (world.stage, world.draft) == ("done", False)


def test_a_world_that_nothing_happened_to_is_not_read(
    people: People, data_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    actions.create_world(actor=people.ana, name="Fog", language="en", opening="Fog.")

    def refuse(*args: object) -> None:
        raise AssertionError("read without need")

    monkeypatch.setattr(index, "load_world", refuse)
    recovery.match_shelves()


def test_a_world_that_cannot_be_read_holds_up_no_other(
    people: People, data_root: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (
        actions.create_world(actor=people.ana, name=name, language="en", opening="Fog.")
        for name in ("Aft", "Bow")
    )
    with dead_before_the_index():
        actions.rename_world(actor=people.ana, world=second, name="Stern")
    really = recovery.standing

    def standing(world: World) -> str:
        if world.pk == first.pk:
            raise DomainError("unavailable", "disk")
        return really(world)

    monkeypatch.setattr(recovery, "standing", standing)
    started()
    assert World.objects.get(pk=second.pk).name == "Stern"
    assert first.pk in caplog.text
