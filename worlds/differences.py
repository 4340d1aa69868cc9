"""Two versions of a document, compared field by field and sentence by sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from formats.stable_json import read_json, write_json
from formats.text.diff import TextDiff, diff_text
from portal.say import sentence
from worlds.rules.documents import KINDS, Part
from worlds.rules.paths import document_of
from worlds.shapes import key_of


@dataclass(frozen=True, slots=True)
class FieldDiff:
    """One field that differs: its title in the reader's language, and the runs of its text."""

    title: str
    diff: TextDiff


def file_diff(path: str, old: bytes | None, new: bytes | None) -> list[FieldDiff]:
    """What differs between two versions of a file; None is no file. Pictures compare as nothing."""
    name = document_of(path)
    before, after = _object(old), _object(new)
    if name and before is not None and after is not None:
        return value_diff(KINDS[name[0]].model, before, after)
    texts = [_text(old), _text(new)]
    if texts[0] is None or texts[1] is None:
        return []
    diff = diff_text(texts[0], texts[1])
    return [FieldDiff("", diff)] if diff.differs else []


def value_diff(model: type[Part], old: Mapping[str, Any], new: Mapping[str, Any]) -> list[FieldDiff]:
    """What differs between two JSON objects, in the order of the model's fields, unknown keys last."""
    titles = {key_of(name, info): sentence(info.title or "", {}) for name, info in model.model_fields.items()}
    keys = [*titles, *(key for key in {**old, **new} if key not in titles)]
    found = []
    for key in keys:
        diff = diff_text(_shown(old.get(key)), _shown(new.get(key)))
        if diff.differs:
            found.append(FieldDiff(titles.get(key) or key, diff))
    return found


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "".join(f"{item}\n" for item in value)
    return write_json(value)


def _object(data: bytes | None) -> dict[str, Any] | None:
    if data is None:
        return {}
    try:
        value = read_json(data.decode("utf-8-sig"))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _text(data: bytes | None) -> str | None:
    if data is None:
        return ""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
