"""The one walk over a parsed card: cleans texts, checks depth, finds picture addresses (D42, CARD-5)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from formats.card.addresses import addresses_in
from formats.card.errors import CardError
from formats.card.json_text import OddNumber, Parsed
from formats.card.limits import DEPTH, INTEGER_BITS
from formats.card.text import clean_text
from formats.notes import Notes

SMALLEST_INTEGER = -(2 ** (INTEGER_BITS - 1))
CONTAINERS = (dict, list)
MOST_KNOWN_KEYS = 10_000
"""Keys that are remembered as clean: real cards repeat a few dozen."""


@dataclass(frozen=True, slots=True)
class Walked:
    """A clean value, and the picture addresses in its texts and keys, each once, in order of appearance."""

    value: Any
    urls: list[str]


def walk(parsed: Parsed, notes: Notes) -> Walked:
    """Clean a freshly parsed value in place (it is ours) and gather its addresses.

    Every key and every text is looked at, at any depth, scripts and extensions included.

    Raises:
        CardError: `too-deep`, with the path.
    """
    walker = _Walker(notes, {id(built): names for built, names in parsed.repeated})
    value = walker.clean(parsed.value)
    return Walked(value, list(walker.urls))


@dataclass(slots=True)
class _Walker:
    """The loop over members is the hot one of the whole reader: plain values pass it without a call."""

    notes: Notes
    repeated: dict[int, list[str]]
    urls: dict[str, None] = field(default_factory=dict)
    path: list[str | int] = field(default_factory=list)
    clean_keys: set[str] = field(default_factory=set)

    def clean(self, value: Any) -> Any:
        kind = type(value)
        if kind is str:
            return self.text(value)
        return self.container(value) if kind in CONTAINERS else self.number(value)

    def each(self, holder: Any, members: Iterable[tuple[Any, Any]]) -> None:
        """Clean the members of a list or an object, writing back only what changes."""
        for name, value in members:
            if value is None or value is True or value is False:
                continue
            self.path.append(name)
            new = self.clean(value)
            if new is not value:
                holder[name] = new
            self.path.pop()

    def container(self, value: Any) -> Any:
        if len(self.path) >= DEPTH:
            raise CardError("too-deep", self.where(), limit=DEPTH)
        if type(value) is list:
            self.each(value, enumerate(value))
            return value
        for name in self.repeated.get(id(value), ()):
            self.notes.add("key-repeated", self.where(), field=name)
        dirty = [name for name in value if name not in self.clean_keys and not self.is_clean_key(name)]
        self.each(value, value.items())
        return {clean_text(name).text: item for name, item in value.items()} if dirty else value

    def is_clean_key(self, name: str) -> bool:
        clean = self.text(name) == name
        if clean and len(self.clean_keys) < MOST_KNOWN_KEYS:
            self.clean_keys.add(name)
        return clean

    def text(self, text: str) -> str:
        if "\0" in text or not (text.isascii() or _has_only_characters(text)):
            text = self.cleaned(text)
        if "//" in text or "\\" in text:
            for address in addresses_in(text):
                self.urls.setdefault(address)
        return text

    def cleaned(self, text: str) -> str:
        clean, nuls, halves = clean_text(text)
        if nuls:
            self.notes.add("nul-removed", self.where(), count=nuls)
        if halves:
            self.notes.add("half-characters", self.where(), count=halves)
        return clean

    def number(self, value: Any) -> Any:
        """Numbers that no store holds become text: odd ones of the parser, infinities, above 64 bits."""
        kind = type(value)
        if kind is OddNumber or (kind is float and not math.isfinite(value)):
            written = str(value)
            code = "no-number" if written.lstrip("+-").casefold() == "nan" else "number-too-large"
            self.notes.add(code, self.where(), value=written)
            return written
        if kind is int and value.bit_length() >= INTEGER_BITS and value != SMALLEST_INTEGER:
            # Only from JSON5, and in hexadecimal: writing out decimal digits could take minutes.
            self.notes.add("number-too-large", self.where(), value=hex(value)[:40])
            return hex(value)
        return value

    def where(self) -> str:
        """The path as it is shown: `data.character_book.entries[3].keys`."""
        shown = ""
        for part in self.path:
            if isinstance(part, int):
                shown += f"[{part}]"
            else:
                name = clean_text(part).text[:80]
                shown += f".{name}" if shown else name
        return shown


def _has_only_characters(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
