"""NovelAI: `lorebookVersion`, entries with `text`, `displayName`, `contextConfig.budgetPriority`."""

from __future__ import annotations

from typing import Any

from formats.lorebook.foreign_shape import ForeignShape, each_entry, listed, mark_kept, without


def recognise(value: dict[str, Any]) -> bool:
    return "lorebookVersion" in value and isinstance(value.get("entries"), list | dict)


def to_book(value: dict[str, Any]) -> dict[str, Any]:
    return {
        **without(value, "entries", "lorebookVersion"),
        "extensions": mark_kept(value, "novelai", "lorebookVersion"),
        "entries": each_entry(listed(value["entries"]), _entry),
    }


def _entry(raw: dict[str, Any]) -> dict[str, Any]:
    config = raw.get("contextConfig")
    priority = config.get("budgetPriority") if isinstance(config, dict) else None
    return {
        **without(raw, "text", "displayName", "forceActivation"),
        "content": raw.get("text"),
        "comment": raw.get("displayName"),
        "constant": raw.get("forceActivation"),
        "insertion_order": priority,
    }


SHAPE = ForeignShape("novelai", recognise, to_book)
