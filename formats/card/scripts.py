"""Counts the scripts that a card carries for its makers' program; none is ever run (CARD-6)."""

from __future__ import annotations

from typing import Any

from formats.card.model import Card

FOLDERS_DEEPEST = 20


def regex_scripts(card: Card) -> int:
    """Regex scripts under `extensions.regex_scripts`."""
    scripts = card.data["extensions"].get("regex_scripts")
    return len(scripts) if isinstance(scripts, list | dict) else 0


def helper_scripts(card: Card) -> int:
    """Helper scripts in the three forms met in real cards: pairs, an object, the older list.

    The helper moves the older list into the newer form and sometimes leaves the old one behind, so the older
    is counted only where the newer holds none.
    """
    extensions = card.data["extensions"]
    helper = extensions.get("tavern_helper")
    if isinstance(helper, list):
        helper = {pair[0]: pair[1] for pair in helper if _is_pair(pair)}
    newer = _count(helper.get("scripts")) if isinstance(helper, dict) else 0
    return newer or _count(extensions.get("TavernHelper_scripts"))


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str)


def _count(scripts: Any, depth: int = 0) -> int:
    """Scripts in a list (or map), those in folders included."""
    if isinstance(scripts, dict):
        scripts = list(scripts.values())
    if not isinstance(scripts, list) or depth > FOLDERS_DEEPEST:
        return 0
    return sum(_count(_inside(item), depth + 1) if _is_folder(item) else 1 for item in scripts if item)


def _is_folder(item: Any) -> bool:
    return isinstance(item, dict) and item.get("type") == "folder"


def _inside(folder: dict[str, Any]) -> Any:
    return folder.get("scripts", folder.get("value"))
