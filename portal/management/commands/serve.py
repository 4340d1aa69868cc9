"""`manage.py serve`: what `make run` calls."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext as _

from roleplay import serving


class Command(BaseCommand):
    """Prepares everything and serves pages, sockets and background jobs in one process."""

    help = "Prepare the data folder, the database and the static files, then serve pages and run jobs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=None, help="the port to listen on (default: PORT)")
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
        parser.add_argument("--json", action="store_true", help="say in one line of JSON that it answers")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            serving.serve(options["host"], options["port"], self._say, as_json=options["json"])
        except KeyboardInterrupt:
            if not options["json"]:
                self._say(_("The server has ended. Running jobs go on when it starts again."))

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()
