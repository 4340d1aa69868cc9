"""A world in memory: every file read once, nothing refused silently, nothing followed out of the folder."""

import os
from pathlib import Path

import pytest

from formats.errors import DomainError
from tests.support.worlds import rich_world, small_world, world_of, write_world
from worlds.rules import check_world, load_files, load_world
from worlds.rules.documents import Character, Location, WorldFile
from worlds.rules.files import FolderFiles, UnreadableFile
from worlds.rules.json_text import MAX_BYTES
from worlds.rules.write import document_bytes


def codes(loaded: object) -> list[tuple[str, str]]:
    return [(found.code, found.where) for found in loaded.findings]  # type: ignore[attr-defined]


def test_a_folder_and_the_files_before_they_are_written_give_the_same_world(tmp_path: Path) -> None:
    files = rich_world()
    assert load_world(write_world(tmp_path / "w", files)) == load_files(files)


def test_everything_of_a_rich_world_is_there() -> None:
    loaded = load_files(rich_world())
    assert loaded.world is not None
    assert loaded.world.name == "雾港"
    assert set(loaded.characters) == {"沈青", "老周"}
    assert set(loaded.locations) == {"港城", "旧码头", "灯塔"}
    assert set(loaded.factions) == {"商会", "守灯人"}
    assert set(loaded.items) == {"铜钥匙", "账本"}
    assert set(loaded.lore) == {"沉船", "人物如何生成"}
    assert set(loaded.plotlines) == {"寻船"}
    assert [edge.target for edge in loaded.relationships.relationships] == ["老周"]
    assert [variable.key for variable in loaded.variables.variables] == ["trust", "fog", "tide"]
    assert [command.name for command in loaded.commands.commands] == ["招人"]
    assert [trigger.id for trigger in loaded.triggers.triggers] == ["新水手", "雾散", "吐露"]
    assert loaded.prompts["zh-hans", "style"] == loaded.prompts["en", "style"]
    assert "images/library/map.gif" in loaded.images


def test_single_files_may_be_absent() -> None:
    loaded = load_files(small_world())
    assert loaded.relationships.relationships == []
    assert loaded.triggers.triggers == []
    assert "relationships.json" not in loaded.by_path()


def test_each_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[str] = []
    read = FolderFiles.read

    def counted(files: FolderFiles, path: str) -> bytes:
        reads.append(path)
        return read(files, path)

    monkeypatch.setattr(FolderFiles, "read", counted)
    files = rich_world()
    check_world(write_world(tmp_path / "w", files))
    assert sorted(reads) == sorted(path for path in files if not path.startswith("images/"))


@pytest.mark.req("WORLD-3")
def test_dot_folders_and_litter_of_other_programs_are_passed_over(tmp_path: Path) -> None:
    litter = {
        ".import/card.json": b"{}",
        ".trash/1/characters/old.json": b"{",
        "characters/.ida.json.12.tmp": b"{",
        ".world.json.123.abc.tmp": b"{",
        "characters/._ida.json": b"\0",
        "Thumbs.db": b"\0",
    }
    folder = write_world(tmp_path / "w", small_world() | litter)
    assert load_world(folder) == load_files(small_world())


def test_a_file_that_is_no_part_of_a_world_is_named(tmp_path: Path) -> None:
    others = {
        "notes.txt": b"",
        "characters/ida.sync-conflict-20261130-101500-ABCDEFG.json": b"{}",
        "characters/deep/x.json": b"{}",
        "drafts/a.json": b"{}",
        "drafts/b.json": b"{}",
        "prompts/fr/roleplay/style.md": b"",
        "prompts/en/roleplay/gm.md": b"",
        "images/..hidden.gif ": b"",
    }
    found = codes(load_world(write_world(tmp_path / "w", small_world() | others)))
    assert {code for code, _where in found} == {"unread-file"}
    assert {where for _code, where in found} == {
        "notes.txt",
        "characters/ida.sync-conflict-20261130-101500-ABCDEFG.json",
        "characters/deep/",
        "drafts/",
        "prompts/fr/roleplay/style.md",
        "prompts/en/roleplay/gm.md",
    }


