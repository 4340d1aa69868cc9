"""Which file is which document, and which names are refused as paths."""

import pytest

from worlds.rules.documents import KINDS
from worlds.rules.paths import document_of, document_path, is_hidden, is_image_path, place


@pytest.mark.parametrize("kind", KINDS)
def test_paths_and_documents_are_each_others_inverse(kind: str) -> None:
    id = "" if KINDS[kind].file else "沈青"
    assert document_of(document_path(kind, id)) == (kind, id)


@pytest.mark.req("CARD-10")
@pytest.mark.parametrize("id", ["", "..", "../x", "a/b", "a\\b", ".a", "con", "a\0", "\u202e", "a" * 300])
def test_an_id_that_is_no_file_name_gives_no_path(id: str) -> None:
    with pytest.raises(ValueError, match="cannot name a file"):
        document_path("character", id)


@pytest.mark.parametrize(
    "path",
    [
        "characters/a.txt",
        "characters/x/a.json",
        "people/a.json",
        "characters/../world.json",
        "characters/.a.json",
        "characters/a (conflicted copy 2026-11-30).json",
        "characters/a.json..path1",
        "World.json",
        "/world.json",
    ],
)
def test_other_files_are_no_documents(path: str) -> None:
    assert document_of(path) is None


@pytest.mark.req("CARD-10")
def test_pictures_lie_below_images_under_any_safe_name() -> None:
    assert is_image_path("images/portraits/沈青.webp")
    for path in ("images", "images/", "images//a", "images/.a", "pictures/a", "images/con.png", "images/a\n"):
        assert not is_image_path(path)


def test_hidden_and_places() -> None:
    assert is_hidden("a/.b/c")
    assert not is_hidden("a.b/c")
    assert place("characters/a.json: speech.style") == ("characters/a.json", "speech.style")
    assert place("world.json") == ("world.json", "")
