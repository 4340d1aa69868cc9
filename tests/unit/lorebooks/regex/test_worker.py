"""Whatever a pattern is, the caller has an answer in time and the next request works."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from formats.lorebook.patterns import Pattern, PatternOutcome
from lorebooks.regex import process
from lorebooks.regex import worker as worker_module
from lorebooks.regex.process import Child, Died
from lorebooks.regex.worker import Limits, PatternWorker, SlowPatterns, not_run, pattern_worker

TOP = Path(__file__).parents[4]
ENDLESS = Pattern("(a+)+$")
ENDLESS_TEXT = "a" * 60 + "!"
SLACK = 3.0  # seconds a busy machine may take to start children and to be woken

pytestmark = pytest.mark.req("WB-6")


def idle_pids(worker: PatternWorker) -> list[int]:
    return [child.pid for child in worker._idle]


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(
    "source", ["(a+)+$", "(a|aa)+$", "(?:(?:a{1000}){1000}){1000}b", "(?:a*)*b", "^(?:a?){60}a{60}b"]
)
def test_an_explosive_pattern_costs_only_its_own_answer(worker: PatternWorker, source: str) -> None:
    patterns = [Pattern("a"), Pattern(source), Pattern("!")]
    text = "a" * 100_000 + "!" if "1000" in source else ENDLESS_TEXT
    outcomes = worker(patterns, [text, "!"])
    assert outcomes[0] == PatternOutcome("ran", ((0, 1), None))
    assert outcomes[1] == not_run("too-slow")
    assert outcomes[2] == PatternOutcome("ran", ((len(text) - 1, len(text)), (0, 1)))


def test_a_pattern_is_too_slow_in_whichever_text(worker: PatternWorker) -> None:
    assert worker([ENDLESS], ["b", "aaa", ENDLESS_TEXT]) == [not_run("too-slow")]


def test_many_quick_matches_are_not_one_slow_match() -> None:
    """The limit is for one match; hundreds of texts together may take longer."""
    worker = PatternWorker(Limits(match_seconds=0.05, scan_seconds=20))
    text = "ab" * 600
    quadratic = Pattern("(.*)x")
    alone = min(timed(worker, quadratic, [text]) for _ in range(3))
    texts = [text] * (int(0.15 / alone) + 1)
    assert worker([quadratic], texts) == [PatternOutcome("ran", (None,) * len(texts))]
    worker.close()


def timed(worker: PatternWorker, pattern: Pattern, texts: list[str]) -> float:
    begin = time.monotonic()
    assert worker([pattern], texts)[0].kind == "ran"
    return time.monotonic() - begin


def test_a_scan_ends_in_its_time_and_keeps_what_it_has() -> None:
    worker = PatternWorker()
    begin = time.monotonic()
    outcomes = worker([Pattern("a"), *[ENDLESS] * 40, Pattern("b")], [ENDLESS_TEXT])
    took = time.monotonic() - begin
    assert outcomes[0] == PatternOutcome("ran", ((0, 1),))
    reasons = [found.reason for found in outcomes[1:]]
    slow = reasons.count("too-slow")
    assert slow <= 5
    assert reasons[slow:] == ["scan-too-slow"] * (41 - slow)
    assert took < worker.limits.scan_seconds + SLACK
    assert worker([Pattern("b")], ["b"]) == [PatternOutcome("ran", ((0, 1),))]
    worker.close()


def test_the_calls_of_one_scan_share_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scan that asks in many steps is stopped as a whole; from then on no child is asked."""
    asked: list[Child] = []
    ask = Child.ask

    def counted(child: Child, *given: Any) -> Iterator[Any]:
        asked.append(child)
        return ask(child, *given)

    monkeypatch.setattr(Child, "ask", counted)
    worker = PatternWorker(Limits(match_seconds=5, scan_seconds=0.3))
    scan = worker.one_scan()
    began = time.monotonic()
    answers = [scan([Pattern("a")], ["a"]), *(scan([ENDLESS], [ENDLESS_TEXT]) for _ in range(32))]
    assert time.monotonic() - began < 0.3 + SLACK
    assert answers[0] == [PatternOutcome("ran", ((0, 1),))]
    assert answers[1:] == [[not_run("scan-too-slow")]] * 32
    assert len(asked) == 2
    assert worker.one_scan()([Pattern("a")], ["a"]) == answers[0], "the next scan has time of its own"
    worker.close()


def test_patterns_that_were_slow_once_come_last() -> None:
    """However many hostile keys a book has, after its first scan the others have their answers."""
    worker = PatternWorker(Limits(match_seconds=0.02, scan_seconds=20))
    hostile = [Pattern(f"(a+)+${number}") for number in range(30)]
    assert worker(hostile, [ENDLESS_TEXT]) == [not_run("too-slow")] * 30
    worker.limits = Limits(match_seconds=0.02, scan_seconds=0.6)  # the hostile ones alone need more
    outcomes = worker([Pattern("x{"), *hostile, Pattern("!")], [ENDLESS_TEXT])
    assert outcomes[-1] == PatternOutcome("ran", ((60, 61),))
    assert outcomes[0].kind == "ran"
    assert {outcome.reason for outcome in outcomes[1:-1]} == {"too-slow", "scan-too-slow"}
    worker.close()


