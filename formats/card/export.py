"""A card written out again: V3 or V2 JSON, or both inside a PNG; what a form cannot hold is told."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from formats.card.model import DEFAULT_ASSET, Card
from formats.errors import DomainError
from formats.finding import Finding
from formats.messages import gettext_noop, ngettext_noop
from formats.notes import Notes, Sentence
from formats.png_chunks import SIGNATURE, TEXT_KINDS, is_png, keyword_of, make_chunk, read_chunks
from formats.stable_json import write_json
from formats.text.cleaning import decorator_spans

ExportSpec = Literal["v3", "v2"]

CARD_KEYWORDS = frozenset({"chara", "ccv3"})
_EMBEDDED = ("embeded://", "embedded://", "__asset:")

LOSSES: Mapping[str, Sentence] = {
    "assets-lost": Sentence(
        "warning",
        ngettext_noop(
            "The list of {count} asset has no place in a V2 card.",
            "The list of {count} assets has no place in a V2 card.",
        ),
    ),
    "nickname-lost": Sentence("warning", gettext_noop("The nickname {nickname} has no place in a V2 card.")),
    "group-greetings-lost": Sentence(
        "warning",
        ngettext_noop(
            "{count} greeting for groups has no place in a V2 card.",
            "{count} greetings for groups have no place in a V2 card.",
        ),
    ),
    "notes-lost": Sentence(
        "warning", gettext_noop("The creator's notes in other languages have no place in a V2 card.")
    ),
    "source-lost": Sentence("info", gettext_noop("The list of sources has no place in a V2 card.")),
    "dates-lost": Sentence("info", gettext_noop("The dates of the card have no place in a V2 card.")),
    "decorators-lost": Sentence(
        "warning",
        gettext_noop("The lines beginning with @@ in this entry work in V3 cards only, and are left out."),
    ),
    "files-not-inside": Sentence(
        "warning",
        ngettext_noop(
            "{count} asset is a file inside the original card, and is not in this file.",
            "{count} assets are files inside the original card, and are not in this file.",
        ),
        gettext_noop("Keep the original file; its pictures and sounds are there."),
    ),
}

_V3_ONLY: tuple[tuple[str, str], ...] = (
    ("assets", "assets-lost"),
    ("nickname", "nickname-lost"),
    ("group_only_greetings", "group-greetings-lost"),
    ("creator_notes_multilingual", "notes-lost"),
    ("source", "source-lost"),
    ("creation_date", "dates-lost"),
    ("modification_date", "dates-lost"),
)


@dataclass(frozen=True, slots=True)
class Exported:
    """An exported file and what it could not take along."""

    data: bytes
    ending: Literal["json", "png"]
    losses: tuple[Finding, ...]

    @property
    def media_type(self) -> str:
        """The type for the Content-Type header."""
        return "image/png" if self.ending == "png" else "application/json"


def put_back_book(card_value: Mapping[str, Any], book: Mapping[str, Any] | None) -> dict[str, Any]:
    """A card value (root object of V2 or V3) with another `data.character_book`, all else as it was.

    This is CARD-13. None takes the book out. The given value is not changed.

    Raises:
        DomainError: `no-card-data`, the value has no `data` object.
    """
    data = card_value.get("data")
    if not isinstance(data, Mapping):
        raise DomainError(
            "invalid",
            "no-card-data",
            "data",
            gettext_noop("The card has no data object to put the lorebook into. Nothing was changed."),
        )
    changed = {**data, "character_book": book}
    if book is None:
        del changed["character_book"]
    return {**card_value, "data": changed}


def export_json(card: Card, spec: ExportSpec = "v3") -> Exported:
    """The card as a JSON file of V3 or V2; unknown fields stay."""
    notes = Notes(LOSSES)
    _note_files(card, notes)
    value = card.to_v3() if spec == "v3" else _v2_value(card, notes)
    return Exported(write_json(value).encode(), "json", tuple(notes.findings()))


def export_png(card: Card, picture: bytes) -> Exported:
    """The card inside a PNG: `ccv3` holds V3, `chara` the same card as V2 for older programs.

    Former card data in the picture goes, and what follows its end; every other chunk stays byte for byte.

    Raises:
        DomainError: `picture-not-png`, the picture is no whole PNG.
    """
    notes = Notes(LOSSES)
    _note_files(card, notes)
    chunks = _card_chunk("ccv3", card.to_v3()) + _card_chunk("chara", _v2_value(card, Notes(LOSSES)))
    return Exported(_with_card(picture, chunks), "png", tuple(notes.findings()))


def _v2_value(card: Card, notes: Notes) -> dict[str, Any]:
    data = dict(card.data)
    for name, loss in _V3_ONLY:
        value = data.pop(name, None)
        if value and value != [DEFAULT_ASSET]:
            _note_loss(notes, loss, name, value)
    if card.book is not None:
        entries = [_v2_entry(number, entry, notes) for number, entry in enumerate(card.entries)]
        data["character_book"] = {**card.book, "entries": entries}
    return {"spec": "chara_card_v2", "spec_version": "2.0", "data": data, **card.extra}


def _note_loss(notes: Notes, loss: str, name: str, value: Any) -> None:
    where = f"data.{name}"
    if name == "nickname":
        notes.add(loss, where, nickname=value)
    elif isinstance(value, list):
        notes.add(loss, where, count=len(value))
    else:
        notes.add(loss, where)


def _v2_entry(number: int, entry: dict[str, Any], notes: Notes) -> dict[str, Any]:
    content = entry.get("content")
    spans = decorator_spans(content) if isinstance(content, str) else []
    if not spans or not isinstance(content, str):
        return entry
    notes.add("decorators-lost", f"data.character_book.entries[{number}].content")
    return {**entry, "content": content[spans[0][1] :]}


def _note_files(card: Card, notes: Notes) -> None:
    assets = [asset for asset in card.data["assets"] if isinstance(asset, dict)]
    inside = [asset for asset in assets if str(asset.get("uri", "")).startswith(_EMBEDDED)]
    if inside:
        notes.add("files-not-inside", "data.assets", count=len(inside))


def _card_chunk(keyword: str, value: dict[str, Any]) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return make_chunk(b"tEXt", keyword.encode() + b"\0" + base64.b64encode(text.encode()))


def _with_card(picture: bytes, card_chunks: bytes) -> bytes:
    found = read_chunks(picture) if is_png(picture) else None
    if not found or not found.chunks or found.chunks[0].kind != b"IHDR" or not _has_end(found.troubles):
        raise DomainError(
            "invalid",
            "picture-not-png",
            message=gettext_noop("The picture is not a whole PNG, so the card cannot be written into it."),
            hint=gettext_noop("Export the card as JSON, or give its character a PNG portrait."),
        )
    parts = [SIGNATURE]
    for chunk in found.chunks:
        if chunk.kind == b"IEND":
            parts.append(card_chunks)
        start, end = chunk.span
        if chunk.kind not in TEXT_KINDS or keyword_of(picture, chunk).casefold() not in CARD_KEYWORDS:
            parts.append(picture[start:end])
        if chunk.kind == b"IEND":
            break
    return b"".join(parts)


def _has_end(troubles: list[Any]) -> bool:
    return not {"cut-short", "no-end", "damaged", "too-many-chunks"} & set(troubles)
