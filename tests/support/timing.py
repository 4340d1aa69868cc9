"""Whether work grows in proportion to its input, measured in processor time: other programs do not count."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

GROWTH = 16
SLACK = 6
"""Work that is not linear costs `GROWTH` times more than linear work at the larger size."""


TRIES = 15


def assert_within(seconds: float, work: Callable[[], object]) -> None:
    """One of `TRIES` runs of `work` takes less processor time: others on the machine only ever add to it."""
    times: list[float] = []
    gc.collect()  # what earlier tests left behind is not this one's time
    while len(times) < TRIES:
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
        if times[-1] < seconds:
            return
    raise AssertionError(f"never under {seconds} s: {times}")


def cpu_seconds(work: Callable[[], object]) -> float:
    """Processor seconds of the quicker of two runs."""
    best = float("inf")
    for _ in range(2):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best


def assert_linear(work: Callable[[str], object], unit: str, size: int) -> None:
    """`work` on a text of `size` characters made of `unit` costs no more than a small one lets expect."""
    small, large = (unit * (length // len(unit)) for length in (size // GROWTH, size))
    allowed = GROWTH * SLACK * max(cpu_seconds(lambda: work(small)), 0.001)
    assert cpu_seconds(lambda: work(large)) < allowed