def test_slow_patterns_are_remembered_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "MOST_SLOW", 2)
    slow = SlowPatterns()
    for source in "abac":
        slow.add(Pattern(source))
    assert [source for source in "abc" if Pattern(source) in slow] == ["a", "c"]


def test_memory_is_bounded() -> None:
    """A pattern that eats memory ends its child; two tries, then it counts as stopped."""
    worker = PatternWorker(Limits(match_seconds=20, scan_seconds=20, memory_bytes=128 * 1024 * 1024))
    outcomes = worker([Pattern("(?:a|b)*c"), Pattern("c")], ["ab" * 4_000_000 + "d", "c"])
    assert outcomes == [not_run("stopped"), PatternOutcome("ran", (None, (0, 1)))]
    worker.close()


def test_patterns_at_the_edges(worker: PatternWorker) -> None:
    long = "a" * 1000
    outcomes = worker(
        [
            Pattern(long),
            Pattern(long + "a"),
            Pattern("龙" * 1001),
            Pattern("(" * 490 + "a" + ")" * 490),
            Pattern("\ud83d", "u"),
            Pattern("\ud83d"),
            Pattern("\0"),
            Pattern(""),
            Pattern("a", "gg"),
            Pattern("a", "\0"),
        ],
        ["b\ud83d\0" + long],
    )
    assert outcomes == [
        PatternOutcome("ran", ((3, 1003),)),
        not_run("too-long"),
        not_run("too-long"),
        not_run("too-long"),
        PatternOutcome("ran", ((1, 2),)),
        PatternOutcome("ran", ((1, 2),)),
        PatternOutcome("ran", ((2, 3),)),
        PatternOutcome("ran", ((0, 0),)),
        PatternOutcome("not-compiling"),
        PatternOutcome("not-compiling"),
    ]


def test_nothing_to_do_starts_nothing() -> None:
    worker = PatternWorker()
    assert worker([], ["a"]) == []
    assert worker([Pattern("a" * 1001)], ["a"]) == [not_run("too-long")]
    assert worker._idle == []
    assert worker([Pattern("a")], []) == [PatternOutcome("ran", ())]
    worker.close()


def test_five_hundred_patterns_in_one_scan() -> None:
    worker = PatternWorker(Limits(scan_seconds=20))
    text = " ".join(f"k{number}e" for number in range(0, 1000, 2))
    outcomes = worker([Pattern(f"k{number}(?!\\d)") for number in range(500)], [text])
    assert [found.spans != (None,) for found in outcomes] == [number % 2 == 0 for number in range(500)]
    worker.close()


def test_a_long_text_goes_both_ways_through_the_pipe() -> None:
    """Larger than any pipe holds, and with answers that are larger too: no test of how fast a match is."""
    unhurried = PatternWorker(Limits(scan_seconds=20, match_seconds=5))
    text = "龙😀" * 200_000
    try:
        outcomes = unhurried([Pattern("$"), Pattern("$", "u"), Pattern("a")], [text])
        many = unhurried([Pattern("a")] * 5, ["a"] * 20_000)
    finally:
        unhurried.close()
    assert [found.spans for found in outcomes] == [((400_000, 400_000),), ((400_000, 400_000),), (None,)]
    assert many == [PatternOutcome("ran", ((0, 1),) * 20_000)] * 5


def test_a_child_killed_while_it_waits_is_replaced(worker: PatternWorker) -> None:
    worker([Pattern("a")], ["a"])
    for pid in idle_pids(worker):
        os.kill(pid, signal.SIGKILL)
    assert worker([Pattern("a")], ["a"]) == [PatternOutcome("ran", ((0, 1),))]


def test_a_child_killed_in_the_middle_is_asked_for_again() -> None:
    """Killed from outside once, the pattern it ran has its second chance."""
    worker = PatternWorker(Limits(match_seconds=20, scan_seconds=20))
    worker([Pattern("a")], ["a"])
    (pid,) = idle_pids(worker)
    killer = threading.Timer(0.05, os.kill, (pid, signal.SIGKILL))
    killer.start()
    outcomes = worker([Pattern("(?:(?:a{1000}){1000}){1000}b"), Pattern("a")], ["a" * 30_000])
    killer.join()
    assert outcomes == [PatternOutcome("ran", (None,)), PatternOutcome("ran", ((0, 1),))]
    assert pid not in idle_pids(worker)
    worker.close()


def test_eight_threads_at_once() -> None:
    worker = PatternWorker(Limits(scan_seconds=20))

    def ask(number: int) -> bool:
        word = f"k{number}"
        for turn in range(10):
            patterns = [Pattern(word), *([ENDLESS] if turn == number else []), Pattern("nothing")]
            outcomes = worker(patterns, [f"a {word} {ENDLESS_TEXT}"])
            if outcomes[0].spans != ((2, 4),) or outcomes[-1].spans != (None,):
                return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(ask, range(8))) == [True] * 8
    assert len(worker._idle) <= worker.limits.idle_children
    worker.close()


