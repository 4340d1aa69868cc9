"""`manage.py check_world ID`: can a story start in this world, and if not, what is missing."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from formats.errors import DomainError
from formats.finding import Finding, fill
from worlds.queries import folder_of, world_by_id
from worlds.rules.check import can_start, check_world


class Command(BaseCommand):
    """Exit code 0: a story can start. 1: it cannot. 2: there is no such world, or it cannot be read."""

    help = "Check whether a story can start in a world, and say what is missing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", help="the world's id: the name of its folder, the end of its address")
        parser.add_argument("--json", action="store_true", help="write the findings as JSON")

    def handle(self, **options: Any) -> None:
        try:
            world = world_by_id(options["id"])
            findings = check_world(folder_of(world).path)
        except DomainError as error:
            self.stderr.write(f"{error} {fill(error.hint, error.values)}".strip())
            raise SystemExit(2) from error
        ok = can_start(findings)
        if options["json"]:
            told = {"id": world.pk, "ok": ok, "findings": [finding.to_json() for finding in findings]}
            self.stdout.write(json.dumps(told, ensure_ascii=False))
        else:
            for finding in findings:
                self.stdout.write(_line(finding))
            self.stdout.write("A story can start." if ok else "A story cannot start yet.")
        if not ok:
            raise SystemExit(1)


def _line(finding: Finding) -> str:
    hint = fill(finding.hint, finding.args)
    return f"{finding.severity}: {finding.where}: {finding.text}" + (f"\n  {hint}" if hint else "")
