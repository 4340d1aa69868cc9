"""Reading a card: the pure reader in a process of its own, for time and memory."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.invented import json_card, png_card
from benchmarks.measure import Measurement, Run

TOP = Path(__file__).resolve().parents[1]
MEGABYTE = 1024 * 1024


def measure(folder: Path, runs: int) -> Iterator[Measurement]:
    """Four sizes: a small card, a usual large one, the largest text, the largest file."""
    for name, file, data, goal in (
        ("read a card of 1 KB (JSON)", "small.json", json_card(1024), None),
        ("read a card of 1 MB (JSON)", "usual.json", json_card(MEGABYTE), 50.0),
        ("read a card of 20 MB of text (JSON)", "long.json", json_card(20 * MEGABYTE), None),
        ("read a card in a PNG of 100 MB", "picture.png", png_card(99 * MEGABYTE), None),
    ):
        path = folder / file
        path.write_bytes(data)
        yield read(name, path, runs, goal)
        path.unlink()


def read(name: str, path: Path, runs: int, goal: float | None) -> Measurement:
    """Read one file in a fresh process; its memory is that of the first reading alone."""
    command = [sys.executable, "-m", "benchmarks.read_once", str(path), str(runs)]
    done = subprocess.run(command, cwd=TOP, capture_output=True, check=True)
    told = json.loads(done.stdout)
    return Measurement(
        name, [Run(*run) for run in told["runs"]], goal, told["peak"], {"fileBytes": path.stat().st_size}
    )
