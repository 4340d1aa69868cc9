"""What a book says about itself as fields of one form: from `item.json` and from the head of `book.json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from formats.errors import DomainError
from formats.lorebook.reader import parse_sillytavern
from formats.messages import gettext_noop
from formats.stable_json import canonical_json
from lorebooks.pipeline.item_file import Item

ITEM_FIELDS: Final = ("name", "language", "tags")
HEAD_FIELDS: Final = ("description", "scan_depth", "token_budget", "recursive_scanning")
_LONGEST: Final = {"name": 300, "language": 40, "description": 20_000}
_MOST: Final = {"scan_depth": 1000, "token_budget": 10_000_000}


@dataclass(frozen=True, slots=True)
class SettingsValue:
    """The fields by name; None is unsaid. `etag` names their state."""

    fields: dict[str, Any]
    etag: str


def settings_of(item: Item, head: Mapping[str, Any]) -> SettingsValue:
    """The settings of a book. `head` is the book file without entries."""
    model = parse_sillytavern({**_known(head), "entries": {}}, name=item.name)
    fields = {
        "name": item.name,
        "description": model.description,
        "language": item.language,
        "tags": list(item.tags),
        "scan_depth": model.settings.scan_depth,
        "token_budget": model.settings.token_budget,
        "recursive_scanning": model.settings.recursive_scanning,
    }
    return SettingsValue(
        fields, sha256(canonical_json(fields).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    )


def check_settings(fields: Mapping[str, Any]) -> None:
    """Raise DomainError `invalid` for the first field that is none or cannot hold its value."""
    for name, value in fields.items():
        if not _may_hold(name, value):
            raise DomainError(
                "invalid",
                "lorebook.bad-field",
                name[:80],
                gettext_noop("{field} cannot hold this. Nothing was changed."),
                args={"field": name[:80]},
            )


def _may_hold(name: str, value: Any) -> bool:
    if name in _LONGEST:
        return isinstance(value, str) and len(value) <= _LONGEST[name] and (name != "name" or value != "")
    if name in _MOST:
        whole = isinstance(value, int) and not isinstance(value, bool)
        return value is None or (whole and 0 <= value <= _MOST[name])
    if name == "recursive_scanning":
        return value is None or isinstance(value, bool)
    return name == "tags" and isinstance(value, list) and all(isinstance(tag, str) for tag in value)


def _known(head: Mapping[str, Any]) -> dict[str, Any]:
    return {name: head[name] for name in HEAD_FIELDS if name in head}
