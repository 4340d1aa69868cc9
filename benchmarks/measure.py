"""A row of the report: what was measured, the median of several runs, and the goal it has to reach."""

from __future__ import annotations

import gc
import statistics
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter, process_time
from typing import Any, NamedTuple


class Run(NamedTuple):
    """Milliseconds of one run: by the clock, and of this process on a processor.

    Beside others on a busy machine the second is the steadier figure; child processes and the disk are only
    in the first.
    """

    clock: float
    cpu: float


@dataclass(frozen=True, slots=True)
class Measurement:
    """One figure. Memory in bytes; `extra` holds further named figures.

    `goal_ms` is what the median by the clock has to stay under, `None` where no goal was set.
    """

    name: str
    runs: list[Run]
    goal_ms: float | None = None
    peak_bytes: int | None = None
    extra: dict[str, float] = field(default_factory=dict)

    @property
    def median_ms(self) -> float:
        return statistics.median(run.clock for run in self.runs)

    @property
    def cpu_ms(self) -> float:
        return statistics.median(run.cpu for run in self.runs)

    @property
    def fastest_ms(self) -> float:
        return min(run.clock for run in self.runs)

    @property
    def reached(self) -> bool | None:
        return None if self.goal_ms is None else self.median_ms < self.goal_ms

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "medianMs": round(self.median_ms, 3),
            "medianCpuMs": round(self.cpu_ms, 3),
            "fastestMs": round(self.fastest_ms, 3),
            "slowestMs": round(max(run.clock for run in self.runs), 3),
            "runs": len(self.runs),
            "goalMs": self.goal_ms,
            "reached": self.reached,
            "peakBytes": self.peak_bytes,
            **self.extra,
        }


def once(work: Callable[[], object]) -> Run:
    """Run the work and look at both clocks."""
    gc.collect()
    begun, begun_cpu = perf_counter(), process_time()
    work()
    return Run((perf_counter() - begun) * 1000, (process_time() - begun_cpu) * 1000)


def timed(work: Callable[[], object], runs: int) -> list[Run]:
    """So many runs; one before them warms imports and caches and is not counted."""
    return timed_anew(lambda: work, runs)


def timed_anew(prepare: Callable[[], Callable[[], object]], runs: int) -> list[Run]:
    """As `timed`, for work that can be done only once: `prepare` is called, uncounted, before every run."""
    return [once(prepare()) for _ in range(runs + 1)][1:]


def percentile(values: list[float], part: int) -> float:
    """The value that `part` percent of the values do not exceed."""
    return statistics.quantiles(values, n=100, method="inclusive")[part - 1]
