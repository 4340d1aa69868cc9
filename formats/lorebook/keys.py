"""Keys of a lorebook entry as a list of texts, however they were written."""

from __future__ import annotations

import re
from typing import Any

from formats import leniency
from formats.lorebook.patterns import pattern_of
from formats.notes import Notes

KEY_PARTS = re.compile(r"\s*(/(?:[^/\\\n]|\\.)+/[gimsuy]*(?=\s*(?:[,，]|$))|[^,，]+)")


def is_pattern(key: str) -> bool:
    """A key is a regular expression only where it is written `/…/flags` (D6), blanks around it aside."""
    return pattern_of(key.strip()) is not None


def repair_keys(value: Any, where: str, notes: Notes) -> list[str]:
    """Keys from a list, from one text with commas, or from null; what is no text is left out.

    A key in a list stays as written, blanks included, unless it has an ASCII comma and no key of the entry is
    a pattern: then it is several keys. A Chinese comma in a listed key belongs to the key.
    """
    if type(value) is list and all(type(key) is str and "," not in key for key in value):
        return value
    if not isinstance(value, list):
        return _from_one_text(value, where, notes)
    texts = [_key(item, f"{where}[{index}]", notes) for index, item in enumerate(value)]
    keys = [text for text in texts if text is not None]
    if any(map(is_pattern, keys)):
        return keys
    return [part for key in keys for part in _parts(key, where, notes)]


def _key(item: Any, where: str, notes: Notes) -> str | None:
    text = None if isinstance(item, list) else leniency.text(item)
    if text is None and item is not None:
        notes.add("entry-key-dropped", where)
    return text


def _parts(key: str, where: str, notes: Notes) -> list[str]:
    if "," not in key or "{{" in key:
        return [key]
    parts = [part.strip() for part in key.split(",") if part.strip()]
    if len(parts) > 1:
        notes.add("entry-keys-split", where)
    return parts


def _from_one_text(value: Any, where: str, notes: Notes) -> list[str]:
    text = _key(value, where, notes)
    if text is None:
        return []
    parts = split_keys(text)
    if len(parts) > 1 or isinstance(value, str):
        notes.add("entry-keys-split", where)
    return parts


def split_keys(text: str) -> list[str]:
    """One text with keys between commas of either width; patterns and keys with a macro stay whole."""
    if "{{" in text:
        return [text]
    return [part.strip() for part in KEY_PARTS.findall(text) if part.strip()]
