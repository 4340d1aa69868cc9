"""JSON as the program reads and writes it: strict in, always the same bytes out."""

from __future__ import annotations

import json
from typing import Any


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def read_json(text: str | bytes) -> Any:
    """Parse strict JSON (RFC 8259): `NaN` and `Infinity` are refused, too deep a nesting is an error.

    Raises:
        ValueError: not JSON, not UTF-8, or nested deeper than the interpreter can follow.
    """
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def write_json(value: Any) -> str:
    """The form of every file of ours: 2 spaces, keys as given, non-ASCII as itself, a final newline.

    Raises:
        ValueError: the value holds NaN or an infinity.
        TypeError: the value is not JSON.
    """
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def canonical_json(value: Any) -> str:
    """One line with sorted keys: for hashes and comparisons."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
