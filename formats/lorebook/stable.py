"""`stable_stringify`: the same text for the same JSON value, whatever the order of its keys."""

from __future__ import annotations

import json
import re
from typing import Any

from formats.lorebook.javascript import in_stable_order, number_text

SURROGATE = re.compile("[\ud800-\udfff]")
WIDEST = 10


def stable_stringify(value: Any, space: int | str | None = None) -> str:
    """Write a JSON value with sorted keys, as `JSON.stringify(sorted, null, space)` writes it.

    Keys that are numbers stand first and rise, the others are sorted by UTF-16 units. `space` is the number
    of blanks, or the text, of one level (at most ten characters); None, 0 and "" give one line.
    """
    indent = " " * min(space, WIDEST) if isinstance(space, int) else (space or "")[:WIDEST]
    return _written(value, indent, "\n" if indent else "")


def _written(value: Any, indent: str, line: str) -> str:
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        return number_text(value)
    inner = line + indent if line else ""
    if isinstance(value, dict):
        colon = ": " if line else ":"
        members = [
            f"{_text(key)}{colon}{_written(value[key], indent, inner)}" for key in in_stable_order(value)
        ]
        return _bracketed("{", members, "}", inner, line)
    if isinstance(value, list | tuple):
        return _bracketed("[", [_written(item, indent, inner) for item in value], "]", inner, line)
    raise TypeError(f"{type(value).__name__} is not JSON")


def _bracketed(opening: str, members: list[str], closing: str, inner: str, line: str) -> str:
    if not members:
        return opening + closing
    return f"{opening}{inner}{f',{inner}'.join(members)}{line}{closing}"


def _text(text: str) -> str:
    """As JavaScript writes it: a lone surrogate as an escape, a pair as its character."""
    if SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        return SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))
    return json.dumps(text, ensure_ascii=False)
