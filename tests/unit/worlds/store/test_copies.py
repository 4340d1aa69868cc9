"""A large file takes a second place in an item: not read whole, and its room is not taken twice."""

from __future__ import annotations

import errno
from itertools import count
from pathlib import Path

import pytest

from formats.errors import DomainError
from tests.support.faults import broken
from worlds.store.etags import ABSENT, digest_of, etag_of
from worlds.store.folder import ItemFolder
from worlds.store.space import bytes_below

LARGE = bytes(range(256)) * 10_000  # more than two parts
PICTURE, COVER = ".import/picture.png", "images/cover.png"


@pytest.fixture
def item(world: ItemFolder) -> ItemFolder:
    with world.change(by="ana", what="edit") as change:
        change.write(PICTURE, LARGE)
    return world


def copy(item: ItemFolder, *, if_match: str = "any") -> None:
    with item.change(by="ana", what="import") as change:
        change.copy(PICTURE, COVER, if_match)
        change.write("lore/fog.json", b"fog 2")


@pytest.mark.parametrize("links", [True, False])
def test_a_copy_has_the_bytes_and_goes_its_own_way(item: ItemFolder, links: bool) -> None:
    with broken(at=0 if links else 1, error=errno.EPERM, persistent=True, only=("link",)):
        copy(item)
    assert item.read(COVER) == LARGE
    assert (item.path / COVER).samefile(item.path / PICTURE) is links
    [record] = item.history(1)
    assert record.files[COVER].after == digest_of(LARGE)
    for path in (PICTURE, COVER):
        with item.change(by="ana", what="edit") as change:
            change.write(path, path.encode())
    assert (item.read(PICTURE), item.read(COVER)) == (PICTURE.encode(), COVER.encode())
    item.restore(item.history(1)[0].id, by="ana")
    assert item.read(COVER) == LARGE


def test_bytes_under_two_names_take_their_room_once(item: ItemFolder) -> None:
    before = bytes_below(item.path)
    copy(item)
    assert bytes_below(item.path) - before < 5000


def test_a_copy_is_seen_in_its_block_and_keeps_to_conditions(item: ItemFolder) -> None:
    with item.change(by="ana", what="import") as change:
        etag = change.copy(PICTURE, COVER, ABSENT)
        assert change.etag(COVER) == etag == etag_of(digest_of(LARGE))
        assert change.has(COVER)
        assert change.read(COVER) == LARGE
    copy(item, if_match=ABSENT)  # the same bytes: a write tried again
    with item.change(by="ana", what="edit") as change:
        change.write(COVER, b"other")
    with pytest.raises(DomainError) as refused:
        copy(item, if_match=ABSENT)
    assert refused.value.kind == "precondition"
    assert item.read(COVER) == b"other"


def test_what_is_no_file_is_not_copied(item: ItemFolder, tmp_path: Path) -> None:
    (tmp_path / "outside").write_bytes(b"secret")
    (item.path / "lore" / "link.json").symlink_to(tmp_path / "outside")
    for source, kinds in (
        ("images/none.png", {"not-found"}),
        ("../outside", {"invalid"}),
        ("lore/link.json", {"not-found", "invalid"}),
    ):
        with pytest.raises(DomainError) as refused, item.change(by="ana", what="import") as change:
            change.copy(source, COVER)
        assert refused.value.kind in kinds
    assert not item.has(COVER)


@pytest.mark.req("WORLD-1")
@pytest.mark.parametrize("links", [True, False])
def test_a_copy_cut_off_anywhere_is_there_whole_or_not_at_all(item: ItemFolder, links: bool) -> None:
    ends = set()
    for at in count(1):
        with item.change(by="ana", what="edit") as change:
            change.write("lore/fog.json", b"fog 1")
            if change.has(COVER):
                change.remove(COVER)
        with pytest.MonkeyPatch.context() as patch:
            if not links:
                patch.setattr("tests.support.faults.os.link", no_links)
            with broken(crash=True, at=at) as fault:
                copy(item)
        item.settle()
        found = (item.read("lore/fog.json"), item.has(COVER))
        assert found in ((b"fog 1", False), (b"fog 2", True))
        assert not item.has(COVER) or item.read(COVER) == LARGE
        assert item.read(PICTURE) == LARGE
        ends.add(found)
        if not fault.hit:
            break
    assert len(ends) == 2


def no_links(*args: object, **kwargs: object) -> None:
    raise OSError(errno.EPERM, "no hard links here")
