"""Regex keys of a lorebook against texts, in bounded time whatever the patterns are.

Limits: a pattern of 1,000 characters; 50 ms of processor time for one match, 250 ms by the clock for one
scan; 512 MB of memory. A pattern that breaks a limit costs its own answer and the child that ran it; the
answers before it are kept, and the patterns after it run in another child while the scan has time left.
Patterns that were too slow once come last from then on, so that a few of them take no other's answer.
"""

from __future__ import annotations

import logging
import os
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final

from formats.lorebook.patterns import Pattern, PatternOutcome, PatternRunner, Reason
from lorebooks.regex.process import Child, Died

logger = logging.getLogger(__name__)

MOST_SLOW: Final = 1000
"""Slow patterns to remember, each of at most `Limits.pattern_length` characters."""


@dataclass(frozen=True)
class Limits:
    pattern_length: int = 1000  # characters
    match_seconds: float = 0.05  # of processor time
    scan_seconds: float = 0.25  # by the clock, starts of further children included
    start_seconds: float = 5.0  # for the child a scan begins with
    memory_bytes: int = 512 * 1024 * 1024  # of address space
    children: int = 8  # scans at once; the next one waits for as long as a scan may take
    idle_children: int = 2  # kept for the next scan


@dataclass(slots=True)
class ScanTime:
    """What is left of the time that the patterns of a scan may run, and may wait for a place."""

    run: float
    wait: float


