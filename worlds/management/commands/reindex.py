"""`manage.py reindex`: rebuild the index of worlds from the folders."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from formats.errors import DomainError
from portal.models import Person
from worlds import actions


class Command(BaseCommand):
    """Exit code 0: everything was read. 1: some shelf could not be read. 2: no such person."""

    help = "Rebuild the database's index of worlds from their folders. The folders are not changed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--owner", metavar="NAME", help="only the worlds of this person")
        parser.add_argument("--json", action="store_true", help="write the result as JSON")

    def handle(self, **options: Any) -> None:
        owners = Person.objects.order_by("pk")
        if options["owner"]:
            owners = owners.filter(username=options["owner"])
            if not owners.exists():
                self.stderr.write(f"There is no person called “{options['owner']}”. Nothing was read.")
                raise SystemExit(2)
        read = gone = 0
        failed: list[str] = []
        for owner in owners:
            try:
                of_owner, without_folder = actions.reindex(owner=owner)
            except DomainError as error:
                failed.append(f"{owner}: {error}")
                continue
            read, gone = read + of_owner, gone + without_folder
        if options["json"]:
            self.stdout.write(json.dumps({"worlds": read, "rowsRemoved": gone, "failed": failed}))
        else:
            self.stdout.write(f"{read} worlds were read; {gone} rows without a folder were removed.")
            for line in failed:
                self.stderr.write(line)
        if failed:
            raise SystemExit(1)
