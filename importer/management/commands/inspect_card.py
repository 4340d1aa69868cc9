"""`manage.py inspect_card FILE`: what the card reader finds in a file. Nothing is kept of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from formats.errors import DomainError
from formats.finding import fill
from importer.api.shapes import card_json, reading_error
from importer.pipeline.preview import CardPreview
from importer.pipeline.reading import inspect
from worlds.data import data_folder
from worlds.store.staging import Staging

CHUNK = 1 << 18


class Command(BaseCommand):
    """Exit code 0: a card. 1: something else, or it cannot be read. 2: no such file, or it is too large."""

    help = "Show what is in a character card, without importing it. The file is not changed or kept."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a PNG, JSON, CharX or any other card")
        parser.add_argument("--json", action="store_true", help="write what was found as JSON")

    def handle(self, **options: Any) -> None:
        path = Path(options["file"])
        try:
            reading, card = inspect(
                Staging(data_folder()), chunks_of(path), path.name, limit=settings.IMPORTS.max_upload_bytes
            )
        except OSError as error:
            self.stderr.write(f"{path} cannot be opened ({error.strerror}).")
            raise SystemExit(2) from error
        except DomainError as error:
            self.stderr.write(f"{error} {fill(error.hint, error.values)}".strip())
            raise SystemExit(2) from error
        if card is None:
            error_told = reading_error(reading)
            told: dict[str, Any] = {"verdict": reading.verdict, "error": error_told}
            self._write(options, told, [str(error_told.get("message", ""))])
            raise SystemExit(1)
        found = {
            "verdict": "card",
            "ignored": {"regexScripts": reading.regex_scripts, "helperScripts": reading.helper_scripts},
            **card_json(card),
            "urls": reading.urls,
            "assets": [asset.model_dump(mode="json", exclude={"file"}) for asset in reading.assets],
        }
        self._write(options, found, list(lines_of(card)))

    def _write(self, options: dict[str, Any], told: dict[str, Any], lines: list[str]) -> None:
        text = json.dumps(told, ensure_ascii=False) if options["json"] else "\n".join(lines)
        self.stdout.write(text)


def chunks_of(path: Path) -> Iterator[bytes]:
    """The bytes of a file, a piece at a time. Raises OSError."""
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk


def lines_of(card: CardPreview) -> Iterator[str]:
    """The card in lines for people at a shell."""
    yield f"{card.name} ({card.spec}, {card.container})"
    if card.creator or card.version:
        yield f"by {card.creator or '?'}, version {card.version or '?'}"
    yield f"{card.pieces} pieces, {len(card.greetings)} greetings, {len(card.entries)} lorebook entries"
    for field, size in card.fields.items():
        yield f"  {field}: {size} characters"
    for greeting in card.greetings:
        yield f"  {greeting.id}: {greeting.text[:70]!r}"
    for entry in card.entries:
        facts = f" [{', '.join(entry.facts)}]" if entry.facts else ""
        yield f"  {entry.id}: {entry.title!r}, {entry.size} characters{facts}"
    for mechanism in card.mechanisms:
        names = f": {', '.join(list(mechanism.names)[:10])}" if mechanism.names else ""
        yield f"  {mechanism.count} {mechanism.code} ({mechanism.becomes}){names}"
    for finding in card.findings:
        times = f" ({finding.count} times)" if finding.count > 1 else ""
        yield f"{finding.severity}: {finding.places[0]}: {fill(finding.message, finding.args)}{times}"