def test_who_finds_no_place_waits_no_longer_than_a_scan() -> None:
    worker = PatternWorker(Limits(children=1, scan_seconds=0.1))
    assert worker._places.acquire()
    begin = time.monotonic()
    assert worker([Pattern("a")], ["a"]) == [not_run("stopped")]
    assert time.monotonic() - begin < 0.1 + SLACK
    worker._places.release()
    assert worker([Pattern("a")], ["a"])[0].kind == "ran"
    worker.close()


def test_without_an_engine_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    worker = PatternWorker()
    monkeypatch.setattr(process, "TOP", tmp_path)  # no such module there
    assert worker([Pattern("a"), Pattern("b")], ["a"]) == [not_run("no-engine")] * 2
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nothing"))
    assert worker([Pattern("a")], ["a"]) == [not_run("no-engine")]
    monkeypatch.undo()
    assert worker([Pattern("a")], ["a"])[0].kind == "ran"
    worker.close()


def test_closing_leaves_no_process_behind() -> None:
    worker = PatternWorker()
    worker([Pattern("a"), ENDLESS], [ENDLESS_TEXT])
    pids = idle_pids(worker)
    assert pids
    worker.close()
    assert [pid for pid in pids if is_running(pid)] == []
    assert worker([Pattern("a")], ["a"])[0].kind == "ran"
    worker.close()


def test_a_worker_that_is_dropped_ends_its_children() -> None:
    worker = PatternWorker()
    worker([Pattern("a")], ["a"])
    (pid,) = idle_pids(worker)
    del worker
    assert not is_running(pid)


def test_an_interrupted_scan_leaves_no_half_answer(
    worker: PatternWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker([Pattern("a")], ["a"])
    (before,) = idle_pids(worker)

    def interrupted(answer: object) -> PatternOutcome:
        raise KeyboardInterrupt

    monkeypatch.setattr(worker_module, "_outcome", interrupted)
    with pytest.raises(KeyboardInterrupt):
        worker([Pattern("a"), Pattern("b")], ["a"])
    monkeypatch.undo()
    assert not is_running(before)
    assert worker([Pattern("b")], ["ab"]) == [PatternOutcome("ran", ((1, 2),))]


SCRIPT = """
import os, sys
from formats.lorebook.patterns import Pattern
from lorebooks.regex.worker import pattern_worker
worker = pattern_worker()
worker([Pattern("a")], ["a"])
print(worker._idle[0].pid, flush=True)
sys.stdin.readline()
"""


def test_a_child_ends_with_the_program_that_was_killed() -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", SCRIPT], cwd=TOP, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with program:
        assert program.stdout is not None
        pid = int(program.stdout.readline())
        assert is_running(pid)
        watched = os.pidfd_open(pid)
        program.kill()
    assert wait_for_end(watched)


def wait_for_end(pidfd: int) -> bool:
    try:
        return bool(select.select([pidfd], [], [], 10)[0])
    finally:
        os.close(pidfd)


FORKING = """
import os
from formats.lorebook.patterns import Pattern
from lorebooks.regex.worker import pattern_worker
worker = pattern_worker()
worker([Pattern("a")], ["a"])
first = worker._idle[0].pid
worker._lock.acquire()  # as if another thread held it at the moment of the fork
copy = os.fork()
if copy == 0:
    ran = worker([Pattern("a")], ["ba"])[0].spans == ((1, 2),)
    other = worker._idle[0].pid != first
    worker.close()
    os._exit(0 if ran and other else 3)
worker._lock.release()
assert os.waitpid(copy, 0)[1] == 0, "the copy has a child of its own"
assert worker([Pattern("a")], ["a"])[0].kind == "ran"
assert worker._idle[0].pid == first, "and left ours alone"
"""


def test_a_fork_of_the_program_starts_its_own() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FORKING], cwd=TOP, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_child_knows_nothing_of_django() -> None:
    script = "import sys, lorebooks.regex.child; print(sorted(name.split('.')[0] for name in sys.modules))"
    loaded = subprocess.check_output([sys.executable, "-s", "-c", script], cwd=TOP, text=True)
    assert not {"django", "channels", "pydantic", "asyncio"} & set(json.loads(loaded.replace("'", '"')))


def test_a_child_says_when_it_is_dead() -> None:
    child = Child(match_seconds=0.05, memory_bytes=512 * 1024 * 1024)
    child.wait_until_ready(time.monotonic() + SLACK)
    os.kill(child.pid, signal.SIGKILL)
    with pytest.raises(Died) as death:
        list(child.ask([("a", "")], ["a" * 1_000_000], time.monotonic() + SLACK))
    assert not death.value.too_slow
    assert not child.is_alive()


def test_the_program_has_one_worker() -> None:
    assert pattern_worker() is pattern_worker()
