"""The recorded answers of the lorebook contract (`tests/vectors/`), and what counts as the same answer."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).resolve().parents[1] / "vectors" / "world-book.jsonl"


@cache
def _all_cases() -> dict[str, list[dict[str, Any]]]:
    by_kind: dict[str, list[dict[str, Any]]] = {}
    for line in VECTORS.read_text(encoding="utf-8").split("\n"):
        if line:
            case = json.loads(line)
            by_kind.setdefault(case["kind"], []).append(case)
    return by_kind


def vector_cases(kind: str) -> list[dict[str, Any]]:
    """The cases of one kind in the order of the file; every test gets the same objects, so none may be
    changed.

    Raises:
        KeyError: there is no such kind, so a misspelt one cannot pass as "no case failed".
    """
    return _all_cases()[kind]


def same(expected: Any, got: Any) -> bool:
    """Equal as JSON: true is not 1, 1 is 1.0, and what an expected object lacks is absent or null in ours."""
    return difference(expected, got) == ""


def difference(expected: Any, got: Any, path: str = "$") -> str:
    """The first place where two answers differ, in words; empty where they are the same."""
    if isinstance(expected, dict) and isinstance(got, dict):
        extra = [name for name in got if name not in expected and got[name] is not None]
        if extra:
            return f"{path}: not expected {extra}"
        return _first(difference(expected[name], got.get(name), f"{path}.{name}") for name in expected)
    if isinstance(expected, list) and isinstance(got, list):
        if len(expected) != len(got):
            return f"{path}: {len(got)} items instead of {len(expected)}"
        return _first(
            difference(e, g, f"{path}[{i}]") for i, (e, g) in enumerate(zip(expected, got, strict=True))
        )
    alike = isinstance(expected, bool) == isinstance(got, bool) and expected == got
    return "" if alike else f"{path}: {got!r} instead of {expected!r}"


def _first(found: Any) -> str:
    return next((difference for difference in found if difference), "")
