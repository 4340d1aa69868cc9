"""A raw card becomes a V3 card: every field present with the right type, each repair noted with its path."""

from __future__ import annotations

import re
from typing import Any

from formats import leniency
from formats.card.model import (
    DATE_FIELDS,
    DEFAULT_ASSET,
    TEXT_FIELDS,
    TEXT_LIST_FIELDS,
    Card,
)
from formats.card.names import guessed_name
from formats.card.spec import Raw, filled
from formats.lorebook.repair import repair_book
from formats.notes import Notes

TAG_BOUNDS = re.compile(r"[,，;；、\n]")
MILLISECONDS_FROM = 100_000_000_000
"""Seconds reach this number in the year 5138: what is larger was given in thousandths."""


def normalise(raw: Raw, filename: str | None, notes: Notes) -> Card:
    """Type every V3 field; unknown fields stay as they are. Never raises."""
    fields = _Fields(raw.data, raw.where, notes)
    data = dict(raw.data)
    for name in TEXT_FIELDS:
        data[name] = fields.text(name)
    for name in TEXT_LIST_FIELDS:
        data[name] = fields.texts(name)
    for name in DATE_FIELDS:
        data[name] = fields.date(name)
    data["extensions"] = fields.object("extensions")
    data["creator_notes_multilingual"] = fields.translations("creator_notes_multilingual")
    data["assets"] = fields.assets("assets")
    _put_book(data, fields, notes)
    if not data["name"].strip():
        data["name"] = guessed_name(data, filename, fields.path("name"), notes)
    return Card(data, raw.extra)


def _put_book(data: dict[str, Any], fields: _Fields, notes: Notes) -> None:
    repaired = repair_book(data.pop("character_book", None), fields.path("character_book"))
    notes.take(repaired.findings)
    if repaired.value is not None:
        data["character_book"] = repaired.value


class _Fields:
    """Reads fields of one raw object; `where` is its path."""

    def __init__(self, raw: dict[str, Any], where: str, notes: Notes) -> None:
        self.raw = raw
        self.where = where
        self.notes = notes

    def path(self, name: str) -> str:
        return f"{self.where}.{name}" if self.where else name

    def text(self, name: str) -> str:
        value = self.raw.get(name)
        if isinstance(value, str):
            return value
        if value is None or value == [] or value == {}:
            return ""
        text = leniency.text(value)
        self.notes.add("field-dropped" if text is None else "field-converted", self.path(name), field=name)
        return text or ""

    def texts(self, name: str) -> list[str]:
        value = self.raw.get(name)
        if isinstance(value, str):
            return self._from_one_text(name, value)
        if not isinstance(value, list):
            if value is not None and value != {}:
                self.notes.add("field-dropped", self.path(name), field=name)
            return []
        return self._texts_of(name, value)

    def _from_one_text(self, name: str, value: str) -> list[str]:
        """Tags are split; a greeting or a source stays one."""
        parts = TAG_BOUNDS.split(value) if name == "tags" else [value]
        texts = [part.strip() if name == "tags" else part for part in parts if part.strip()]
        if texts:
            self.notes.add("list-was-text", self.path(name), field=name, count=len(texts))
        return texts

    def _texts_of(self, name: str, items: list[Any]) -> list[str]:
        texts = []
        for index, item in enumerate(items):
            if name == "tags" and isinstance(item, int | float):
                item = leniency.text(item)
            if isinstance(item, str):
                texts.append(item)
            else:
                self.notes.add("list-item-dropped", f"{self.path(name)}[{index}]", field=name)
        return texts

    def date(self, name: str) -> int:
        value = self.raw.get(name)
        seconds = leniency.number(value)
        if seconds is None:
            if filled(value):
                self.notes.add("field-dropped", self.path(name), field=name)
            return 0
        if abs(seconds) >= MILLISECONDS_FROM:
            seconds /= 1000
            self.notes.add("date-converted", self.path(name), field=name)
        return int(seconds)

    def object(self, name: str) -> dict[str, Any]:
        value = self.raw.get(name)
        if isinstance(value, dict):
            return value
        if filled(value):
            self.notes.add("field-dropped", self.path(name), field=name)
        return {}

    def translations(self, name: str) -> dict[str, str]:
        texts = {}
        for language, value in self.object(name).items():
            if isinstance(value, str):
                texts[language] = value
            elif value is not None:
                self.notes.add("field-dropped", self.path(f"{name}.{language}"), field=language)
        return texts

    def assets(self, name: str) -> list[dict[str, Any]]:
        """Objects with an address; type, name and ext are filled where they are missing."""
        value = self.raw.get(name)
        if value is None:
            return [dict(DEFAULT_ASSET)]
        if not isinstance(value, list):
            self.notes.add("field-dropped", self.path(name), field=name)
            return [dict(DEFAULT_ASSET)]
        assets = []
        for index, item in enumerate(value):
            if isinstance(item, dict) and isinstance(item.get("uri"), str):
                texts = {key: leniency.text(item.get(key)) or "" for key in ("type", "name", "ext")}
                assets.append({**item, **texts})
            else:
                self.notes.add("list-item-dropped", f"{self.path(name)}[{index}]", field=name)
        return assets
