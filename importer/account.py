"""The account of a card's pieces as a page shows it: each passage beside what it became (OUT-1)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from formats.card import Piece
from formats.errors import DomainError
from formats.stable_json import read_json
from importer.queries import MadeOf, PieceRow
from importer.words import OUTCOMES, REASONS, Word
from portal.say import sentence
from worlds.models import Element, World
from worlds.overview import address_of
from worlds.queries import folder_of
from worlds.rules.documents import KINDS
from worlds.rules.prompts import PROMPT_TITLES, inert, prompt_of

HIDDEN = ("schema", "id", "name", "title", "summary", "type", "scope", "known_by", "keywords", "portrait")
BEGINNING = 40  # characters by which a line is known again
RISKY = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class Result:
    """One thing a piece became: its name and page, and its text field by field (label, text)."""

    title: str
    address: str
    texts: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class AccountRow:
    """One piece: its name, its passage, its outcome in words, and what it became."""

    id: str
    label: str
    title: str
    size: int
    outcome: str
    word: Word
    reason: Word
    text: str
    results: list[Result]


def account_rows(world: World, rows: list[PieceRow], char_name: str) -> list[AccountRow]:
    """The rows of one page; each file of the world is read once."""
    read: dict[str, Result] = {}
    return [account_row(world, row, char_name, read) for row in rows]


def account_row(world: World, row: PieceRow, char_name: str, read: dict[str, Result]) -> AccountRow:
    record, piece = row.record, row.piece
    return AccountRow(
        id=record.id,
        label=label_of(piece),
        title=record.title,
        size=record.size,
        outcome=record.outcome,
        word=OUTCOMES[record.outcome][0],
        reason=REASONS.get(record.reason, ""),
        text=piece.text,
        results=[result_of(world, made, piece, char_name, read) for made in row.made],
    )


def label_of(piece: Piece) -> str:
    """`Entry 13 (2/3)`: what a piece is called on a page."""
    label = sentence(piece.label, piece.label_args)
    return f"{label} ({piece.part}/{piece.parts})" if piece.parts > 1 else label


def result_of(world: World, made: MadeOf, piece: Piece, char_name: str, read: dict[str, Result]) -> Result:
    """What a piece became. An opening is one of several in `world.json`, so it is told by its own text."""
    if made.path == "world.json":
        address = f"{reverse('worlds:overview', args=[world.pk])}#openings"
        return Result(_("Openings"), address, [("", piece.as_prose(char_name).text)])
    if made.path not in read:
        read[made.path] = read_result(world, made)
    whole = read[made.path]
    if made.kind == "variables":
        return whole
    return replace(whole, texts=list(texts_from(whole.texts, piece, char_name)))


def texts_from(texts: Iterable[tuple[str, str]], piece: Piece, char_name: str) -> Iterator[tuple[str, str]]:
    """Of a document made of several pieces, the lines that stand in this one; each field once."""
    cleaned = (piece.as_prose(char_name).text, piece.as_lore(char_name).text)
    passage = " ".join(" ".join((*cleaned, inert(cleaned[1]))).split())
    for label, text in texts:
        lines = [line for line in text.split("\n") if stands_in(line, passage)]
        if lines:
            yield label, "\n".join(lines)


def stands_in(line: str, passage: str) -> bool:
    """Whether a line begins as something in the passage does; white space does not count."""
    begins = " ".join(line.split())[:BEGINNING]
    return bool(begins) and begins in passage


def read_result(world: World, made: MadeOf) -> Result:
    """Read a file that a piece became; one that was removed since has no text and no address."""
    prompt = prompt_of(made.path)
    try:
        data = folder_of(world).read(made.path)
    except DomainError:
        return Result(made.title or made.key, "", [])
    address = address_of(world, made.path)
    if prompt:
        language, name = prompt
        title = f"{sentence(PROMPT_TITLES[name], {})} ({language})"
        return Result(title, address, [("", data.decode("utf-8", "replace"))])
    texts = list(texts_of(made.kind, data))
    if made.kind == "variables":
        address = reverse("worlds:kind", args=[world.pk, "variables"])
    return Result(made.title or title_in(world, made) or made.key or made.path, address, texts)


def title_in(world: World, made: MadeOf) -> str:
    """The title the index knows."""
    row = Element.objects.filter(world=world, kind=made.kind, key=made.key).first()
    return row.title if row else ""


def texts_of(kind: str, data: bytes) -> Iterator[tuple[str, str]]:
    """The texts of a document, each with its field's label; what cannot be read has none."""
    try:
        value = read_json(data)
    except ValueError:
        return
    if not isinstance(value, dict) or kind not in KINDS:
        return
    if kind == "variables":
        yield "", "\n".join(variable_lines(value))
        return
    fields = KINDS[kind].model.model_fields
    for name, held in value.items():
        if name in HIDDEN or name not in fields:
            continue
        if text := "\n".join(strings_in(held)):
            yield sentence(str(fields[name].title or ""), {}), text


def variable_lines(value: Mapping[str, Any]) -> Iterator[str]:
    """`Lamp oil: 40` for each declared variable."""
    listed = value.get("variables")
    for variable in listed if isinstance(listed, list) else []:
        if isinstance(variable, dict):
            label = variable.get("label") or variable.get("key") or ""
            yield f"{label}: {variable['default']}" if "default" in variable else str(label)


def strings_in(value: Any) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        if value.strip():
            yield value
    elif isinstance(value, list | dict):
        for inner in value if isinstance(value, list) else value.values():
            yield from strings_in(inner)


def account_csv(rows: list[PieceRow]) -> str:
    """The whole account as CSV with a header; cells that a spreadsheet would run get an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["piece", "title", "characters", "outcome", "reason", "became"])
    for row in rows:
        record = row.record
        cells = [
            record.id,
            record.title,
            record.size,
            record.outcome,
            record.reason,
            "; ".join(made.path for made in row.made),
        ]
        writer.writerow([still(str(cell)) for cell in cells])
    return out.getvalue()


def still(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: card text is untrusted."""
    return f"'{cell}" if cell.startswith(RISKY) else cell
