"""Runs one life of `store_lives` in its own process: `python -m tests.hard.store_writer LIFE ROOT [nosync]`.

Prints the number of each step once it is done. With `nosync` nothing is made durable: the control that shows
what the test would see if the store were careless.
"""

import os
import sys
from pathlib import Path

from tests.hard.store_lives import LIVES


def tell(fd: int, step: int) -> None:
    """One write for one step, so that no half of a number is ever read."""
    os.write(fd, f"{step}\n".encode())


def main() -> None:
    name, root = sys.argv[1], Path(sys.argv[2])
    if sys.argv[3:] == ["nosync"]:
        os.fsync = lambda fd: None
    LIVES[name].run(root, lambda step: tell(sys.stdout.fileno(), step))


if __name__ == "__main__":
    main()
