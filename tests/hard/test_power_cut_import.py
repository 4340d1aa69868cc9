"""The power is cut under a real server on a real ext4 and xfs, its database on the same disk: nothing that it
acknowledged is lost, nothing is torn, and what was begun goes on by itself (RUN-3, WORLD-1).

`CUTS` sets the number of cuts for each operation and file system (20). The moment is chance, between the
request and a little after the time that the operation takes undisturbed.
"""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import httpx
import pytest

from tests.hard.disks import Disk, disk, missing
from tests.support.import_lives import (
    Acknowledged,
    choose,
    everything,
    go_on,
    result,
    rich_card,
    start,
    upload,
)
from tests.support.portal_client import Portal, Unable
from tests.support.warm import Warm, warm
from worlds.rules.check import can_start, check_world
from worlds.store.paths import DataFolder
from worlds.store.shelf import Shelf

pytestmark = [pytest.mark.hard, pytest.mark.timeout(3600)]
CUTS = int(os.environ.get("CUTS", "20"))
SENT = rich_card()


@dataclass
class Machine:
    """A disk, the program over it, and what an undisturbed import makes."""

    disk: Disk
    program: Warm
    uploaded: str = ""
    world: str = ""
    entry: str = ""  # of the trash, in the third folder
    made: dict[str, str] = field(default_factory=dict)

    def prepare(self) -> None:
        """Keep three data folders: the card waits, its world is made, its world is in the trash."""
        told, program = Acknowledged(), self.program
        program.begin()
        with program.portal() as portal:
            upload(portal, SENT, told)
        self.stop("waits")
        program.begin()
        with program.portal() as portal:
            start(portal, SENT, told)
            self.made = result(program, told)
        self.uploaded, self.world = told.upload, told.world
        self.stop("made")
        program.begin()
        with program.portal() as portal:
            portal.press(f"/w/{self.world}/trash/")
        (entry,) = self.shelf().trashed()
        self.entry = entry.entry_id
        self.stop("trashed")

    def stop(self, name: str) -> None:
        self.program.end()
        self.program.keep(name)

    def shelf(self) -> Shelf:
        return Shelf(DataFolder(self.program.data), "ana", "worlds")

    def power_cut(self) -> None:
        """The disk stops first, then the processes: what a server still answers counts."""
        self.disk.cut_power()
        self.program.kill()
        self.disk.power_on()


@dataclass(frozen=True)
class Operation:
    """What is cut: from which kept folder, what is done before the clock runs, what is done then."""

    kept: str
    before: Callable[[Machine, Portal, Acknowledged], None]
    act: Callable[[Machine, Portal, Acknowledged], None]
    judge: Callable[[Machine, Acknowledged], None]


def choosing(machine: Machine, portal: Portal, told: Acknowledged) -> None:
    told.upload = machine.uploaded
    choose(portal, told)


def starting(machine: Machine, portal: Portal, told: Acknowledged) -> None:
    told.world = portal.start(told.upload)


def chosen_and_started(machine: Machine, portal: Portal, told: Acknowledged) -> None:
    choosing(machine, portal, told)
    starting(machine, portal, told)


def finishing(machine: Machine, portal: Portal, told: Acknowledged) -> None:
    told.finished = portal.finished(told.world, SENT.pictures)


def import_is_whole(machine: Machine, told: Acknowledged) -> None:
    go_on(machine.program, SENT, told)
    assert result(machine.program, told) == machine.made


def nothing_before(machine: Machine, portal: Portal, told: Acknowledged) -> None:
    told.world = machine.world


def trashing(machine: Machine, portal: Portal, told: Acknowledged) -> None:
    portal.press(f"/w/{machine.world}/trash/")
    told.finished = {"trashed": True}


def restoring(machine: Machine, portal: Portal, told: Acknowledged) -> None:
    portal.press(f"/trash/{machine.entry}/restore/")
    told.finished = {"trashed": False}


def world_is_whole(machine: Machine, told: Acknowledged) -> None:
    """It is in one place, the right one if that was acknowledged, and opens, after `restore` if need be."""
    standing, entries = machine.shelf().ids(), machine.shelf().trashed()
    assert len(standing) + len(entries) == 1, "a world is in one place"
    assert not told.finished or told.finished["trashed"] == bool(entries), "an acknowledged move is lost"
    with machine.program.portal() as portal:
        assert portal.page("/").status_code == portal.page("/trash/").status_code == 200
        if entries:
            portal.press(f"/trash/{entries[0].entry_id}/restore/")
        assert portal.page(f"/w/{machine.world}/").status_code == 200
    path = machine.shelf().folder(machine.world).path
    assert can_start(check_world(path))
    assert everything(path, machine.world, machine.uploaded) == machine.made


OPERATIONS = {
    "start": Operation("waits", choosing, starting, import_is_whole),
    "finish": Operation("waits", chosen_and_started, finishing, import_is_whole),
    "trash": Operation("made", nothing_before, trashing, world_is_whole),
    "restore": Operation("trashed", nothing_before, restoring, world_is_whole),
}


@pytest.fixture(scope="module", params=["ext4", "xfs"])
def machine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A disk of its own with a program over it."""
    if reason := missing(request.param):
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp(request.param)
    with disk(folder, request.param) as made, warm(folder, made.root / "data") as program:
        ours = Machine(made, program)
        ours.prepare()
        yield ours


@pytest.mark.req("WORLD-1", "RUN-3", "DRAFT-6")
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_power_cut_loses_nothing_acknowledged(machine: Machine, name: str) -> None:
    operation, chance = OPERATIONS[name], random.Random(name)
    length = life(machine, operation, None)[1]
    acknowledged, wrong = 0, []
    for cut in range(CUTS):
        told, _ = life(machine, operation, chance.uniform(0, length * 1.2))
        acknowledged += bool(told.finished or (name == "start" and told.world))
        machine.program.begin()
        try:
            operation.judge(machine, told)
        except (AssertionError, ValueError, KeyError, OSError, httpx.HTTPError) as error:
            wrong.append(f"cut {cut}: {error!r}")
        machine.program.kill()
    print(
        f"\npower cuts, {machine.disk.kind}, {name}: {CUTS} cuts within {length * 1200:.0f} ms, "
        f"{acknowledged} acknowledged before, {len(wrong)} torn or lost"
    )
    assert not wrong


def life(machine: Machine, operation: Operation, moment: float | None) -> tuple[Acknowledged, float]:
    """Do the operation and cut the power `moment` seconds after it began; None lets it end, for its length.

    Returns:
        What was acknowledged, and the seconds that the operation took.
    """
    program, told = machine.program, Acknowledged()
    program.put_back(operation.kept)
    subprocess.run(["sync", "-f", str(machine.disk.root)], check=True)
    program.begin()
    with program.portal() as portal:
        operation.before(machine, portal, told)
        began = time.monotonic()
        if moment is None:
            operation.act(machine, portal, told)
            length = time.monotonic() - began
            program.kill()
            return told, length
        cut = threading.Timer(moment, machine.power_cut)
        cut.start()
        with contextlib.suppress(httpx.HTTPError, Unable):
            operation.act(machine, portal, told)
        cut.join()
    return told, time.monotonic() - began
