"""The one walk over a parsed card: cleans texts, checks depth, finds picture addresses (D42, CARD-5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from formats.card.addresses import addresses_in
from formats.card.errors import CardError
from formats.card.json_text import OddNumber, Parsed
from formats.card.limits import DEPTH, INTEGER_BITS
from formats.card.text import clean_text
from formats.notes import Notes


def walk(parsed: Parsed, notes: Notes) -> Walked:
    """Clean a freshly parsed value in place (it is ours) and gather its addresses.

    Every key and every text is looked at, at any depth, scripts and extensions included.

    Raises:
        CardError: `too-deep`, with the path.
    """
    walker = _Walker(notes, {id(built): names for built, names in parsed.repeated})
    value = walker.value(parsed.value)
    return Walked(value, list(walker.urls))


@dataclass(frozen=True, slots=True)
class Walked:
    value: Any
    urls: list[str]


@dataclass(slots=True)
class _Walker:
    notes: Notes
    repeated: dict[int, list[str]]
    urls: dict[str, None] = field(default_factory=dict)
    path: list[str | int] = field(default_factory=list)

    def value(self, value: Any) -> Any:
        kind = type(value)
        if kind is str:
            return self.text(value)
        if kind is dict or kind is list:
            if len(self.path) >= DEPTH:
                raise CardError("too-deep", self.where(), limit=DEPTH)
            return self.object(value) if kind is dict else self.array(value)
        if kind is OddNumber or (kind is float and (value != value or abs(value) == float("inf"))):
            self.notes.add("number-too-large", self.where(), value=str(value))
            return str(value)
        if (
            kind is int and value.bit_length() >= INTEGER_BITS
        ):  # from JSON5; decimal digits could take minutes
            self.notes.add("number-too-large", self.where(), value=hex(value)[:40])
            return hex(value)
        return value

    def array(self, items: list[Any]) -> list[Any]:
        for index, item in enumerate(items):
            self.path.append(index)
            items[index] = self.value(item)
            self.path.pop()
        return items

    def object(self, members: dict[str, Any]) -> dict[str, Any]:
        for name in self.repeated.get(id(members), ()):
            self.notes.add("key-repeated", self.where(), field=name)
        renamed = False
        for name in members:
            self.path.append(name)
            members[name] = self.value(members[name])
            renamed = self.text(name) != name or renamed
            self.path.pop()
        return {clean_text(name).text: value for name, value in members.items()} if renamed else members

    def text(self, text: str) -> str:
        cleaned, nuls, halves = clean_text(text)
        if nuls:
            self.notes.add("nul-removed", self.where(), count=nuls)
        if halves:
            self.notes.add("half-characters", self.where(), count=halves)
        if "//" in cleaned or "\\" in cleaned:
            for address in addresses_in(cleaned):
                self.urls.setdefault(address)
        return cleaned

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
