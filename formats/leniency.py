"""What a field may hold although it has the wrong type: numbers as text, truth as text, text as a list.

Every function answers `None` where the value cannot be understood, so that the caller decides and notes.
Source: card-format facts 3d, decision D6.
"""

from __future__ import annotations

import math
import re
from typing import Any

TRUE = frozenset({"true", "yes", "on", "1"})
FALSE = frozenset({"false", "no", "off", "0"})
INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
DECIMAL = re.compile(r"[+-]?([0-9]{1,18}\.[0-9]{0,18}|\.[0-9]{1,18})([eE][+-]?[0-9]{1,2})?")


def boolean(value: Any) -> bool | None:
    """`true`, `"false"`, `0`, `"on"` … as a truth value."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return bool(value) if value in (0, 1) else None
    if isinstance(value, str):
        word = value.strip().lower()
        return True if word in TRUE else False if word in FALSE else None
    return None


def number(value: Any) -> int | float | None:
    """A finite number, also one written as text; an empty text is no number."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        word = value.strip()
        if INTEGER.fullmatch(word):
            return int(word)
        if DECIMAL.fullmatch(word):
            return float(word)
    return None


def text(value: Any) -> str | None:
    """A text; numbers and truth values are written out, a list of texts is joined by line breaks."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return "\n".join(value)
    return None
