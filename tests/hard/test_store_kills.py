"""Real processes killed with SIGKILL: at random moments, and at every single system call of a save.

`STORE_KILLS` sets the number of random kills for each life (200).
"""

import os
import random
import re
import select
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.hard.store_lives import LIVES, Life, document, one_world, step_of, the_world
from tests.hard.store_writer import tell
from worlds.store import atomic

pytestmark = [pytest.mark.hard, pytest.mark.timeout(3600)]
KILLS = int(os.environ.get("STORE_KILLS", "200"))
TOP = Path(__file__).parents[2]


def life_of_a_child(life: Life, root: Path, chance: random.Random) -> int:
    """Fork a writer, kill it at a random moment; returns the last step it acknowledged."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            life.run(root, lambda step: tell(writing, step))
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as acknowledged:
        if chance.random() < 0.7:  # else it may be killed in its first step
            select.select([acknowledged], [], [], 30)
        select.select([], [], [], chance.uniform(0, 0.03))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return int([b"0", *acknowledged.read().split()][-1])


@pytest.mark.req("WORLD-1", "DRAFT-6")
@pytest.mark.parametrize("name", LIVES)
def test_killed_at_random_moments(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda fd: None)  # a kill cannot see it; the power cuts do
    life, chance, steps, interrupted = LIVES[name], random.Random(name), 0, 0
    for _ in range(KILLS):
        root = tmp_path / "data"
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir()
        life.prepare(root)
        acknowledged = life_of_a_child(life, root, chance)
        steps += acknowledged
        interrupted += bool(left_behind(root))
        found = life.found(root)
        assert not life.lost(acknowledged, acknowledged, found), f"acknowledged {acknowledged}, found {found}"
        age(root)
        if name in ("change", "update-and-revert"):
            the_world(root).settle()
            assert left_behind(root) == []
    print(
        f"\nkills, {name}: {KILLS} kills, {steps} acknowledged steps, {interrupted} mid-step, 0 torn, 0 lost"
    )


def left_behind(root: Path) -> list[str]:
    wanted = (".pending", ".commit.json")
    return [path.name for path in root.rglob(".*") if path.name in wanted or atomic.is_temporary(path.name)]


def age(root: Path) -> None:
    for path in root.rglob(".*.tmp"):
        os.utime(path, (0, 0))


CALLS = [
    *("openat", "write", "pwrite64", "ftruncate", "fsync", "close", "flock"),
    *("rename", "renameat2", "link", "linkat", "unlink", "unlinkat", "mkdir", "rmdir"),
]
OLD, NEW = {"lore/fog.json": 0, "world.json": 0}, {"items/key.json": 1, "world.json": 1}
SAVE = """
import os, sys
from pathlib import Path
from formats.errors import DomainError
from tests.hard.store_lives import document, the_world
world = the_world(Path(sys.argv[1]))
world.path.parent.stat()
os.access("/begin-of-the-save", os.F_OK)
told = ""
try:
    with world.change(by="ana", what="edit") as change:
        change.write("world.json", document(1))
        change.write("items/key.json", document(1))
        change.remove("lore/fog.json")
except DomainError as refused:
    told = refused.code
os.access("/end-of-the-save", os.F_OK)
print(told, end="")
"""


def traced(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = ["strace", "-f", "-qq", *options, sys.executable, "-c", SAVE, str(root)]
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False, env=environment)


def calls_of_a_save(root: Path, log: Path) -> list[tuple[str, int]]:
    """Each traced call of the save as (name, how many of this name the process made until then)."""
    result = traced(root, "-o", str(log), "-e", f"trace={','.join(CALLS)},access,faccessat,faccessat2")
    assert result.returncode == 0, result.stderr
    seen: Counter[str] = Counter()
    inside, found = False, []
    for line in log.read_text().splitlines():
        if "of-the-save" in line:
            inside = "begin" in line
        if match := re.match(r"\d+\s+(\w+)\(", line):
            seen[match[1]] += 1
            if inside and match[1] in CALLS:
                found.append((match[1], seen[match[1]]))
    return found


def fresh(root: Path) -> None:
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    one_world(root)


@pytest.mark.req("WORLD-1")
@pytest.mark.parametrize("fault", ["signal=SIGKILL", "error=EIO", "error=ENOSPC"])
def test_every_system_call_of_a_save_killed_or_failed(tmp_path: Path, fault: str) -> None:
    if shutil.which("strace") is None:
        pytest.skip("needs strace")
    root = tmp_path / "data"
    fresh(root)
    points = calls_of_a_save(root, tmp_path / "log")
    assert len(points) > 40
    ended: Counter[str] = Counter()
    for name, number in points:
        fresh(root)
        result = traced(
            root, "-o", "/dev/null", "-e", f"trace={name}", "-e", f"inject={name}:{fault}:when={number}"
        )
        ended[judged(root, result, f"{name} {number} {fault}")] += 1
    print(f"\nsystem calls of a save, {fault}: {len(points)} points, {dict(ended)}")
    assert ended["old"] > 10
    assert ended["new"] > 5


def judged(root: Path, result: subprocess.CompletedProcess[str], point: str) -> str:
    """`old` or `new`; fails when it is neither, or not what the writer was told."""
    world = the_world(root)
    files = {path: step_of(data) for path, data in world.read_all().items()}
    assert files in (OLD, NEW), point
    state = "old" if files == OLD else "new"
    if "SIGKILL" in point:
        assert result.returncode in (-9, 137), (point, result.stderr)
    else:
        assert result.returncode == 0, (point, result.stderr)
        told = result.stdout
        assert state == ("new" if told in ("", "will-be-finished") else "old"), (point, told)
    age(root)
    world.settle()
    assert left_behind(root) == [], point
    if state == "new":
        assert world.former(world.history()[0].id, "world.json") == document(0)
    return state
