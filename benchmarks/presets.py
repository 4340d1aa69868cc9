"""Reading a preset with its report, and writing it back: the largest seen in use has 3 MB and 500 prompts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from benchmarks.measure import Measurement, timed
from formats.preset import read_preset, sillytavern_of
from tests.support.preset_files import large


def measure(runs: int) -> Iterator[Measurement]:
    """Two sizes, each of 500 prompts of which a fifth is on."""
    for name, size, goal in (("100 KB", 100_000, None), ("3 MB", 3_000_000, 300.0)):
        data = large(size)
        package, _ = read_preset(data)
        read = timed(partial(read_preset, data), runs)
        yield Measurement(f"preset: read {name} and report", read, goal, None, {"fileBytes": len(data)})
        yield Measurement(f"preset: write {name} back", timed(partial(sillytavern_of, package), runs))
