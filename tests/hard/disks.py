"""Small disks of our own (loop images), whose power can be cut. Linux, root, and a few tools are needed."""

import fcntl
import os
import shutil
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TOOLS = {"ext4": ("mkfs.ext4", "mount", "umount"), "xfs": ("mkfs.xfs", "mount", "umount")}
# The call behind `xfs_io -x -c shutdown`, which ext4 knows too. Made from here, since a tool takes
# milliseconds to start, in which the writer would go on.
_GOING_DOWN, _WITHOUT_LOG_FLUSH = 0x8004587D, 2
SIZES = {"ext4": 64, "xfs": 320}


def missing(kind: str) -> str:
    """Why disks cannot be made here; empty when they can."""
    if os.geteuid() != 0:
        return "needs root: a disk is mounted and its power cut"
    lacking = [tool for tool in TOOLS[kind] if shutil.which(tool) is None]
    return f"needs {', '.join(lacking)} (packages e2fsprogs, xfsprogs, mount)" if lacking else ""


def run(*command: str | Path) -> None:
    subprocess.run([str(part) for part in command], check=True, capture_output=True)


class Disk:
    """An image file with a file system on it, mounted at `root`."""

    def __init__(self, folder: Path, kind: str, megabytes: int, options: tuple[str, ...]) -> None:
        self.kind, self.image, self.root = kind, folder / f"{kind}.img", folder / f"{kind}-disk"
        self.root.mkdir()
        with self.image.open("wb") as image:
            image.truncate(megabytes * 1024 * 1024)
        quick = ("-q", "-f") if kind == "xfs" else ("-q", "-F", *options)
        run(f"mkfs.{kind}", *quick, self.image)
        self.mount()

    def mount(self) -> None:
        run("mount", "-o", "loop", self.image, self.root)

    def unmount(self) -> None:
        run("umount", self.root)

    def read_only(self) -> None:
        run("mount", "-o", "remount,ro", self.root)

    def cut_power(self) -> None:
        """The kernel's own shutdown without a flush: what was not made durable is gone."""
        fd = os.open(self.root, os.O_RDONLY)
        try:
            fcntl.ioctl(fd, _GOING_DOWN, struct.pack("I", _WITHOUT_LOG_FLUSH))
        finally:
            os.close(fd)

    def power_on(self) -> None:
        """Mount again; the file system plays its journal back."""
        self.unmount()
        self.mount()


@contextmanager
def disk(
    folder: Path, kind: str = "ext4", megabytes: int = 0, options: tuple[str, ...] = ()
) -> Iterator[Disk]:
    """A mounted disk for the length of the block."""
    made = Disk(folder, kind, megabytes or SIZES[kind], options)
    try:
        yield made
    finally:
        subprocess.run(["umount", "-l", str(made.root)], check=False, capture_output=True)