def test_links_and_special_files_are_never_opened(tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_bytes(document_bytes(Character(id="spy", name="Spy")))
    folder = write_world(tmp_path / "w", small_world())
    (folder / "characters/spy.json").symlink_to(secret)
    (folder / "factions").symlink_to(tmp_path)
    os.mkfifo(folder / "characters/pipe.json")
    loaded = load_world(folder)
    with pytest.raises(UnreadableFile):  # put there after the folder was listed
        FolderFiles(folder).read("characters/spy.json")
    with pytest.raises(UnreadableFile):
        FolderFiles(folder).read("characters/pipe.json")
    assert set(loaded.characters) == {"ida"}
    assert sorted(codes(loaded)) == [
        ("not-a-plain-file", "characters/pipe.json"),
        ("not-a-plain-file", "characters/spy.json"),
        ("not-a-plain-file", "factions"),
    ]


def test_a_file_that_cannot_be_had_or_read_is_an_error_and_its_id_exists(tmp_path: Path) -> None:
    folder = write_world(tmp_path / "w", small_world() | {"characters/bo.json": b"{"})
    (folder / "characters/cy.json").write_bytes(b" " * (MAX_BYTES + 1))
    files = FolderFiles(folder)
    listed = files.paths()
    (folder / "characters/ida.json").unlink()
    assert "characters/ida.json" in listed
    loaded = load_world(folder)
    assert loaded.broken == {("character", "bo"), ("character", "cy")}
    with pytest.raises(UnreadableFile, match=r"characters/ida\.json could not be read"):
        files.read("characters/ida.json")


@pytest.mark.parametrize(
    "data", [b"", b"\0" * 512, b'{"schema": "roleplay-wor', b"[]", b"\xff\xfe{\0"], ids=repr
)
def test_a_spoilt_world_file_opens_as_a_draft(tmp_path: Path, data: bytes) -> None:
    folder = write_world(tmp_path / "w", small_world() | {"world.json": data})
    loaded = load_world(folder)
    assert loaded.world is None
    assert ("world", "") in loaded.broken
    assert [found.severity for found in check_world(loaded)] == ["error"]


def test_an_empty_folder_opens_and_a_missing_one_is_not_found(tmp_path: Path) -> None:
    assert [found.code for found in check_world(tmp_path)] == ["world-missing", "no-playable-character"]
    with pytest.raises(DomainError) as refused:
        load_world(tmp_path / "gone")
    assert refused.value.kind == "not-found"


def test_names_that_are_not_unicode_do_not_stop_the_reading(tmp_path: Path) -> None:
    folder = write_world(tmp_path / "w", small_world())
    os.close(os.open(os.fsencode(folder) + b"/characters/\xff.json", os.O_CREAT | os.O_WRONLY))
    [finding] = load_world(folder).findings
    assert finding.where.encode() == rb"characters/\udcff.json"


def test_changed_is_what_writing_and_reading_again_would_give() -> None:
    files = rich_world() | {"characters/bo.json": b"{", "characters/ida.json": b'{"schema": 1}'}
    files["world.json"] = files["world.json"].replace(b"{", b'{"theme": 1,', 1)
    files["commands.json"] = files["commands.json"].replace(b"{", b'{"theme": 1,', 1)
    loaded = load_files(files)
    bo = Character.model_validate({"id": "bo", "name": "Bo"})
    world = WorldFile(name="Anders", opening="o")
    changed = loaded.changed({"characters/bo.json": bo, "lore/沉船.json": None, "world.json": world})
    files |= {"characters/bo.json": document_bytes(bo), "world.json": document_bytes(world)}
    del files["lore/沉船.json"]
    again = load_files(files)
    assert changed == again
    assert [unread.where for unread in again.unread] == ["commands.json"]
    with pytest.raises(ValueError, match="not the path of this document"):
        loaded.changed({"characters/bo.json": Location(id="bo", name="Bo")})


def test_a_world_of_many_documents_is_linked_throughout() -> None:
    assert check_world(load_files(world_of(60))) == []
