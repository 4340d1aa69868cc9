"""The child process of the long fuzz: `python -m tests.support.fuzzing TARGET SEED SECONDS FOLDER`.

It damages invented files and gives them to the code until the time is up. An exception that the code does
not promise, a single input that takes more than `EACH_SECONDS`, or more memory than `MEMORY_BYTES` is a find:
it is made smaller, written to FOLDER and told with its traceback. The input at work lies in FOLDER/at-work,
so that even a killed child leaves it behind.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from tests.support import fuzz_targets
from tests.support.fuzz_targets import Target

EACH_SECONDS = 10
MEMORY_BYTES = 1 << 30
MOST_FINDS = 12
SHRINK_TRIES = 150


class TooLong(BaseException):
    """One input took more than its time. No `Exception`, so that no code under test swallows it."""


def on_alarm(signum: int, frame: FrameType | None) -> None:
    raise TooLong


def sign_of(error: BaseException) -> str:
    """By what two finds are the same: the kind of error and the last two places in our rooms."""
    ours = [
        f"{Path(frame.filename).name}:{frame.lineno}:{frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
        if ".venv" not in frame.filename and "/lib/python" not in frame.filename
    ]
    return " ".join([type(error).__name__, *(ours[1:2] if isinstance(error, TooLong) else ours[-2:])])


def tried(target: Target, data: bytes) -> BaseException | None:
    """What goes wrong with one input, if anything does."""
    signal.alarm(EACH_SECONDS)
    try:
        target.try_one(data)
    except (Exception, TooLong) as error:  # noqa: BLE001 - any error is what is looked for
        return error
    finally:
        signal.alarm(0)
    return None


def smaller(data: bytes, still_bad: Callable[[bytes], bool]) -> bytes:
    """Cut pieces out of an input as long as it stays bad, for a bounded number of tries."""
    tries, step = 0, len(data) // 2
    while step and tries < SHRINK_TRIES:
        position = 0
        while position < len(data) and tries < SHRINK_TRIES:
            tries += 1
            shorter = data[:position] + data[position + step :]
            if still_bad(shorter):
                data = shorter
            else:
                position += step
        step //= 2
    return data


def finds(target: Target, seed: int, seconds: float, folder: Path) -> Iterator[dict[str, Any]]:
    """Run until the time is up; each new kind of find once, the number of inputs last."""
    seen: set[str] = set()
    end, count = time.monotonic() + seconds, 0
    at_work = folder / "at-work"
    for data in target.inputs(seed):
        if time.monotonic() > end or len(seen) >= MOST_FINDS:
            break
        at_work.write_bytes(data)
        count += 1
        error = tried(target, data)
        if error is None or (sign := sign_of(error)) in seen:
            continue
        seen.add(sign)
        told = "".join(traceback.format_exception(error, limit=-6))
        least = data if isinstance(error, TooLong) else smaller(data, lambda less: same(target, less, sign))
        kept = folder / f"find-{len(seen)}"
        kept.write_bytes(least)
        yield {
            "sign": sign,
            "input": str(kept),
            "size": len(least),
            "begins": repr(least[:300]),
            "trace": told,
        }
    at_work.unlink(missing_ok=True)
    yield {"inputs": count}


def same(target: Target, data: bytes, sign: str) -> bool:
    error = tried(target, data)
    return error is not None and sign_of(error) == sign


def main() -> None:
    name, seed, seconds, folder = sys.argv[1:]
    signal.signal(signal.SIGALRM, on_alarm)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for find in finds(fuzz_targets.TARGETS[name], int(seed), float(seconds), Path(folder)):
        print(json.dumps(find), flush=True)


if __name__ == "__main__":
    main()
