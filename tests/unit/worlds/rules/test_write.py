"""Bytes of documents, and the one way to change `world.json`."""

import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from formats.errors import DomainError
from tests.support.worlds import small_world, write_world
from worlds.rules import check_world, load_files, load_world
from worlds.rules.documents import Character, WorldFile
from worlds.rules.write import blank_world, change_world_file, document_bytes, moment, update_world_file
from worlds.store.folder import ItemFolder

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> ItemFolder:
    return ItemFolder(write_world(tmp_path / "w", small_world()), tmp_path / ".locks" / "w.lock")


@pytest.mark.req("WORLD-2")
def test_two_changes_of_different_fields_at_the_same_time_both_stand(folder: ItemFolder) -> None:
    """The second writer starts while the first has read and not yet written."""
    inside, second_done = threading.Event(), threading.Event()

    def first(world: WorldFile) -> WorldFile:
        inside.set()
        assert not second_done.wait(0.2), "the second writer did not wait for the first"
        return world.model_copy(update={"author": "Ana"})

    def second() -> None:
        inside.wait(10)
        update_world_file(folder, lambda world: world.model_copy(update={"tags": ["salt"]}), by="ben")
        second_done.set()

    other = threading.Thread(target=second)
    other.start()
    update_world_file(folder, first, by="ana")
    other.join(20)
    world = load_world(folder.path).world
    assert world is not None
    assert (world.author, world.tags, world.name) == ("Ana", ["salt"], "Saltmarsh")


@pytest.mark.req("WORLD-2")
def test_many_writers_lose_nothing(folder: ItemFolder) -> None:
    def add(tag: str) -> None:
        update_world_file(
            folder, lambda world: world.model_copy(update={"tags": [*world.tags, tag]}), by="ana"
        )

    writers = [threading.Thread(target=add, args=(str(at),)) for at in range(12)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(30)
    world = load_world(folder.path).world
    assert world is not None
    assert sorted(world.tags, key=int) == [str(at) for at in range(12)]


def test_unknown_keys_and_the_former_file_are_kept(folder: ItemFolder) -> None:
    path = folder.path / "world.json"
    path.write_bytes(path.read_bytes().replace(b"{", b'{"theme": {"hue": 3},', 1))
    before = path.read_bytes()
    changed = update_world_file(folder, _renamed, by="ana", now=NOON)
    assert (changed.name, changed.updated_at) == ("Salt", "2026-11-30T12:00:00Z")
    assert folder.read_json("world.json")["theme"] == {"hue": 3}
    [record] = folder.history()
    assert folder.former(record.id, "world.json") == before


def test_a_change_that_changes_nothing_writes_nothing(folder: ItemFolder) -> None:
    update_world_file(folder, lambda world: world, by="ana", now=NOON)
    assert folder.history() == []


def test_the_world_file_can_change_together_with_other_files(folder: ItemFolder) -> None:
    with folder.change(by="ana", what="edit") as staged:
        change_world_file(staged, _renamed)
        staged.write("images/cover.gif", b"GIF89a")
        change_world_file(staged, lambda world: world.model_copy(update={"cover": "images/cover.gif"}))
    world = load_world(folder.path).world
    assert world is not None
    assert (world.name, world.cover) == ("Salt", "images/cover.gif")
    assert len(folder.history()) == 1


def test_a_world_file_that_cannot_be_read_is_left_as_it_is(folder: ItemFolder) -> None:
    (folder.path / "world.json").write_bytes(b'{"schema": "roleplay-world/v1"}')
    with pytest.raises(DomainError) as refused:
        update_world_file(folder, _renamed, by="ana")
    assert (refused.value.kind, refused.value.where) == ("invalid", "world.json: name")
    assert folder.read("world.json") == b'{"schema": "roleplay-world/v1"}'


def test_a_change_to_something_unreadable_is_refused(folder: ItemFolder) -> None:
    before = folder.read("world.json")
    with pytest.raises(DomainError) as refused:
        update_world_file(folder, lambda world: world.model_copy(update={"name": " "}), by="ana")
    assert refused.value.where == "world.json: name"
    with pytest.raises(ValueError, match="tags"):
        update_world_file(folder, lambda world: world.model_copy(update={"tags": "salt"}), by="ana")
    assert folder.read("world.json") == before
    assert folder.history() == []


def _renamed(world: WorldFile) -> WorldFile:
    return world.model_copy(update={"name": "Salt"})


def test_a_world_from_nothing_lacks_only_its_opening() -> None:
    files = blank_world("雾港", "zh-hans", NOON)
    loaded = load_files(files)
    assert loaded.world is not None
    assert (loaded.world.name, loaded.world.created_at) == ("雾港", "2026-11-30T12:00:00Z")
    errors = [found.code for found in check_world(loaded) if found.severity == "error"]
    assert errors == ["opening-missing"]


def test_moments_are_in_universal_time() -> None:
    assert moment(NOON.astimezone(timezone(timedelta(hours=8)))) == "2026-11-30T12:00:00Z"
    with pytest.raises(ValueError, match="time zone"):
        moment(datetime(2026, 11, 30))


def test_what_json_cannot_hold_is_not_written() -> None:
    ida = Character(id="ida", name="Ida")
    for value in (float("inf"), "\ud83d"):
        with pytest.raises(ValueError):  # noqa: PT011 - whose sentence it is does not matter
            document_bytes(ida.model_copy(update={"summary": value}))
