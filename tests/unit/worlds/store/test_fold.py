"""A file that saves itself while somebody writes: one sitting is one step of the history."""

import shutil
from collections.abc import Callable
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest

from tests.support.faults import broken
from worlds.store.folder import ItemFolder

SITTING = timedelta(minutes=10)
MakeItem = Callable[[], ItemFolder]


@pytest.fixture
def item(tmp_path: Path) -> MakeItem:
    def fresh() -> ItemFolder:
        path = tmp_path / "item"
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        (path / "book.json").write_bytes(b"0")
        return ItemFolder(path, tmp_path / "locks" / "item.lock")

    return fresh


def save(
    item: ItemFolder, data: bytes, by: str = "ana", fold: timedelta | None = SITTING, note: str = ""
) -> str:
    with item.change(by=by, what="autosave", note=note, fold=fold) as change:
        change.write("book.json", data)
    return change.id


def steps(item: ItemFolder) -> list[bytes]:
    return [item.former(record.id, "book.json") for record in item.history()]


def test_the_bytes_from_before_the_sitting_stay_and_those_between_go(item: MakeItem) -> None:
    folder = item()
    first = save(folder, b"1", note="Fog")
    save(folder, b"2", note="Sea")
    save(folder, b"3", note="Fog")
    assert steps(folder) == [b"0"]
    record = folder.recorded(first)
    assert folder.etag("book.json").strip('"') == record.files["book.json"].after
    assert record.note == "Fog, Sea"
    folder.restore(first, by="ana")
    assert folder.read("book.json") == b"0"


def test_another_person_another_act_and_another_hour_are_steps_of_their_own(item: MakeItem) -> None:
    folder = item()
    save(folder, b"1")
    save(folder, b"2", by="ben")
    save(folder, b"3", by="ana")
    save(folder, b"4", by="ana", fold=timedelta(0))
    with folder.change(by="ana", what="restore", fold=SITTING) as change:
        change.write("book.json", b"5")
    assert steps(folder) == [b"4", b"3", b"2", b"1", b"0"]


def test_what_was_written_by_hand_in_between_is_never_dropped(item: MakeItem) -> None:
    folder = item()
    save(folder, b"1")
    (folder.path / "book.json").write_bytes(b"by hand")
    save(folder, b"2")
    assert steps(folder) == [b"by hand", b"0"]


def test_other_files_are_another_step(item: MakeItem) -> None:
    folder = item()
    save(folder, b"1")
    with folder.change(by="ana", what="autosave", fold=SITTING) as change:
        change.write("book.json", b"2")
        change.write("item.json", b"{}")
    assert steps(folder) == [b"1", b"0"]


def test_a_write_of_the_same_bytes_folds_nothing(item: MakeItem) -> None:
    folder = item()
    save(folder, b"1", fold=None)
    save(folder, b"2", fold=None)
    save(folder, b"2")
    assert steps(folder) == [b"1", b"0"]


def test_a_crash_anywhere_loses_neither_the_save_nor_the_first_bytes(item: MakeItem) -> None:
    for at in count(1):
        folder = item()
        save(folder, b"1")
        with broken(crash=True, at=at) as fault:
            save(folder, b"2")
        if not fault.hit:
            break
        folder.settle()
        assert folder.read("book.json") in (b"1", b"2")
        assert steps(folder)[-1] == b"0", "the bytes from before the sitting"
        assert set(steps(folder)) <= {b"0", b"1"}
        save(folder, b"3")
        assert folder.read("book.json") == b"3"
        assert steps(folder)[-1] == b"0"
    assert at > 15


def test_a_disk_that_fails_while_folding_costs_no_save(item: MakeItem) -> None:
    for at in count(1):
        folder = item()
        save(folder, b"1")
        with broken(at=at, error=28, only=("rmtree",)) as fault:
            save(folder, b"2")
        assert folder.read("book.json") == b"2"
        if not fault.hit:
            break
    assert at > 1
