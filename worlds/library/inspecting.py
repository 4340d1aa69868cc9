"""A look at a file: read as an upload is, in a child process, and told at a shell; nothing is kept of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from django.core.management.base import BaseCommand

from formats.errors import DomainError
from formats.finding import fill
from worlds.library.files.import_report import LibraryReport
from worlds.library.waiting import staging
from worlds.store.paths import new_token

Looked = TypeVar("Looked")


@contextmanager
def staged_once(data: bytes, original: str, limit: int) -> Iterator[Path]:
    """A staged folder with the file as `original`, which is gone when the block ends.

    Raises:
        DomainError: `too-large`, `full`, `unavailable`.
    """
    room, upload_id = staging(), new_token()
    folder = room.begin(upload_id)
    try:
        with room.receive(upload_id, original, limit) as receiving:
            receiving.write(data)
        yield folder
    finally:
        room.discard(upload_id)


class InspectCommand(BaseCommand):
    """Exit code 0: what it looks for. 1: something else, or unreadable. 2: no such file, or too large."""

    def looked_at(self, path: Path, limit: int, look: Callable[[bytes, int], Looked]) -> Looked:
        """What `look` sees in a file of at most `limit` bytes; the command ends where there is none."""
        try:
            with path.open("rb") as file:
                data = file.read(limit + 1)
            return look(data, limit)
        except OSError as error:
            self.stderr.write(f"{path} cannot be opened ({error.strerror}).")
            raise SystemExit(2) from error
        except DomainError as error:
            self.stderr.write(f"{error} {fill(error.hint, error.values)}".strip())
            raise SystemExit(2) from error

    def tell(self, options: dict[str, Any], told: dict[str, Any], lines: list[str]) -> None:
        """Say what was found, for machines or for people."""
        self.stdout.write(json.dumps(told, ensure_ascii=False) if options["json"] else "\n".join(lines))

    def refuse(self, options: dict[str, Any], report: LibraryReport) -> NoReturn:
        """Say why the file is none of its kind, and end the command."""
        error = report.error
        assert error is not None  # every verdict but that of its kind has one
        message, hint = fill(error.message, error.args), fill(error.hint, error.args)
        told = {"code": error.code, "where": error.where, "message": message, "hint": hint}
        lines = [message, *([hint] if hint else [])]
        self.tell(options, {"verdict": report.verdict, "kind": report.kind, "error": told}, lines)
        raise SystemExit(1)
