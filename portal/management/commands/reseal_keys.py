"""`manage.py reseal_keys`: after a new key was put first in FIELD_KEYS, so that the old one can go."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from portal.endpoints.actions import reseal_keys


class Command(BaseCommand):
    """Exit code 0: all are encrypted with the first of FIELD_KEYS. 1: some could not be read, and stay."""

    help = "Encrypt the stored keys of model endpoints anew with the first of FIELD_KEYS."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="write the numbers as JSON")

    def handle(self, **options: Any) -> None:
        done, unreadable = reseal_keys()
        if options["json"]:
            self.stdout.write(json.dumps({"done": done, "unreadable": unreadable}))
        else:
            self.stdout.write(f"{done} keys are encrypted with the first of FIELD_KEYS.")
            if unreadable:
                self.stdout.write(
                    f"{unreadable} keys cannot be read with any of FIELD_KEYS and stay as they are;"
                    " their owners have to type them again."
                )
        if unreadable:
            raise SystemExit(1)
