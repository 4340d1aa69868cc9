"""An import killed at one call of the store after the other, and what comes of it in the end."""

from __future__ import annotations

import json
import shutil
from itertools import count
from pathlib import Path
from typing import Any

from tests.support.cards import book, entry, png_card, v3
from tests.support.faults import broken
from tests.support.imports import WORLD, run, started, tree
from worlds.store.folder import ItemFolder
from worlds.store.paths import DataFolder

SMALL = png_card(v3(character_book=book(entry(0)), system_prompt="Calm."))


def folder_in(root: Path) -> ItemFolder:
    """The world of `started` below another data folder."""
    data = DataFolder(root)
    place = ("ana", "worlds", WORLD)
    return ItemFolder(data.item(*place), data.lock_file(*place))


def settled_tree(folder: ItemFolder) -> dict[str, Any]:
    """The files of a world without history; of `state.json` not how often it was taken up."""
    folder.settle()
    files: dict[str, Any] = tree(folder.path)
    state = json.loads(files.pop(".import/state.json"))
    return {**files, "state": {**state, "fence": 0}}


def kill_everywhere(root: Path, every: int) -> int:
    """Kill an import at every `every`-th call, the worker that goes on too, and compare with a calm run.

    Returns:
        How many calls there are.
    """
    ready = root / "ready"
    started(ready, SMALL)
    shutil.copytree(ready, root / "undisturbed")
    undisturbed = folder_in(root / "undisturbed")
    run(undisturbed)
    expected = settled_tree(undisturbed)
    for at in count(1, every):
        killed = root / "killed"
        shutil.copytree(ready, killed)
        folder = folder_in(killed)
        with broken(crash=True, at=at) as fault:
            run(folder)
        if not fault.hit:
            return at
        with broken(crash=True, at=1 + at * 7 % 60):
            run(folder)
        assert run(folder) == "done", f"call {at}: {fault.calls[-1]}"
        assert settled_tree(folder) == expected, f"call {at}: {fault.calls[-1]}"
        shutil.rmtree(killed)
    raise AssertionError("unreachable")
