from datetime import UTC, datetime

from worlds.store.folder import ItemFolder
from worlds.store.shelf import Shelf
from worlds.store.space import bytes_below, bytes_in_trash


def test_every_file_counts_and_no_link_is_followed(world: ItemFolder) -> None:
    before = bytes_below(world.path)
    with world.change(by="ana", what="edit") as change:
        change.write("lore/new.json", b"x" * 1000)
        change.write(".import/original", b"x" * 500)
    (world.path / "out").symlink_to("/usr")
    grown = bytes_below(world.path) - before
    assert 1500 <= grown < 3500, "the two files, the record of the change, and the link itself"


def test_a_former_version_takes_room_until_it_is_forgotten(world: ItemFolder) -> None:
    with world.change(by="ana", what="add") as change:
        change.write("lore/new.json", b"x" * 5000)
    with world.change(by="ana", what="delete") as change:
        change.remove("lore/new.json")
    kept = bytes_below(world.path)
    assert kept > 5000
    world.forget_history(datetime.max.replace(tzinfo=UTC))
    assert bytes_below(world.path) < kept - 5000


def test_a_folder_that_is_gone_takes_none(world: ItemFolder) -> None:
    assert bytes_below(world.path / "nowhere") == 0


def test_the_trash_counts_what_lies_in_it(shelf: Shelf, world: ItemFolder) -> None:
    size = bytes_below(world.path)
    assert bytes_in_trash(shelf) == 0
    entry = shelf.to_trash(world.id)
    assert bytes_in_trash(shelf) == size
    shelf.restore(entry)
    assert bytes_in_trash(shelf) == 0
    shelf.empty(shelf.to_trash(world.id))
    assert bytes_in_trash(shelf) == 0
