"""Reads of the importer, for pages, API and commands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings

from formats.card import Piece, pieces_of
from formats.card.choice import Choices
from formats.errors import DomainError
from formats.finding import Finding
from formats.stable_json import read_json
from importer.access import no_such_import, uploads_for
from importer.models import Upload
from importer.pipeline.building import Built
from importer.pipeline.estimate import Estimate, estimate
from importer.pipeline.preview import CardPreview
from importer.pipeline.record import (
    CardFiles,
    ImportRecord,
    ImportState,
    PieceRecord,
    Pieces,
    Reading,
    UploadInfo,
    read_record,
)
from importer.targets import Target, default_target, find_targets
from llm.endpoint import Prices
from portal.endpoints.access import endpoints_for
from portal.endpoints.queries import for_purpose
from portal.jobs import jobs_of
from portal.models import Job, Person, Purpose
from worlds.data import data_folder
from worlds.models import Element, World
from worlds.queries import folder_of
from worlds.rules.check import check_world
from worlds.rules.fixes import Fix, smallest_fixes
from worlds.rules.load import load_world
from worlds.rules.paths import document_of
from worlds.store.staging import Staging


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """Everything the preview page and the API show of one upload (CARD-4, PREV-1, PREV-4, PREV-5, PREV-6).

    `default` is the world the page proposes to update, None for a new world. `same_file` are worlds of the
    person that this very file was imported into before. `endpoints` are the models that may read the card (id
    and name), `endpoint` the one that is taken unless another is chosen, `estimate` what it would ask for.
    """

    upload: Upload
    card: CardPreview
    choices: Choices
    targets: list[Target]
    default: Target | None
    same_file: list[World]
    endpoints: list[tuple[str, str]]
    endpoint: str
    estimate: Estimate | None

    @property
    def expires_at(self) -> datetime:
        return self.upload.expires_at


@dataclass(frozen=True, slots=True)
class MadeOf:
    """A document that a piece became: where its page is found, and its title."""

    kind: str
    key: str
    path: str
    title: str


@dataclass(frozen=True, slots=True)
class PieceRow:
    """A line of the account: the piece's record, the piece itself, and what it became."""

    record: PieceRecord
    piece: Piece
    made: list[MadeOf]


