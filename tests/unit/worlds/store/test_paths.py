from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.errors import DomainError
from worlds.store.paths import (
    DataFolder,
    foreign_kind,
    is_document_path,
    is_hidden,
    is_item_id,
    new_item_id,
    new_token,
    refuse_bad_path,
)


@pytest.mark.req("CARD-10")
@pytest.mark.parametrize(
    "name", ["莉娜", "Zoë Fog", "Ёлка", "CON", "İstanbul", "ＡＢ", "..", "💙", "", "a/b"]
)
def test_a_name_in_any_script_gives_an_id(name: str) -> None:
    made = new_item_id(name)
    assert is_item_id(made)
    assert len(made.encode()) <= 120 + 21
    assert made != new_item_id(name)


@pytest.mark.req("CARD-10")
def test_the_letters_of_the_name_stay_readable() -> None:
    token = new_token()
    assert new_item_id("莉娜 的港口", token) == f"莉娜-的港口-{token}"
    assert new_item_id("💙", token) == f"item-{token}"


@given(st.text(max_size=300))
def test_every_text_gives_an_id_that_is_one_folder_name(name: str) -> None:
    made = new_item_id(name)
    assert is_item_id(made)
    assert "/" not in made
    assert not made.startswith(".")
    assert len(made.encode()) <= 255


@pytest.mark.parametrize(
    "value",
    [
        "",
        "-" + "a" * 20,
        "fog",
        "fog-short",
        "../x-" + "a" * 20,
        "Fog-" + "a" * 20,
        "fog-" + "A" * 20,
        ".fog-" + "a" * 20,
        "fog\0-" + "a" * 20,
        "fog-" + "a" * 21,
        "fog-" + "1" * 20,
        "a/b-" + "a" * 20,
    ],
)
def test_what_is_no_item_id(value: str) -> None:
    assert not is_item_id(value)


@pytest.mark.req("CARD-10")
@pytest.mark.parametrize(
    "path",
    [
        "world.json",
        "characters/莉娜.json",
        "images/library/ab.png",
        ".import/built/x.json",
        ".checks/r.json",
        "prompts/zh-hans/roleplay/style.md",
        "lore/Ёлка (2).json",
        ".import/original",
    ],
)
def test_document_paths(path: str) -> None:
    assert is_document_path(path)
    assert is_hidden(path) == path.startswith(".")


@pytest.mark.req("CARD-10")
@pytest.mark.parametrize(
    "path",
    [
        "",
        ".",
        "..",
        "../x",
        "a/../x",
        "a//b",
        "/etc/passwd",
        "a/",
        "a\\b",
        "a\0",
        ".trash/x",
        ".pending/0",
        ".commit.json",
        ".import",
        ".import/../x",
        ".import/.import/x",
        "a/.hidden",
        "．．/a/..",
        "a:b",
        "\ud800",
        "a\u202eb",
        "con",
        "aux.json",
        "x" * 256,
        "a\n",
        ".x.1.0123456789abcdef.tmp",
        "x.sync-conflict-1.json",
        "world.json..path1",
        "._world.json",
        "Thumbs.db",
        "a.swp",
        "~$a.docx",
        "a.partial",
        "lore/desktop.ini",
    ],
)
def test_what_is_no_document_path(path: str) -> None:
    assert not is_document_path(path)
    with pytest.raises(DomainError) as refused:
        refuse_bad_path(path)
    assert refused.value.kind == "invalid"
    str(refused.value).encode()  # a lone surrogate in the name does not reach the sentence


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("lina.sync-conflict-20261130-101112-ABCDEFG.json", "conflict"),
        ("world.json..path2", "conflict"),
        ("fog (conflicted copy 2026-11-30).json", "conflict"),
        (".DS_Store", "junk"),
        ("._lina.json", "junk"),
        ("THUMBS.DB", "junk"),
        (".~lock.notes.odt#", "junk"),
        (".lina.json.swp", "junk"),
        ("big.crdownload", "junk"),
        ("lina.json", None),
        ("swp.json", None),
    ],
)
def test_files_of_other_programs_are_known_by_name(name: str, kind: str | None) -> None:
    assert foreign_kind(name) == kind


def test_the_layout(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    item = new_item_id("Fog")
    assert data.item("ana", "worlds", item) == tmp_path / "users/ana/worlds" / item
    assert data.lock_file("ana", "worlds", item) == tmp_path / "users/ana/worlds/.locks" / f"{item}.lock"
    assert data.trash("ana", "presets") == tmp_path / "users/ana/.trash/presets"
    assert data.staging("ab-12") == tmp_path / "staging/ab-12"
    assert data.server_lock == tmp_path / ".server.lock"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.req("CARD-10")
@pytest.mark.parametrize(
    ("handle", "kind", "item"),
    [
        ("..", "worlds", "fog-" + "a" * 20),
        ("ana/../ben", "worlds", "fog-" + "a" * 20),
        (".trash", "worlds", "fog-" + "a" * 20),
        ("ana", ".trash", "fog-" + "a" * 20),
        ("ana", "worlds", "../" + "a" * 20),
    ],
)
def test_no_text_from_outside_becomes_a_path(tmp_path: Path, handle: str, kind: str, item: str) -> None:
    with pytest.raises(DomainError) as refused:
        DataFolder(tmp_path).item(handle, kind, item)
    assert refused.value.kind == "not-found"


@pytest.mark.parametrize("upload_id", ["", "..", ".x", "a/b", "a" * 65, "-a", "a\n"])
def test_what_is_no_upload_id(tmp_path: Path, upload_id: str) -> None:
    with pytest.raises(DomainError):
        DataFolder(tmp_path).staging(upload_id)
