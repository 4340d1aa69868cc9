"""A process of its own that reads one card: `python -m benchmarks.read_once FILE RUNS` prints JSON.

Memory is the highest resident size the system saw, the memory map of the file included, less what the
process had before it opened the file.
"""

from __future__ import annotations

import json
import mmap
import sys
from pathlib import Path

from benchmarks.measure import timed
from formats.card import read_card


def main() -> None:
    path, runs = Path(sys.argv[1]), int(sys.argv[2])
    before = peak()
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        read_card(data, filename=path.name)
        after = peak()
        found = timed(lambda: read_card(data, filename=path.name), runs) if runs else []
    print(json.dumps({"runs": found, "peak": after - before}))


def peak() -> int:
    """The most bytes of memory this program has held at once (`VmHWM` of Linux).

    The figure of `getrusage` would begin at what the parent had when it started this process.
    """
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise OSError("this system does not tell the peak of a process; the benchmarks need Linux")


if __name__ == "__main__":
    main()
