"""The power is cut while a real process writes to a real ext4 and xfs: nothing torn, nothing lost.

`STORE_CUTS` sets the number of cuts for each life and file system (25).
"""

import os
import random
import select
import shutil
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from tests.hard.disks import Disk, disk, missing
from tests.hard.store_lives import LIVES, Life, Torn

pytestmark = [pytest.mark.hard, pytest.mark.timeout(3600)]
CUTS = int(os.environ.get("STORE_CUTS", "25"))
TOP = Path(__file__).parents[2]


class Tally:
    """How many cuts there were, and how they ended."""

    def __init__(self) -> None:
        self.cuts = self.torn = self.lost = self.steps = 0
        self.reasons: list[str] = []

    def __str__(self) -> str:
        return f"{self.cuts} cuts, {self.steps} acknowledged steps, {self.torn} torn, {self.lost} lost"


def cut_once(made: Disk, life: Life, name: str, tally: Tally, chance: random.Random, *options: str) -> None:
    root = made.root / "data"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    life.prepare(root)
    os.sync()
    command = [sys.executable, "-m", "tests.hard.store_writer", name, str(root), *options]
    with (
        (made.image.parent / "writer.log").open("w+") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, cwd=TOP) as writer,
    ):
        assert writer.stdout is not None
        assert writer.stdout.readline(), Path(log.name).read_text()
        select.select([], [], [], chance.uniform(0, 0.12))
        before = last_step(drained(writer.stdout), 1)
        made.cut_power()
        writer.kill()
        os.set_blocking(writer.stdout.fileno(), True)
        # A process cannot outlive a real power cut. Here it can: once the kernel has thrown its log away, an
        # fsync of a folder on xfs may say that all is well. So what is said from here on proves nothing.
        after = last_step(writer.stdout.read(), before)
    made.power_on()
    tally.cuts += 1
    tally.steps += before
    judge(life, root, before, after, tally)


def drained(acknowledged: IO[bytes]) -> bytes:
    """All that was written until now."""
    os.set_blocking(acknowledged.fileno(), False)
    return acknowledged.read() or b""


def last_step(lines: bytes, otherwise: int) -> int:
    steps = lines.split(b"\n")[:-1]
    return int(steps[-1]) if steps else otherwise


def judge(life: Life, root: Path, before: int, after: int, tally: Tally) -> None:
    try:
        found = life.found(root)
    except (Torn, OSError, ValueError, KeyError) as torn:
        tally.torn += 1
        tally.reasons.append(repr(torn))
        return
    if life.lost(before, after, found):
        tally.lost += 1
        tally.reasons.append(f"acknowledged {before} (or {after}), found {found}")


@pytest.mark.req("WORLD-1", "DRAFT-6")
@pytest.mark.parametrize("name", LIVES)
@pytest.mark.parametrize("kind", ["ext4", "xfs"])
def test_a_power_cut_tears_nothing_and_loses_nothing(tmp_path: Path, kind: str, name: str) -> None:
    if reason := missing(kind):
        pytest.skip(reason)
    tally, chance = Tally(), random.Random(f"{kind} {name}")
    with disk(tmp_path, kind) as made:
        for _ in range(CUTS):
            cut_once(made, LIVES[name], name, tally, chance)
    print(f"\npower cuts, {kind}, {name}: {tally}")
    assert (tally.torn, tally.lost) == (0, 0), tally.reasons


@pytest.mark.parametrize("kind", ["ext4", "xfs"])
def test_without_fsync_the_same_test_sees_loss(tmp_path: Path, kind: str) -> None:
    if reason := missing(kind):
        pytest.skip(reason)
    tally, chance = Tally(), random.Random(kind)
    with disk(tmp_path, kind) as made:
        for _ in range(5):
            cut_once(made, LIVES["save"], "save", tally, chance, "nosync")
    assert tally.torn + tally.lost > 0
