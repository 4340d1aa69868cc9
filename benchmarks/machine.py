"""Which machine the figures are from."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path


def machine(folder: Path) -> dict[str, str]:
    """Processor, cores, memory, system, Python, the file system of the data folder, and the load just now."""
    return {
        "processor": _first("/proc/cpuinfo", "model name") or platform.processor() or platform.machine(),
        "cores": str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()),
        "memory": _first("/proc/meminfo", "MemTotal"),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "file system": file_system(folder),
        "load": " ".join(f"{part:.1f}" for part in os.getloadavg()),
    }


def _first(file: str, key: str) -> str:
    """The value of the first line that begins with `key`; empty where the system has no such file."""
    path = Path(file)
    if not path.exists():
        return ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(key):
            return " ".join(line.partition(":")[2].split())
    return ""


def file_system(folder: Path) -> str:
    """Its type, as `df` names it."""
    done = subprocess.run(["df", "-PT", str(folder)], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    return lines[1].split()[1] if done.returncode == 0 and len(lines) > 1 else "unknown"
