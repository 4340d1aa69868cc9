"""`python -m benchmarks [--json] [--runs N] [--only PART,…] [--folder DIR]`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.machine import machine
from benchmarks.measure import Measurement

PARTS = (
    "reading",
    "matching",
    "scanning",
    "presets",
    "assembling",
    "importing",
    "opening",
    "home",
    "testing",
    "lorebooks",
)


def main() -> int:
    """Exit code 0: every goal was reached. 1: some goal was missed."""
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="tavern-bench-", dir=options.folder) as name:
        folder = Path(name)
        about = machine(folder)
        if not options.json:
            print(" · ".join(f"{key}: {value}" for key, value in about.items() if value), flush=True)
            print(f"medians of {options.runs} runs\n\n{heading()}", flush=True)
        found = []
        for one in measured(folder, options.only, options.runs):
            found.append(one)
            if not options.json:
                print(line(one), flush=True)
    if options.json:
        told: dict[str, Any] = {"machine": about, "measurements": [one.to_json() for one in found]}
        print(json.dumps(told, ensure_ascii=False, indent=2))
    return int(any(one.reached is False for one in found))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=main.__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--runs", type=int, default=9, help="runs of each measurement (default: 9)")
    parser.add_argument(
        "--folder", help="where the data folder is made (default: the system's temporary one)"
    )
    parser.add_argument(
        "--only",
        type=lambda text: text.split(","),
        default=list(PARTS),
        metavar="PART,…",
        help=f"some of {', '.join(PARTS)}",
    )
    options = parser.parse_args()
    if unknown := set(options.only) - set(PARTS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    if options.runs < 1:
        parser.error("--runs must be at least 1")
    return options


def measured(folder: Path, only: list[str], runs: int) -> Iterator[Measurement]:
    """Every measurement asked for, over one fresh data folder with the settings of a served program."""
    if "reading" in only:
        from benchmarks import reading

        yield from reading.measure(folder, runs)
    if "matching" in only:
        from benchmarks import matching

        yield from matching.measure(runs)
    if "scanning" in only:
        from benchmarks import scanning

        yield from scanning.measure(runs)
    if "presets" in only:
        from benchmarks import presets

        yield from presets.measure(runs)
    if "assembling" in only:
        from benchmarks import assembling

        yield from assembling.measure(runs)
    if set(only) - {"reading", "matching", "scanning", "presets", "assembling"}:
        start_program(folder / "data")
        from benchmarks import home, importing, lorebooks, opening, testing
        from portal.models import Person

        owner = Person.objects.create_user("bench", password=None)
        if "importing" in only:
            yield from importing.measure(owner, runs)
        if "opening" in only:
            yield from opening.measure(owner, runs)
        if "home" in only:
            yield from home.measure(owner, runs)
        if "testing" in only:
            yield from testing.measure(owner, runs)
        if "lorebooks" in only:
            yield from lorebooks.measure(owner, runs)


def start_program(data: Path) -> None:
    """Django as `serve` prepares it: its own settings, migrated, static files gathered."""
    for name in ("DATABASE_URL", "REDIS_URL", "PUBLIC_URL", "ALLOWED_HOSTS", "DEBUG", "PORT"):
        os.environ.pop(name, None)
    os.environ |= {
        "ROLEPLAY_DATA": str(data),
        "DJANGO_SETTINGS_MODULE": "roleplay.settings",
        "IMPORT_UPLOADS_PER_HOUR": "100000",
        "LOG_LEVEL": "ERROR",
    }
    import django

    django.setup()
    from roleplay.serving import prepare

    prepare()


def heading() -> str:
    return f"{'':<74}{'median':>11}{'fastest':>11}{'of it cpu':>11}  goal, more"


def line(one: Measurement) -> str:
    times = "".join(f"{value:>8,.1f} ms" for value in (one.median_ms, one.fastest_ms, one.cpu_ms))
    more = []
    if one.goal_ms is not None:
        more.append(f"under {one.goal_ms:,.0f} ms: {'reached' if one.reached else 'MISSED'}")
    if one.peak_bytes is not None:
        more.append(f"{one.peak_bytes / 2**20:,.0f} MB of memory")
    more += [f"{key} {value:,.1f}" for key, value in one.extra.items() if key != "fileBytes"]
    return f"{one.name:<74}{times}  {', '.join(more)}".rstrip()


if __name__ == "__main__":
    sys.exit(main())
