from pathlib import Path

import pytest

from worlds.store.folder import ItemFolder
from worlds.store.paths import DataFolder, new_item_id
from worlds.store.shelf import Shelf


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path / "data")


@pytest.fixture
def shelf(data: DataFolder) -> Shelf:
    return Shelf(data, "ana", "worlds")


@pytest.fixture
def world(shelf: Shelf) -> ItemFolder:
    files = {
        "world.json": b'{"name": "Fog Harbour"}\n',
        "characters/lina.json": b"lina 1",
        "lore/fog.json": b"fog 1",
        ".import/state.json": b"{}",
    }
    return shelf.create(new_item_id("Fog Harbour"), files)
