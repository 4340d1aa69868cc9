"""`manage.py sweep`: remove for good what has been in a trash longer than its time."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from worlds import actions


class Command(BaseCommand):
    """Exit code 0: done. 1: some worlds were being written and will be swept next time."""

    help = "Remove old trash, former versions, unused uploads and small pictures for good. Run it once a day."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="write the result as JSON")

    def handle(self, **options: Any) -> None:
        count = actions.sweep(now=timezone.now())
        if options["json"]:
            self.stdout.write(json.dumps(count))
        else:
            self.stdout.write(
                f"Removed for good: {count['worlds']} worlds, {count['versions']} former versions, "
                f"{count['uploads']} uploads, {count['thumbnails']} small pictures."
            )
            if count["busy"]:
                self.stderr.write(f"{count['busy']} worlds were being written; they are swept next time.")
        if count["busy"]:
            raise SystemExit(1)