class NoChild(Exception):
    """There is no child to ask; `reason` is what the outcomes say."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


class SlowPatterns:
    """The patterns that took too long lately; what was slow longest ago is forgotten first."""

    def __init__(self) -> None:
        self._known: OrderedDict[Pattern, None] = OrderedDict()
        self._guard = threading.Lock()

    def __contains__(self, pattern: Pattern) -> bool:
        return pattern in self._known

    def add(self, pattern: Pattern) -> None:
        with self._guard:
            self._known[pattern] = None
            self._known.move_to_end(pattern)
            while len(self._known) > MOST_SLOW:
                self._known.popitem(last=False)


class PatternWorker:
    """A `PatternRunner` over a few long-lived child processes, started when first needed.

    Any number of threads may call it. A call blocks for at most a start and a scan (twice that when all
    children are busy), so asynchronous code calls it in a thread. After a fork of the program the copy
    starts children of its own.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._idle: list[Child] = []
        self._slow = SlowPatterns()
        self._new_locks()
        weakref.finalize(self, _end_all, self._idle)
        _workers.add(self)

    def __call__(self, patterns: Sequence[Pattern], texts: Sequence[str]) -> list[PatternOutcome]:
        """One outcome for each pattern, in their order. Nothing that patterns or texts hold raises."""
        return self._within(self._whole_time(), patterns, texts)

    def one_scan(self) -> PatternRunner:
        """The same with one time for all calls of a scan, for a scan that asks in several steps.

        Once the time is over, no further call reaches a child.
        """
        return partial(self._within, self._whole_time())

    def _whole_time(self) -> ScanTime:
        return ScanTime(run=self.limits.scan_seconds, wait=self.limits.scan_seconds)

    def _within(
        self, time_left: ScanTime, patterns: Sequence[Pattern], texts: Sequence[str]
    ) -> list[PatternOutcome]:
        outcomes = [not_run("too-long")] * len(patterns)
        fitting = [
            place
            for place, pattern in enumerate(patterns)
            if len(pattern.source) <= self.limits.pattern_length
        ]
        order = sorted(fitting, key=lambda place: patterns[place] in self._slow)
        for place, outcome in zip(
            order, self._scan([patterns[p] for p in order], texts, time_left), strict=True
        ):
            outcomes[place] = outcome
            if outcome.reason == "too-slow":
                self._slow.add(patterns[place])
        return outcomes

    def close(self) -> None:
        """End the children that wait; the next call starts new ones."""
        with self._lock:
            _end_all(self._idle)

    def after_fork(self) -> None:
        """In the copy of a forked program: locks that nobody holds, and none of the first one's children."""
        self._slow = SlowPatterns()
        self._new_locks()
        self._idle.clear()

    def _new_locks(self) -> None:
        self._lock = threading.Lock()
        self._places = threading.BoundedSemaphore(self.limits.children)

    def _scan(
        self, patterns: Sequence[Pattern], texts: Sequence[str], time_left: ScanTime
    ) -> list[PatternOutcome]:
        if not patterns:
            return []
        if time_left.run <= 0:
            return [not_run("scan-too-slow")] * len(patterns)
        places = self._places
        began = time.monotonic()
        has_place = places.acquire(timeout=max(time_left.wait, 0))
        time_left.wait -= time.monotonic() - began
        if not has_place:
            return [not_run("stopped")] * len(patterns)
        try:
            child = self._ready_child()
            return self._timed(child, patterns, texts, time_left)
        except NoChild as error:
            return [not_run(error.reason)] * len(patterns)
        finally:
            places.release()

    def _timed(
        self, child: Child, patterns: Sequence[Pattern], texts: Sequence[str], time_left: ScanTime
    ) -> list[PatternOutcome]:
        began = time.monotonic()
        try:
            return self._ask(child, patterns, texts, began + time_left.run)
        finally:
            time_left.run -= time.monotonic() - began

    def _ask(
        self, child: Child, patterns: Sequence[Pattern], texts: Sequence[str], deadline: float
    ) -> list[PatternOutcome]:
        """Ask until each pattern has its outcome or the time is over, a new child each time one died.

        A child that died for another reason than time may have been ended from outside, so its pattern has a
        second chance.
        """
        outcomes: list[PatternOutcome] = []
        suspect = -1
        try:
            while len(outcomes) < len(patterns):
                try:
                    for answer in child.ask(_wire(patterns[len(outcomes) :]), texts, deadline):
                        outcomes.append(_outcome(answer))
                except Died as death:
                    if death.too_slow or suspect == len(outcomes):
                        outcomes.append(not_run("too-slow" if death.too_slow else "stopped"))
                    suspect = len(outcomes)
                    child = self._take()
            self._give_back(child)
        except TimeoutError:
            child.end()
            outcomes += [not_run("scan-too-slow")] * (len(patterns) - len(outcomes))
        except NoChild as error:
            outcomes += [not_run(error.reason)] * (len(patterns) - len(outcomes))
        except BaseException:  # whatever stops this thread: half an answer must not meet the next scan
            child.end()
            raise
        return outcomes

    def _ready_child(self) -> Child:
        """A child to begin with; its start is not taken off the scan's time."""
        child = self._take()
        try:
            child.wait_until_ready(time.monotonic() + self.limits.start_seconds)
        except (Died, TimeoutError) as error:
            child.end()
            logger.error("no process for regex keys: %s", error or "it did not start in time")
            raise NoChild("no-engine") from error
        return child

    def _take(self) -> Child:
        """An idle child, or one that is about to be ready."""
        with self._lock:
            while self._idle:
                child = self._idle.pop()
                if child.is_alive():
                    return child
                child.end()
        try:
            return Child(match_seconds=self.limits.match_seconds, memory_bytes=self.limits.memory_bytes)
        except OSError as error:
            logger.exception("no process for regex keys")
            raise NoChild("no-engine") from error

    def _give_back(self, child: Child) -> None:
        with self._lock:
            if len(self._idle) < self.limits.idle_children:
                self._idle.append(child)
                return
        child.end()


@cache
def pattern_worker() -> PatternWorker:
    """The one of this program."""
    return PatternWorker()


def not_run(reason: Reason) -> PatternOutcome:
    return PatternOutcome("not-run", reason=reason)


def _wire(patterns: Sequence[Pattern]) -> list[tuple[str, str]]:
    return [(pattern.source, pattern.flags) for pattern in patterns]


def _outcome(answer: Any) -> PatternOutcome:
    if answer == "too-nested":
        return not_run("too-long")  # more groups in each other than the engine follows
    if answer == "not-compiling":
        return PatternOutcome("not-compiling")
    return PatternOutcome("ran", tuple(span and (span[0], span[1]) for span in answer))


def _end_all(children: list[Child]) -> None:
    while children:
        children.pop().end()


_workers: weakref.WeakSet[PatternWorker] = weakref.WeakSet()


def _after_fork() -> None:
    for worker in _workers:
        worker.after_fork()


os.register_at_fork(after_in_child=_after_fork)
