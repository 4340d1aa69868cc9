"""Several real processes on one data folder."""

import subprocess
import sys
from pathlib import Path

import pytest

from worlds.store.folder import ItemFolder
from worlds.store.shelf import Shelf

PROCESSES, ROUNDS = 8, 100

COUNT = """
import sys
from pathlib import Path
from worlds.store.folder import ItemFolder
folder = ItemFolder(Path(sys.argv[1]), Path(sys.argv[2]))
for _ in range(int(sys.argv[3])):
    with folder.change(by=sys.argv[4], what="count", wait=60) as change:
        world = change.read_json("world.json")
        change.write_json("world.json", {**world, "count": world.get("count", 0) + 1})
        change.write("lore/fog.json", b"%d" % (world.get("count", 0) + 1))
"""

READ = """
import json, sys
from pathlib import Path
from worlds.store.folder import ItemFolder
folder = ItemFolder(Path(sys.argv[1]), Path(sys.argv[2]))
reads, seen = 0, -1
while not sys.stdin.closed and reads < 10_000:
    reads += 1
    bare = json.loads((folder.path / "world.json").read_bytes())
    seen, before = folder.read_json("world.json").get("count", 0), seen
    assert seen >= before, "time goes one way"
    if reads % 50 == 0:
        files = folder.read_all()
        world = json.loads(files["world.json"])
        assert world.get("count", 0) == int(files.get("lore/fog.json", b"0")), "two files of one change"
print(reads)
"""


def start(code: str, folder: ItemFolder, *args: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code, str(folder.path), str(folder.lock_file), *args]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out


@pytest.mark.req("WORLD-1", "WORLD-2")
@pytest.mark.timeout(300)
def test_eight_processes_lose_no_change_and_readers_see_no_half(shelf: Shelf, tmp_path: Path) -> None:
    folder = shelf.create("fog-" + "a" * 20, {"world.json": b"{}", "lore/fog.json": b"0"})
    readers = [start(READ, folder) for _ in range(1)]
    writers = [start(COUNT, folder, str(ROUNDS), f"writer-{number}") for number in range(PROCESSES)]
    for writer in writers:
        finish(writer)
    assert folder.read_json("world.json")["count"] == PROCESSES * ROUNDS
    history = folder.history()
    assert len(history) == PROCESSES * ROUNDS
    assert {record.by for record in history} == {f"writer-{number}" for number in range(PROCESSES)}
    assert [finish(reader).strip() for reader in readers] == ["10000"]
