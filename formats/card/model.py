"""`Card`: a character card in the one shape the rest of the program knows, that of V3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from formats.card.errors import CardError

SPEC = "chara_card_v3"
SPEC_VERSION = "3.0"

TEXT_FIELDS = (
    "name",
    "description",
    "personality",
    "scenario",
    "first_mes",
    "mes_example",
    "creator_notes",
    "system_prompt",
    "post_history_instructions",
    "creator",
    "character_version",
    "nickname",
)
TEXT_LIST_FIELDS = ("tags", "alternate_greetings", "group_only_greetings", "source")
DATE_FIELDS = ("creation_date", "modification_date")
"""Seconds since 1970; 0 = not known (V3)."""

DEFAULT_ASSET = {"type": "icon", "uri": "ccdefault:", "name": "main", "ext": "png"}
"""What V3 says the asset list is where a card has none."""

MAY_BE_MISSING: Mapping[str, Any] = {
    "nickname": "",
    "creator_notes_multilingual": {},
    "source": [],
    "assets": [DEFAULT_ASSET],
    "creation_date": 0,
    "modification_date": 0,
}
"""Fields that V3 lets be absent, with the value that means the same as absence."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card as V3.

    `data` is the V3 `data` object: every field of the specification is there with the right type, except
    `character_book`, which is there only where the card has a book; unknown fields are kept. `extra` holds
    unknown fields of the root object. Treat both as read-only.
    """

    data: dict[str, Any]
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return str(self.data["name"])

    @property
    def nickname(self) -> str:
        """The name that replaces `{{char}}` by the V3 text; empty where there is none."""
        return str(self.data["nickname"])

    @property
    def greetings(self) -> list[str]:
        """The first message (position 0, perhaps empty) and the alternate greetings."""
        return [self.data["first_mes"], *self.data["alternate_greetings"]]

    @property
    def group_greetings(self) -> list[str]:
        return list(self.data["group_only_greetings"])

    @property
    def book(self) -> dict[str, Any] | None:
        """The embedded lorebook in V3 character-book form, repaired."""
        book = self.data.get("character_book")
        return book if isinstance(book, dict) else None

    @property
    def entries(self) -> list[dict[str, Any]]:
        """The entries of the embedded lorebook in the card's own order."""
        return list(self.book["entries"]) if self.book else []

    def to_v3(self) -> dict[str, Any]:
        """A V3 card object (JSON value); optional fields that say nothing are left out, unknown ones kept."""
        said = {
            name: value
            for name, value in self.data.items()
            if name not in MAY_BE_MISSING or value != MAY_BE_MISSING[name]
        }
        return {"spec": SPEC, "spec_version": SPEC_VERSION, "data": said, **self.extra}

    @classmethod
    def from_v3(cls, value: Any) -> Card:
        """Read back what `to_v3` wrote. Strict: this is our own file, nothing is repaired.

        Raises:
            CardError: `bad-stored-card`, the value is not a card in the form that `to_v3` writes.
        """
        root = _part(value, dict, "")
        if root.get("spec") != SPEC:
            raise CardError("bad-stored-card", "spec")
        data = dict(_part(root.get("data"), dict, "data"))
        for name, meaning in MAY_BE_MISSING.items():
            data.setdefault(name, meaning)
        _require_v3_types(data)
        return cls(data, {key: root[key] for key in root if key not in ("spec", "spec_version", "data")})


def _part(value: Any, kind: type, where: str) -> Any:
    if not isinstance(value, kind):
        raise CardError("bad-stored-card", where)
    return value


def _require_v3_types(data: dict[str, Any]) -> None:
    for name in TEXT_FIELDS:
        _part(data.get(name), str, f"data.{name}")
    for name in TEXT_LIST_FIELDS:
        for index, item in enumerate(_part(data.get(name), list, f"data.{name}")):
            _part(item, str, f"data.{name}[{index}]")
    for name in DATE_FIELDS:
        _part(data[name], int, f"data.{name}")
    for name in ("extensions", "creator_notes_multilingual"):
        _part(data.get(name), dict, f"data.{name}")
    _part(data["assets"], list, "data.assets")
    if "character_book" in data:
        book = _part(data["character_book"], dict, "data.character_book")
        for index, entry in enumerate(_part(book.get("entries"), list, "data.character_book.entries")):
            _part(entry, dict, f"data.character_book.entries[{index}]")