@dataclass(frozen=True, slots=True)
class ImportStatus:
    """How the import of a world stands. `job` is the newest that arranged it, `pictures` the newest that
    fetched. `ahead`: jobs that were asked for before it and still wait. `pieces`: of the card, once sorted.
    """

    world: World
    state: ImportState
    upload: UploadInfo
    job: Job | None
    pictures: Job | None
    report: dict[str, Any] | None
    ahead: int = 0
    pieces: int = 0


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that keeps a story from starting, with the smallest fixes."""

    finding: Finding
    fixes: tuple[Fix, ...]


def waiting_uploads(person: Person, limit: int | None = 50) -> list[Upload]:
    """The uploads that wait for a decision, or are being read, newest first; None for all."""
    return list(uploads_for(person).exclude(state=Upload.State.STARTED)[:limit])


def original_of(found: Upload | World) -> tuple[Path, str, int, str]:
    """The file as it came: where it lies, its name, its size in bytes, its SHA-256.

    Raises:
        DomainError: `not-found` when it has expired or was taken away.
    """
    if isinstance(found, Upload):
        files = CardFiles(Staging(data_folder()).folder(found.id))
    else:
        files = ImportRecord(folder_of(found))
    info = files.upload()
    path = files.path / "original"
    if not path.is_file():
        raise no_such_import(info.upload)
    return path, info.filename, info.size, info.sha256


def card_name_of(world: World) -> str:
    """The name of the card a world was imported from: what `{{char}}` stands for in its passages."""
    return ImportRecord(folder_of(world)).card().name


def card_preview_of(world: World) -> CardPreview:
    """The preview as it was before the start, for what the card's maker relied on.

    Raises:
        DomainError: `not-found` when the record is gone, `invalid` when it cannot be read.
    """
    record = ImportRecord(folder_of(world))
    return read_record(CardPreview, record.bytes_of("preview.json"), "preview.json")


def reading_of(upload: Upload) -> Reading:
    """What reading gave; for the page of a file that is no card.

    Raises:
        DomainError: `not-found` while it is being read.
    """
    return CardFiles(Staging(data_folder()).folder(upload.id)).reading()


def choices_of(upload: Upload) -> Choices:
    """The choices of an upload that is ready, as they are kept now."""
    return CardFiles(Staging(data_folder()).folder(upload.id)).choices()


def preview_of(upload: Upload) -> ImportPreview:
    """The preview of an upload that is ready.

    Raises:
        DomainError: `not-found` when its files have expired.
    """
    files = CardFiles(Staging(data_folder()).folder(upload.id))
    card = read_record(CardPreview, files.bytes_of("preview.json"), "preview.json")
    targets = find_targets(upload.owner, card.name)
    same = World.objects.filter(owner=upload.owner, source_sha256=upload.sha256).order_by("-created_at")
    choices = files.choices()
    endpoints = {endpoint.pk: endpoint for endpoint in endpoints_for(upload.owner)}
    usual = for_purpose(upload.owner, Purpose.IMPORTING)
    chosen = endpoints.get(choices.endpoint) or usual
    return ImportPreview(
        upload,
        card,
        choices,
        targets,
        default_target(targets),
        list(same[:5]),
        [(pk, endpoint.name) for pk, endpoint in endpoints.items()],
        usual.pk if usual else "",
        estimate_of(card, choices, chosen.prices) if chosen else None,
    )


def estimate_of(card: CardPreview, choices: Choices, prices: Prices) -> Estimate:
    """What reading the card with a model would ask for, by the texts that come along."""
    off = set(choices.off)
    sizes = [*card.fields.values(), *(len(greeting.text) for greeting in card.greetings)]
    sizes += [entry.size for entry in card.entries if entry.id not in off]
    wide = choices.language == "zh-hans"
    told = [size for size in sizes if size]
    return estimate(told, wide=wide, prices=prices, at_once=settings.IMPORTS.concurrency)


def picture_of(upload: Upload) -> Path | None:
    """Where the picture of an upload that is ready lies."""
    return CardFiles(Staging(data_folder()).folder(upload.id)).picture()


def status_of(world: World) -> ImportStatus:
    """How the import of a world stands, from its records and its jobs."""
    record = ImportRecord(folder_of(world))
    jobs = jobs_of(world.owner).filter(subject=world.id)
    report = record.report() if record.has("report.json") else None
    job = jobs.filter(kind="import-structure").first()
    return ImportStatus(
        world,
        record.state(),
        record.upload(),
        job,
        jobs.filter(kind="import-pictures").first(),
        report,
        ahead_of(job),
        len(record.pieces().pieces) if record.has("pieces.json") else 0,
    )


def ahead_of(job: Job | None) -> int:
    """How many jobs of anybody wait longer than this one, while it waits itself."""
    if job is None or job.state != Job.State.QUEUED:
        return 0
    return Job.objects.filter(state=Job.State.QUEUED, created_at__lt=job.created_at).count()


def just_built(world: World, limit: int = 8) -> list[MadeOf]:
    """The last documents that an import has written on paper, before they become the world's files."""
    record = ImportRecord(folder_of(world))
    if not record.has("structure.json"):
        return []
    built = Built.from_record(read_json(record.bytes_of("structure.json")))
    documents = [path for path in built.files if document_of(path) is not None][-limit:]
    return [titled(path, built.files[path]) for path in documents]


def titled(path: str, data: bytes) -> MadeOf:
    """A document on paper, by its own title."""
    made, value = made_of(path, {}), read_json(data)
    title = value.get("title") or value.get("name") if isinstance(value, dict) else ""
    return replace(made, title=title if isinstance(title, str) else "")


def totals_of(world: World) -> dict[str, int]:
    """Outcome → number of pieces; the numbers add up to the pieces of the card (OUT-1)."""
    record = ImportRecord(folder_of(world))
    return record.pieces().totals() if record.has("pieces.json") else {}


def piece_rows(world: World, outcome: str = "") -> list[PieceRow]:
    """The account of every piece, or of those with one outcome, in the card's order."""
    record = ImportRecord(folder_of(world))
    if not record.has("pieces.json"):
        return []
    records: Pieces = record.pieces()
    pieces = {piece.id: piece for piece in pieces_of(record.card())}
    titles = {(kind, key): title for kind, key, title in titles_of(world)}
    return [
        PieceRow(entry, pieces[entry.id], [made_of(path, titles) for path in entry.made])
        for entry in records.pieces
        if entry.id in pieces and outcome in ("", entry.outcome)
    ]


def titles_of(world: World) -> Iterator[tuple[str, str, str]]:
    yield from Element.objects.filter(world=world).values_list("kind", "key", "title")


def made_of(path: str, titles: dict[tuple[str, str], str]) -> MadeOf:
    kind, key = document_of(path) or ("prompt", path)
    return MadeOf(kind, key, path, titles.get((kind, key), ""))


def draft_problems(world: World) -> list[Problem]:
    """What keeps a story from starting, each with its smallest fixes; empty once it can start."""
    folder = folder_of(world)
    loaded = folder.consistently(lambda: load_world(folder.path))
    return [
        Problem(finding, smallest_fixes(loaded, finding))
        for finding in check_world(loaded)
        if finding.severity == "error"
    ]


def picture_report(world: World) -> dict[str, Any] | None:
    """`.import/pictures.json`: what became of each address; None when nothing was fetched yet."""
    try:
        value = folder_of(world).read_json(".import/pictures.json")
    except DomainError:
        return None
    return value if isinstance(value, dict) else None
