"""`manage.py export_world ID OUT.zip`: a world as a zip, as the page gives it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from formats.errors import DomainError
from formats.finding import fill
from formats.text.names import download_name
from worlds.downloads import zip_of
from worlds.queries import folder_of, world_by_id


class Command(BaseCommand):
    """Exit code 0: written. 1: the file could not be written. 2: no such world, or the file is there."""

    help = "Write a world as a zip: its native files, without import records, history and checks."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", help="the world's id: the name of its folder, the end of its address")
        parser.add_argument(
            "out", metavar="OUT.zip", help="the file to write; an existing one is not replaced"
        )
        parser.add_argument("--json", action="store_true", help="write the result as JSON")

    def handle(self, **options: Any) -> None:
        out = Path(options["out"])
        try:
            world = world_by_id(options["id"])
            top = download_name(world.name, "zip").removesuffix(".zip")
            size = self._write(out, zip_of(folder_of(world), top))
        except DomainError as error:
            self.stderr.write(f"{error} {fill(error.hint, error.values)}".strip())
            raise SystemExit(2) from error
        except FileExistsError as error:
            self.stderr.write(f"{out} is there already and was not replaced. Choose another name.")
            raise SystemExit(2) from error
        except OSError as error:
            self.stderr.write(f"{out} could not be written ({error.strerror}). The world was not touched.")
            raise SystemExit(1) from error
        if options["json"]:
            self.stdout.write(json.dumps({"id": world.pk, "file": str(out), "bytes": size}))
        else:
            self.stdout.write(f"{world.name} was written to {out} ({size} bytes).")

    def _write(self, out: Path, parts: Any) -> int:
        """A file that a person asked for, outside of the data folder: written here, not by the store."""
        size = 0
        with out.open("xb") as file:
            for part in parts:
                size += file.write(part)
        return size
