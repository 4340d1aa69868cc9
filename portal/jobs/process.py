"""Names of processes in leases, and which of them are dead.

A name is `<machine>/<process id>/<start time>/<chance>`. `machine` stands for one boot of one machine and one
space of process ids (a container has its own), so a process id of another machine is never judged here.
"""

from __future__ import annotations

import os
import platform
import secrets
from pathlib import Path

PROC = Path("/proc")


def own_name() -> str:
    """A new name for this process; two calls give two names."""
    pid = os.getpid()
    return f"{machine()}/{pid}/{started(pid)}/{secrets.token_hex(4)}"


def is_dead(name: str) -> bool:
    """The process of this name ran on this machine since its last boot and has ended.

    False whenever that cannot be told: such a lease ends by its time.
    """
    parts = name.split("/")
    if len(parts) != 4 or parts[0] != machine() or not parts[1].isdigit():
        return False
    pid, start = int(parts[1]), parts[2]
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False  # it lives and is somebody else's
    return started(pid) != start


def machine() -> str:
    """This boot of this machine and this space of process ids; elsewhere than on Linux the machine's name."""
    try:
        boot = (PROC / "sys/kernel/random/boot_id").read_text().strip()
        space = Path(PROC / "self/ns/pid").readlink().name
    except OSError:
        return platform.node().replace("/", "-") or "unnamed"
    return f"{boot}-{space}".replace("/", "-")


def started(pid: int) -> str:
    """When a process began, in clock ticks since boot; `-` where the system does not tell.

    A process that has ended and waits to be collected by its parent counts as ended: it cannot go on.
    """
    try:
        stat = (PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "-"
    fields = stat.rpartition(")")[2].split()  # the name in brackets may hold anything, brackets included
    return "ended" if fields[0] == "Z" else fields[19]
