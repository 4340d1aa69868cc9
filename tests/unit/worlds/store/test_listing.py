import os
from pathlib import Path

import pytest

from worlds.store.folder import ItemFolder
from worlds.store.listing import ForeignFile


def test_files_of_other_programs_are_listed_apart(world: ItemFolder, tmp_path: Path) -> None:
    made = {
        "characters/lina.sync-conflict-20261130-101112-ABCDEFG.json": "conflict",
        "characters/Thumbs.db": "junk",
        ".DS_Store": "junk",
        "world.json..path1": "conflict",
        "lore/fog (conflicted copy 2026-11-30).json": "conflict",
        "lore/.hidden.json": "name",
        "lore/a:b.json": "name",
        ".stfolder": "name",
    }
    for name in made:
        (world.path / name).write_bytes(b"x")
    (world.path / "link.json").symlink_to(tmp_path)
    os.mkfifo(world.path / "pipe.json")
    (world.path / ".git").mkdir()
    (world.path / ".git" / "config").write_bytes(b"x")
    made |= {"link.json": "link", "pipe.json": "link", ".git": "name"}
    assert {found.path: found.kind for found in world.foreign_files()} == made
    assert world.paths() == ["characters/lina.json", "lore/fog.json", "world.json"]
    assert ForeignFile("pipe.json", "link") in world.foreign_files()
    assert not world.has("pipe.json")


def test_a_pipe_does_not_hang_a_reader(world: ItemFolder) -> None:
    os.mkfifo(world.path / "pipe.json")
    with pytest.raises(Exception, match="no file"):
        world.read("pipe.json")


def test_under_names_a_folder_not_a_beginning(world: ItemFolder) -> None:
    with world.change(by="ana", what="edit") as change:
        change.write("lore-old/x.json", b"x")
        change.write("lore/deep/er/y.json", b"y")
    assert world.paths("lore") == ["lore/deep/er/y.json", "lore/fog.json"]
    assert world.paths("lore/") == world.paths("lore")
    assert world.paths("lore/deep") == ["lore/deep/er/y.json"]
    assert world.paths("nowhere") == []
    assert world.size("lore/fog.json") == 5
