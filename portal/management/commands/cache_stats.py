"""`manage.py cache_stats`: how much of what models were sent was cached, first against later (PRE-19)."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from portal.endpoints.usage import CacheLine, Span, cache_lines, calls_of, together
from portal.models import Person

LONGEST_SPAN = 3660
HEADINGS = ("endpoint", "model", "requests", "calls", "prompt tokens", "cached tokens", "cached")
TEXTS = 3  # so many columns hold text; the others are numbers


class Command(BaseCommand):
    """Exit code 0, also where there is nothing to tell. 2: there is no such person."""

    help = (
        "Show the tokens that were sent to models and those of them that were cached, the first request of"
        " a group (a trial run, story or import) against the later ones, for each endpoint and model."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days", type=_days, default=30, help="so many days up to today (default: 30)", metavar="N"
        )
        parser.add_argument("--owner", metavar="NAME", help="only what this person asked for (folder name)")
        parser.add_argument("--json", action="store_true", help="write the numbers as JSON")

    def handle(self, **options: Any) -> None:
        owner = None
        if options["owner"] is not None:
            owner = Person.objects.filter(handle=options["owner"]).first()
            if owner is None:
                self.stderr.write(f"There is nobody with the folder name {options['owner']}.")
                raise SystemExit(2)
        span = Span.of_days(options["days"])
        lines = cache_lines(calls_of(span, owner))
        if options["json"]:
            self.stdout.write(json.dumps(_told(span, options["owner"], lines), ensure_ascii=False))
        elif lines:
            rows = [_row(line) for line in (*lines, *(together(lines) if len(lines) > 2 else ()))]
            self.stdout.write("\n".join(aligned([HEADINGS, *rows])))
        else:
            self.stdout.write(f"Between {span.first} and {span.last} no request of a group told its tokens.")


def _days(text: str) -> int:
    days = int(text)
    if not 1 <= days <= LONGEST_SPAN:
        raise argparse.ArgumentTypeError(f"a number from 1 to {LONGEST_SPAN}")
    return days


def _told(span: Span, owner: str | None, lines: Iterable[CacheLine]) -> dict[str, Any]:
    first, later = ({**one.to_json(), "endpoint": None, "model": None} for one in together(lines))
    return {
        "first": str(span.first),
        "last": str(span.last),
        "owner": owner,
        "lines": [line.to_json() for line in lines],
        "together": [first, later],
    }


def _row(line: CacheLine) -> tuple[str, ...]:
    return (
        line.endpoint or "all",
        line.model,
        "later" if line.is_later else "first",
        f"{line.calls:,}",
        f"{line.prompt:,}",
        f"{line.cached:,}",
        "-" if line.share is None else f"{line.share:.1%}",
    )


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns of plain text: names to the left, numbers to the right. Control characters are left out."""
    clean = [["".join(filter(str.isprintable, cell)) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*clean, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if number < TEXTS else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in clean
    ]
