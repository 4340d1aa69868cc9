"""Random lives of two worlds against a model: every byte ever acknowledged is somewhere to be found."""

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from formats.errors import DomainError
from tests.support.faults import broken
from worlds.store.etags import ABSENT, ANY, digest_of
from worlds.store.folder import ItemFolder
from worlds.store.paths import DataFolder, new_item_id
from worlds.store.shelf import Shelf

PATHS = ["world.json", "lore/雾.json", "lore/sea.json", "characters/lina.json", "images/cover.png"]
paths, contents = st.sampled_from(PATHS), st.binary(max_size=20)


class StoreMachine(RuleBasedStateMachine):
    """The model: what each world holds, what its trash of versions must still give, and where it is."""

    @initialize()
    def begin(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="store-machine-"))
        self.shelf = Shelf(DataFolder(self.root), "ana", "worlds")
        self.live: dict[str, dict[str, bytes]] = {}
        self.trashed: dict[str, dict[str, bytes]] = {}
        self.acknowledged: dict[str, set[bytes]] = {}
        self.create({"world.json": b"{}"})

    def teardown(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    def folder(self, pick: int) -> ItemFolder:
        return self.shelf.folder(sorted(self.live)[pick % len(self.live)])

    @precondition(lambda self: len(self.live) < 2)
    @rule(files=st.dictionaries(paths, contents, min_size=1))
    def create(self, files: dict[str, bytes]) -> None:
        item = self.shelf.create(new_item_id("Fog"), files).id
        self.live[item] = dict(files)
        self.acknowledged[item] = set(files.values())

    @precondition(lambda self: self.live)
    @rule(
        pick=st.integers(0, 1),
        edits=st.dictionaries(paths, st.none() | contents, min_size=1),
        crash_at=st.none() | st.integers(1, 60),
    )
    def change(self, pick: int, edits: dict[str, bytes | None], crash_at: int | None) -> None:
        folder = self.folder(pick)
        before = self.live[folder.id]
        after = dict(before)
        with (
            broken(at=crash_at or 0, crash=crash_at is not None),
            folder.change(by="ana", what="edit") as change,
        ):
            for path, data in edits.items():
                if data is not None:
                    change.write(path, data, if_match=change.etag(path))
                    after[path] = data
                elif change.has(path):
                    change.remove(path)
                    after.pop(path, None)
        found = folder.read_all()
        if crash_at is None:
            assert found == after
        if found == after:
            self.live[folder.id] = after
            self.acknowledged[folder.id] |= set(after.values())
        assert found in (before, after)

    @precondition(lambda self: self.live)
    @rule(pick=st.integers(0, 1), path=paths, data=contents, stale=st.booleans())
    def write_on_a_condition(self, pick: int, path: str, data: bytes, stale: bool) -> None:
        folder = self.folder(pick)
        there = self.live[folder.id].get(path)
        condition = f'"{digest_of(b"never written")}"' if stale else folder.etag(path)
        assert stale or condition == (f'"{digest_of(there)}"' if there is not None else ABSENT)
        if stale and data != there:
            with pytest.raises(DomainError) as refused, folder.change(by="ben", what="edit") as change:
                change.write(path, data, if_match=condition)
            assert refused.value.kind == "precondition"
            return
        with folder.change(by="ben", what="edit") as change:
            change.write(path, data, if_match=condition)
        self.live[folder.id][path] = data
        self.acknowledged[folder.id].add(data)

    @precondition(lambda self: self.live)
    @rule(pick=st.integers(0, 1), path=paths, data=contents)
    def edit_by_hand(self, pick: int, path: str, data: bytes) -> None:
        """An editor replaces a file outside of the store; only what the store acknowledged must stay."""
        folder = self.folder(pick)
        old = self.live[folder.id].get(path)
        if old is None:
            return
        new = folder.path / f"{path}.new"
        new.write_bytes(data)
        new.rename(folder.path / path)
        self.live[folder.id][path] = data
        if old != data and old not in self.kept(folder, self.live[folder.id]):
            self.acknowledged[folder.id].discard(old)
        with folder.change(by="ana", what="edit") as change:
            change.write(path, data + b"!", if_match=ANY)
        self.live[folder.id][path] = data + b"!"
        self.acknowledged[folder.id] |= {data, data + b"!"}

    @precondition(lambda self: self.live)
    @rule(pick=st.integers(0, 1), which=st.integers(0, 20), whole=st.booleans())
    def restore_version(self, pick: int, which: int, whole: bool) -> None:
        folder = self.folder(pick)
        history = folder.history()
        if not history:
            return
        record = history[which % len(history)]
        kept = [path for path in record.changed if record.files[path].before is not None]
        if not whole and not kept:
            return
        folder.restore(record.id, None if whole else kept[0], by="ana")
        found = folder.read_all()
        for path in kept if whole else kept[:1]:
            assert digest_of(found[path]) == record.files[path].before
        self.live[folder.id] = found

    @precondition(lambda self: self.live)
    @rule(pick=st.integers(0, 1), crash_at=st.none() | st.integers(1, 12))
    def to_trash(self, pick: int, crash_at: int | None) -> None:
        item = self.folder(pick).id
        with broken(at=crash_at or 0, crash=crash_at is not None):
            self.shelf.to_trash(item)
        for entry in self.shelf.trashed():
            if entry.item_id == item:
                self.trashed[entry.entry_id] = self.live.pop(item)
        assert crash_at is not None or item not in self.live

    @precondition(lambda self: self.trashed)
    @rule(pick=st.integers(0, 3))
    def restore_item(self, pick: int) -> None:
        entry = sorted(self.trashed)[pick % len(self.trashed)]
        folder = self.shelf.restore(entry)
        self.live[folder.id] = self.trashed.pop(entry)

    @precondition(lambda self: self.trashed)
    @rule(pick=st.integers(0, 3))
    def empty_trash(self, pick: int) -> None:
        entry = sorted(self.trashed)[pick % len(self.trashed)]
        self.shelf.empty(entry)
        del self.trashed[entry], self.acknowledged[entry.partition("-")[2]]

    def kept(self, folder: ItemFolder, live: dict[str, bytes]) -> set[bytes]:
        former = {
            folder.former(record.id, path)
            for record in folder.history()
            for path, file in record.files.items()
            if file.before is not None
        }
        return former | set(live.values())

    @invariant()
    def every_acknowledged_byte_is_somewhere(self) -> None:
        assert self.shelf.ids() == sorted(self.live)
        assert [entry.entry_id for entry in self.shelf.trashed()] == sorted(self.trashed, reverse=True)
        for item, files in self.live.items():
            folder = self.shelf.folder(item)
            assert folder.read_all() == files
            assert self.acknowledged[item] <= self.kept(folder, files)
        for entry, files in self.trashed.items():
            folder = ItemFolder(self.shelf.trash_path / entry, self.root / "unused.lock")
            assert folder.read_all() == files
            assert self.acknowledged[entry.partition("-")[2]] <= self.kept(folder, files)
