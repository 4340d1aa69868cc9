"""Keys of an entry in its form, each in a field of its own, and what a key is: words or a pattern."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from django import forms

from formats.lorebook.patterns import Pattern, PatternOutcome, pattern_of
from lorebooks.pipeline.entry_facts import storable
from lorebooks.regex.worker import pattern_worker

MOST_FIELDS: Final = 60
"""With more keys than these the form has one text instead, a key a line."""
_BETWEEN = re.compile(r"[,，、\n]")
_TRIED: Final = 200

Verdict = Literal["compiles", "does-not", "unknown", "plain"]


@dataclass(frozen=True, slots=True)
class KeyTold:
    """A key that begins with a slash: whether it is a pattern, and whether it compiles."""

    key: str
    verdict: Verdict


class KeysInput(forms.Widget):
    """Several fields of one name, or one text of lines under `<name>_lines`."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        if f"{name}_lines" in data:
            return str(data[f"{name}_lines"]).replace("\r\n", "\n").split("\n")
        listed = data.getlist(name) if hasattr(data, "getlist") else data.get(name, [])
        return [str(one) for one in listed]

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return False


class KeysField(forms.Field):
    """Keys as they were written; `keys_of` says which ones they are."""

    widget = KeysInput

    def has_changed(self, initial: Any, data: Any) -> bool:
        return list(initial or ()) != list(data or ())


def shown_key(key: str) -> str:
    """A key on one line, as a browser would send it back."""
    return storable(key).replace("\r\n", " ").replace("\n", " ").replace("\r", " ").strip()


def keys_of(written: Iterable[str], stored: Sequence[str]) -> list[str]:
    """The keys that were meant: a field that was not touched means its key exactly as it is stored.

    A comma begins the next key, except in a pattern.
    """
    fields = [text for text in written if text.strip()]
    if [text.strip() for text in fields] == [text for key in stored if (text := shown_key(key))]:
        return list(stored)
    left: dict[str, deque[str]] = {}
    for key in stored:
        left.setdefault(shown_key(key), deque()).append(key)
    found: list[str] = []
    known: set[str] = set()
    for text in fields:
        same = left.get(text.strip())
        if same:
            found.append(same.popleft())
            known.add(found[-1])
            continue
        parts = [text] if text.strip().startswith("/") else _BETWEEN.split(text)
        for key in filter(None, map(str.strip, parts)):
            if key not in known:
                found.append(key)
                known.add(key)
    return found


def told_keys(keys: Iterable[str]) -> list[KeyTold]:
    """What is to be said of keys that look like patterns; the engine is asked in its child process."""
    slashed = [key for key in keys if key.startswith("/")][:_TRIED]
    patterns = {key: pattern for key in slashed if (pattern := pattern_of(key)) is not None}
    outcomes = _tried(patterns)
    return [KeyTold(shown_key(key), _verdict(outcomes.get(key))) for key in slashed]


def _tried(patterns: dict[str, Pattern]) -> dict[str, PatternOutcome]:
    if not patterns:
        return {}
    return dict(zip(patterns, pattern_worker()(list(patterns.values()), [""]), strict=True))


def _verdict(outcome: PatternOutcome | None) -> Verdict:
    if outcome is None:
        return "plain"
    return {"ran": "compiles", "not-compiling": "does-not", "not-run": "unknown"}[outcome.kind]  # type: ignore[return-value]
