"""What a writer does until it is cut off, and what must be found afterwards: shared by kills and power cuts.

A life has `prepare` (before the writer starts), `run` (endless; calls `acknowledge(n)` after step n is done,
n = 1, 2 …) and `found`, which opens the folder as a new process would and says which step it shows: n for
everything of step n and nothing else, or a `Torn`. A step is lost when less is found than was acknowledged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from pathlib import Path

from worlds.store import atomic
from worlds.store.folder import ItemFolder
from worlds.store.paths import DataFolder
from worlds.store.shelf import Shelf

Acknowledge = Callable[[int], None]


class Torn(AssertionError):
    """What is found is no state that a step could have left."""


def document(step: int) -> bytes:
    """A document that tells its step and proves that it is whole: 3 to 40 KB, differing with each step."""
    body = f"{step}:" + "雾" * (1000 + step * 7919 % 12_000)
    return f"{body}:{sha256(body.encode()).hexdigest()}".encode()


def step_of(data: bytes) -> int:
    """The step of a document. Raises Torn."""
    body, _, digest = data.decode(errors="replace").rpartition(":")
    if sha256(body.encode()).hexdigest() != digest:
        raise Torn(f"{len(data)} bytes that are no document")
    return int(body.partition(":")[0])


def shelf(root: Path) -> Shelf:
    return Shelf(DataFolder(root), "ana", "worlds")


def world_id(step: int) -> str:
    """An item id that tells its step in the twenty base32 characters of its token."""
    return "fog-" + f"{step:020o}".translate(str.maketrans("01234567", "abcdefgh"))


def step_of_id(item_id: str) -> int:
    return int(item_id.removeprefix("fog-").translate(str.maketrans("abcdefgh", "01234567")), 8)


def the_world(root: Path) -> ItemFolder:
    return shelf(root).folder(world_id(0))


def one_world(root: Path) -> None:
    shelf(root).create(world_id(0), {"world.json": document(0), "lore/fog.json": document(0)})


def no_world(root: Path) -> None:
    atomic.make_folders(shelf(root).path)


def save(root: Path, acknowledge: Acknowledge) -> None:
    """One file, written atomically."""
    for step in count(1):
        atomic.atomic_write(root / "alone.json", document(step))
        acknowledge(step)


def saved(root: Path) -> int:
    path = root / "alone.json"
    return step_of(path.read_bytes()) if path.exists() else 0


def change(root: Path, acknowledge: Acknowledge) -> None:
    """Several files of one world as one change; a file comes and goes with every step."""
    for step in count(1):
        with the_world(root).change(by="ana", what="edit") as block:
            block.write("world.json", document(step))
            block.write("lore/fog.json", document(step))
            block.write(f"characters/c{step % 5}.json", document(step))
            if step > 1:
                block.remove(f"items/i{step - 1}.json")
            block.write(f"items/i{step}.json", document(step))
        acknowledge(step)


def changed(root: Path) -> int:
    world = the_world(root)
    files = world.read_all()
    step = step_of(files["world.json"])
    if step_of(files["lore/fog.json"]) != step:
        raise Torn("two files of one change differ")
    if step == 0:
        return 0
    wanted = {"world.json", "lore/fog.json", f"items/i{step}.json"}
    wanted |= {f"characters/c{number % 5}.json" for number in range(1, step + 1)}
    if set(files) != wanted or step_of(files[f"characters/c{step % 5}.json"]) != step:
        raise Torn(f"step {step} shows {sorted(files)}")
    history = world.history()
    if len(history) != step:
        raise Torn(f"{len(history)} versions of {step}")
    for back, record in enumerate(history):
        if step_of(world.former(record.id, "world.json")) != step - back - 1:
            raise Torn("a version holds other bytes than it replaced")
    return step


def restore_version(root: Path, acknowledge: Acknowledge) -> None:
    """A change, taken back as a whole (an update and its revert)."""
    world = the_world(root)
    for step in count(1):
        if step % 2:
            with world.change(by="ana", what="update") as block:
                block.write("world.json", document(step))
                block.write("lore/new.json", document(step))
                block.remove("lore/fog.json")
        else:
            world.restore(world.history(limit=1)[0].id, by="ana")
        acknowledge(step)


def version_restored(root: Path) -> int:
    world = the_world(root)
    files = {path: step_of(data) for path, data in world.read_all().items()}
    step = len(world.history())
    odd = {"world.json": step, "lore/new.json": step}
    even = {"world.json": 0, "lore/fog.json": 0}
    if files != (odd if step % 2 else even):
        raise Torn(f"step {step} shows {files}")
    return step


def trash(root: Path, acknowledge: Acknowledge) -> None:
    """A world moved to the trash and back."""
    for step in count(1):
        if step % 2:
            shelf(root).to_trash(world_id(0))
        else:
            shelf(root).restore(shelf(root).trashed()[0].entry_id)
        acknowledge(step)


def trashed(root: Path) -> int:
    """0 when the world stands, 1 when it is in the trash: which of both is right is judged by parity."""
    places = [shelf(root).path / item for item in shelf(root).ids()]
    entries = [shelf(root).trash_path / entry.entry_id for entry in shelf(root).trashed()]
    if len(places) + len(entries) != 1:
        raise Torn(f"the world is in {len(places) + len(entries)} places")
    world = ItemFolder((places or entries)[0], root / "checking.lock")
    if {path: step_of(data) for path, data in world.read_all().items()} != {
        "world.json": 0,
        "lore/fog.json": 0,
    }:
        raise Torn("the world lost something on its way")
    return len(entries)


def create(root: Path, acknowledge: Acknowledge) -> None:
    """New worlds, one after the other."""
    for step in count(1):
        shelf(root).create(world_id(step), {"world.json": document(step), "a/b/c.json": document(step)})
        acknowledge(step)


def created(root: Path) -> int:
    ids = shelf(root).ids()
    for item_id in ids:
        files = shelf(root).folder(item_id).read_all()
        if {path: step_of(data) for path, data in files.items()} != dict.fromkeys(
            ("world.json", "a/b/c.json"), step_of_id(item_id)
        ):
            raise Torn(f"{item_id} holds {sorted(files)}")
    if sorted(map(step_of_id, ids)) != list(range(1, len(ids) + 1)):
        raise Torn("a world in the middle is missing")
    return len(ids)


@dataclass(frozen=True)
class Life:
    prepare: Callable[[Path], None]
    run: Callable[[Path, Acknowledge], None]
    found: Callable[[Path], int]
    parity: bool = False

    def lost(self, first: int, last: int, found: int) -> bool:
        """Whether what is found shows less than was acknowledged.

        Step `first` was acknowledged for certain, `last` is the last that may have been; one more may show.
        """
        possible = range(first, last + 2)
        return found not in ({step % 2 for step in possible} if self.parity else possible)


LIVES = {
    "save": Life(no_world, save, saved),
    "change": Life(one_world, change, changed),
    "update-and-revert": Life(one_world, restore_version, version_restored),
    "trash-and-restore": Life(one_world, trash, trashed, parity=True),
    "create": Life(no_world, create, created),
}
