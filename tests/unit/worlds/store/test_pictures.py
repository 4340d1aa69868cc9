"""The picture library: what is kept, under which name, and what is said of the rest (PIC-2, PIC-5)."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formats.errors import DomainError
from formats.image import picture_hash
from tests.support.pictures import animation, huge_png, picture, with_text
from worlds.store.folder import ItemFolder
from worlds.store.picture_list import LIST, SCHEMA, LibraryPicture, Origin
from worlds.store.pictures import (
    LARGEST,
    SMALLEST,
    Added,
    Copy,
    Kept,
    NewPicture,
    PictureLibrary,
    Refused,
    add_pictures,
)

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
USER = Origin("user", original_name="harbour.png")


def add(world: ItemFolder, *pictures: bytes, room: int | None = None) -> list[Added]:
    new = [NewPicture(data, USER) for data in pictures]
    return PictureLibrary(world).add(new, by="ana", now=NOW, quota_left=lambda: room)


def kept(world: ItemFolder, data: bytes) -> LibraryPicture:
    [result] = add(world, data)
    assert isinstance(result, Kept)
    return result.picture


def code(result: Added) -> str:
    assert isinstance(result, Refused)
    return result.finding.code


def padded(data: bytes, size: int) -> bytes:
    return data + b"\0" * (size - len(data))


@pytest.mark.req("PIC-2")
@pytest.mark.parametrize(
    ("kind", "ending"), [("PNG", "png"), ("JPEG", "jpg"), ("WEBP", "webp"), ("GIF", "gif")]
)
def test_picture_is_kept_under_its_hash_with_what_is_known(world: ItemFolder, kind: str, ending: str) -> None:
    data = picture(1, kind)
    origin = Origin("downloaded", "https://a.example/lina.png", "lina.png")
    PictureLibrary(world).add([NewPicture(data, origin, "Lina at the pier")], by="ana", now=NOW)
    file = f"images/library/{picture_hash(data)}.{ending}"
    assert world.read(file) == data
    assert world.read_json(LIST) == {
        "schema": SCHEMA,
        "pictures": [
            {
                "file": file,
                "origin": {
                    "kind": "downloaded",
                    "address": "https://a.example/lina.png",
                    "original_name": "lina.png",
                },
                "alt": "Lina at the pier",
                "size": len(data),
                "width": 40,
                "height": 30,
                "added": "2026-11-30T12:00:00+00:00",
            }
        ],
    }
    [listed] = PictureLibrary(world).pictures()
    assert listed.origin == origin
    assert (listed.file, listed.alt, listed.size) == (file, "Lina at the pier", len(data))


@pytest.mark.req("PIC-5")
@pytest.mark.parametrize(
    ("brought", "why"),
    [
        (b"", "picture.not-a-picture"),
        (b"<html>" * 1000, "picture.not-a-picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'>" + b" " * 2000, "picture.not-a-picture"),
        (b"BM" + b"\0" * 2000, "picture.not-a-picture"),
        (b"RIFF\0\0\0\0WAVE" + b"\0" * 2000, "picture.not-a-picture"),
        (padded(picture(1, size=(1, 1)), SMALLEST - 1), "picture.too-small"),
        (padded(picture(1), LARGEST + 1), "picture.too-large"),
        (huge_png(6325, 6325), "picture.too-many-pixels"),
    ],
    ids=["nothing", "html", "svg", "bmp", "sound", "1023 bytes", "over 20 MB", "over 40 Mpx"],
)
def test_what_is_refused(world: ItemFolder, brought: bytes, why: str) -> None:
    [refused, good] = add(world, brought, picture(2))
    assert code(refused) == why
    assert isinstance(good, Kept), "one bad picture hinders no other"
    assert world.paths("images") == sorted([LIST, good.picture.file])


@pytest.mark.req("PIC-5")
def test_smallest_and_largest_and_moving_pictures_are_kept(world: ItemFolder) -> None:
    smallest = padded(picture(1, size=(1, 1)), SMALLEST)
    results = add(world, smallest, padded(picture(1), LARGEST), animation())
    assert [type(result) for result in results] == [Kept, Kept, Kept]


@pytest.mark.req("PIC-5")
def test_copy_is_known_by_its_picture_not_by_its_bytes(world: ItemFolder) -> None:
    first, same, again = add(world, picture(1), with_text(1, "written by a tool"), picture(1))
    assert isinstance(first, Kept)
    assert same == again == Copy(first.picture.file)
    assert add(world, with_text(1, "another day")) == [Copy(first.picture.file)]
    assert len(PictureLibrary(world).pictures()) == 1


@pytest.mark.req("PIC-5")
def test_pictures_of_the_card_count_as_copies(world: ItemFolder) -> None:
    with world.change(by="ana", what="import") as change:
        change.write("images/cover.png", with_text(1, "cover"))
        change.write("images/portraits/lina.png", picture(2))
        change.write(".import/picture.jpg", picture(3, "JPEG"))
    library = PictureLibrary(world)
    others = library.other_pictures()
    assert sorted(others.values()) == [".import/picture.jpg", "images/cover.png", "images/portraits/lina.png"]
    new = [NewPicture(data, USER) for data in (picture(1), picture(2), picture(3, "JPEG"), picture(4))]
    results = library.add(new, by="ana", now=NOW, also_known=others)
    assert results[:3] == [
        Copy("images/cover.png"),
        Copy("images/portraits/lina.png"),
        Copy(".import/picture.jpg"),
    ]
    assert isinstance(results[3], Kept)
    assert library.other_pictures() == others, "the library is not among the others"


def test_quota_takes_what_fits_and_refuses_the_rest(world: ItemFolder) -> None:
    small, large = picture(1, size=(20, 20)), picture(2, size=(90, 90))
    results = add(world, large, small, picture(3, size=(20, 20)), room=len(small) + 10)
    assert [type(result) for result in results] == [Refused, Kept, Refused]
    assert code(results[0]) == code(results[2]) == "picture.quota"
    assert isinstance(add(world, picture(3, size=(20, 20)), room=None)[0], Kept)


def test_batch_is_one_change_and_nothing_new_is_none(world: ItemFolder) -> None:
    add(world, *(picture(number) for number in range(5)))
    [record] = world.history()
    assert (record.what, len(record.files)) == ("add-pictures", 6)
    add(world, picture(1), b"junk")
    assert len(world.history()) == 1


def test_callers_add_pictures_within_a_change_of_their_own(world: ItemFolder) -> None:
    with world.change(by="ana", what="import") as change:
        [result] = add_pictures(change, [NewPicture(picture(1), Origin("card"))], now=NOW)
        change.write("characters/lina.json", b"lina 2")
    assert isinstance(result, Kept)
    assert len(world.history()) == 1


def test_removed_picture_stays_in_the_history(world: ItemFolder) -> None:
    one, two = kept(world, picture(1)), kept(world, picture(2))
    PictureLibrary(world).remove(one.file, by="ana")
    assert [listed.file for listed in PictureLibrary(world).pictures()] == [two.file]
    assert not world.has(one.file)
    assert world.former(world.history()[0].id, one.file) == picture(1)
    assert isinstance(add(world, picture(1))[0], Kept), "what was removed can come back"


def test_replaced_picture_keeps_its_words_and_its_place(world: ItemFolder) -> None:
    one, two = kept(world, picture(1)), kept(world, picture(2))
    library = PictureLibrary(world)
    library.describe(one.file, "The pier", by="ana")
    result = library.replace(one.file, NewPicture(picture(3), USER), by="ana", now=NOW)
    assert isinstance(result, Kept)
    assert [(listed.file, listed.alt) for listed in library.pictures()] == [
        (result.picture.file, "The pier"),
        (two.file, ""),
    ]
    assert not world.has(one.file)
    copy = library.replace(two.file, NewPicture(picture(3), USER), by="ana", now=NOW)
    assert copy == Copy(result.picture.file)
    refused = library.replace(two.file, NewPicture(b"junk", USER), by="ana", now=NOW)
    assert code(refused) == "picture.not-a-picture"
    full = library.replace(two.file, NewPicture(picture(4), USER), by="ana", now=NOW, quota_left=lambda: 10)
    assert code(full) == "picture.quota"
    assert world.read(two.file) == picture(2)


@pytest.mark.parametrize(
    "file", ["", "world.json", "images/library.json", "images/library/x.png", "../x.png"]
)
def test_only_pictures_of_the_library_are_changed(world: ItemFolder, file: str) -> None:
    kept(world, picture(1))
    library, before = PictureLibrary(world), world.read_all()
    for attempt in (
        lambda: library.remove(file, by="ana"),
        lambda: library.describe(file, "x", by="ana"),
        lambda: library.replace(file, NewPicture(picture(2), USER), by="ana", now=NOW),
    ):
        with pytest.raises(DomainError) as refusal:
            attempt()
        assert refusal.value.kind == "not-found"
    assert world.read_all() == before


def test_files_laid_in_by_hand_are_pictures_too(world: ItemFolder) -> None:
    with world.change(by="ana", what="edit") as change:
        change.write("images/library/old map.jpg", picture(1, "JPEG"))
        change.write("images/library/notes.txt", b"not a picture")
        change.write("images/library/broken.png", b"broken")
    library = PictureLibrary(world)
    broken, by_hand = library.pictures()
    assert (by_hand.file, by_hand.width, by_hand.added) == ("images/library/old map.jpg", 40, "")
    assert (broken.width, broken.height, broken.size) == (0, 0, 6)
    assert add(world, picture(1, "JPEG")) == [Copy("images/library/old map.jpg")]
    library.describe(by_hand.file, "An old map", by="ana")
    assert library.pictures()[0].alt == "An old map"
    library.remove(broken.file, by="ana")
    assert [listed.file for listed in library.pictures()] == [by_hand.file]


def test_what_others_wrote_into_the_list_survives(world: ItemFolder) -> None:
    first = kept(world, picture(1))
    value = world.read_json(LIST)
    value["note"] = "by hand"
    value["pictures"][0]["mood"] = "grey"
    value["pictures"] += [7, None, {"file": 3}, {"file": "images/library/gone.png", "alt": "gone"}]
    with world.change(by="ben", what="edit") as change:
        change.write_json(LIST, value)
    library = PictureLibrary(world)
    library.describe(first.file, "Fog", by="ana")
    kept(world, picture(2))
    now = world.read_json(LIST)
    assert now["note"] == "by hand"
    assert (now["pictures"][0]["mood"], now["pictures"][0]["alt"]) == ("grey", "Fog")
    assert now["pictures"][1:5] == value["pictures"][1:]
    assert len(library.pictures()) == 2, "entries without a file are not shown"


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"pictures": {}}', b"\0" * 50])
def test_damaged_list_is_left_as_it_is(world: ItemFolder, content: bytes) -> None:
    with world.change(by="ana", what="edit") as change:
        change.write(LIST, content)
    with pytest.raises(DomainError) as refusal:
        add(world, picture(1))
    assert refusal.value.kind == "invalid"
    with pytest.raises(DomainError):
        PictureLibrary(world).pictures()
    assert world.read(LIST) == content
    assert world.paths("images") == [LIST]


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
NAMES = ("file", "origin", "alt", "size", "width", "height", "added")


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(JSON_VALUES | st.fixed_dictionaries(dict.fromkeys(NAMES, JSON_VALUES)), max_size=4))
def test_any_entries_are_read_and_kept(world: ItemFolder, entries: list[object]) -> None:
    with world.change(by="ana", what="edit") as change:
        change.write(LIST, json.dumps({"schema": SCHEMA, "pictures": entries}).encode())
    PictureLibrary(world).pictures()
    picture_of_hand = kept(world, picture(1))
    assert world.read_json(LIST)["pictures"][: len(entries)] == entries
    PictureLibrary(world).remove(picture_of_hand.file, by="ana")
    assert world.read_json(LIST)["pictures"] == entries
