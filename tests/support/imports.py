"""Imports for tests: an invented card as bytes, staged and read, and started in a world, without Django."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from formats.card import Card, read_card
from formats.card.choice import check_choices, default_choices
from importer.pipeline.building import Built
from importer.pipeline.read_upload import read_upload
from importer.pipeline.receiving import receive
from importer.pipeline.record import CardFiles, ImportRecord, ImportState, Stage, record_bytes
from importer.pipeline.steps import StructureImport
from importer.pipeline.structure import build_world
from worlds.rules.write import blank_world
from worlds.store.folder import ItemFolder
from worlds.store.paths import DataFolder, new_item_id
from worlds.store.shelf import Shelf
from worlds.store.staging import Staging

UPLOAD = "uploaduploadupload22"
WORLD = new_item_id("Mira Oakes", "worldworldworldworld")
STARTED = "2026-11-30T08:00:00Z"
NOW = datetime(2026, 11, 30, 8, 5, tzinfo=UTC)


def card_bytes(card: Mapping[str, Any]) -> bytes:
    """A card as a JSON file."""
    return json.dumps(card, ensure_ascii=False).encode()


def read(card: Mapping[str, Any]) -> Card:
    """A card as the reader gives it."""
    return read_card(card_bytes(card)).card


def built(card: Mapping[str, Any], *, picture: str | None = None, **choices: Any) -> Built:
    """The world on paper that a card becomes, with the first choices changed as told."""
    known = read(card)
    chosen = check_choices(known, replace(default_choices(known), **choices))
    return build_world(known, chosen, picture=picture, sha256="0" * 64, started_at=STARTED)


def documents(world: Built, under: str = "") -> dict[str, Any]:
    """The JSON documents of a world on paper, by path, or those below a folder."""
    return {
        path: json.loads(data)
        for path, data in world.files.items()
        if path.endswith(".json") and path.startswith(under)
    }


def staged(root: Path, data: bytes, filename: str = "card.json") -> Staging:
    """A file that was uploaded and read, as the upload `UPLOAD`."""
    staging = Staging(DataFolder(root))
    staging.begin(UPLOAD)
    receive(staging, UPLOAD, [data], filename, limit=10**9)
    read_upload(staging.folder(UPLOAD))
    return staging


def started(root: Path, data: bytes, **choices: Any) -> ItemFolder:
    """A world `WORLD` of Ana's whose import is ready to run."""
    staging = staged(root, data)
    known = CardFiles(staging.folder(UPLOAD)).card()
    chosen = check_choices(known, replace(default_choices(known), **choices))
    staging.write(UPLOAD, "choices.json", record_bytes(chosen.to_json()))
    blank = blank_world(chosen.name, chosen.language, NOW)
    folder = Shelf(staging.data, "ana", "worlds").create(WORLD, blank)
    staging.write(UPLOAD, "state.json", record_bytes(ImportState(stage="ready", started_at=STARTED)))
    staging.move_into(UPLOAD, folder)
    return folder


def importing(folder: ItemFolder) -> StructureImport:
    """A worker for the import of a world, its clock stopped."""
    return StructureImport(ImportRecord(folder), by="ana", now=lambda: NOW)


def run(folder: ItemFolder, on_stage: Callable[[Stage], None] = lambda stage: None) -> Stage:
    """Run an import to its end."""
    return importing(folder).run(on_stage)


def tree(folder: Path) -> dict[str, bytes]:
    """Every file of a world by path, but its history and the temporary files, which are swept by age."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.relative_to(folder).parts[0] != ".trash" and path.suffix != ".tmp"
    }
