import os

import pytest

from worlds.store.etags import digest_of
from worlds.store.folder import ItemFolder
from worlds.store.snapshot import edited_since, snapshot


def test_a_manifest_names_every_file_with_size_digest_and_etag(world: ItemFolder) -> None:
    told = world.manifest().to_json()
    assert told["files"][0] == {
        "path": "characters/lina.json",
        "size": 6,
        "sha256": digest_of(b"lina 1"),
        "etag": f'"{digest_of(b"lina 1")}"',
    }
    assert [file["path"] for file in told["files"]] == ["characters/lina.json", "lore/fog.json", "world.json"]


def test_the_etag_of_the_whole_changes_with_any_content_or_name(world: ItemFolder) -> None:
    seen = [world.manifest().etag]
    path = world.path / "lore/fog.json"
    info = path.stat()
    path.write_bytes(b"FOG 1")  # by hand, same size, and even the same time
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))
    seen.append(world.manifest().etag)
    path.rename(world.path / "lore/sea.json")
    seen.append(world.manifest().etag)
    assert len(set(seen)) == 3
    assert world.manifest().etag == seen[-1]


@pytest.mark.req("UPD-1")
def test_a_snapshot_tells_later_what_was_edited(world: ItemFolder) -> None:
    taken = snapshot(world)
    assert taken["lore/fog.json"] == digest_of(b"fog 1")
    assert ".import/state.json" not in taken
    assert edited_since(world, taken) == []
    with world.change(by="ana", what="edit") as change:
        change.write("images/cover.png", b"x")
        change.write(".import/state.json", b"x")
    assert edited_since(world, taken) == [], "pictures and records are not looked at"
    with world.change(by="ana", what="edit") as change:
        change.write("lore/fog.json", b"fog 2")
        change.write("lore/sea.json", b"x")
        change.remove("characters/lina.json")
    assert edited_since(world, taken) == ["characters/lina.json", "lore/fog.json", "lore/sea.json"]
