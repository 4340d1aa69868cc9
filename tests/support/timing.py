"""Whether work grows in proportion to its input, measured in processor time: other programs do not count."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

GROWTH = 16
SLACK = 6
"""Work that is not linear costs `GROWTH` times more than linear work at the larger size."""


TRIES = 15
USUAL = 0.044
"""Processor seconds of `fixed_work` on the machine of `docs/performance.md` when it does nothing else."""


def fixed_work() -> int:
    """Work of the same kind as ours and always as much: a shared machine is at half its speed at times."""
    found: dict[str, int] = {}
    for number in range(150_000):
        key = f"k{number % 997}"
        found[key] = found.get(key, 0) + len(key)
    return len(found)


def seconds_of(work: Callable[[], object]) -> float:
    """Processor seconds of one run."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def assert_within(seconds: float, work: Callable[[], object]) -> None:
    """One of `TRIES` runs of `work` takes less processor time.

    Others on the machine only ever add to it; where it is slow at that moment, by what it needs for
    `fixed_work` just before and after, the time is longer by as much. A quick machine gets no less.
    """
    times: list[tuple[float, float]] = []
    gc.collect()  # what earlier tests left behind is not this one's time
    before = seconds_of(fixed_work)
    while len(times) < TRIES:
        took = seconds_of(work)
        after = seconds_of(fixed_work)
        allowed = seconds * max(1.0, (before + after) / 2 / USUAL)
        if took < allowed:
            return
        times.append((took, allowed))
        before = after
    raise AssertionError(f"never within {seconds} s (took, allowed at that moment): {times}")


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
