"""The bounds that a small function keeps a number in: `v => _.clamp(v, 0, 100)`, `Math.min`, `Math.max`."""

from __future__ import annotations

from typing import Any, NamedTuple

from formats.card.script_tokens import Tokens

DEEPEST = 8
KEEPING = frozenset({"round", "floor", "ceil", "trunc"})
"""Functions that leave a number between two whole bounds between them."""


class Bounds(NamedTuple):
    """Least and greatest value; None = no bound."""

    min: float | None = None
    max: float | None = None


def function_bounds(tokens: Tokens, first: int, last: int) -> Bounds | None:
    """The bounds of what a function gives back, read off its text; None where that is not understood.

    Understood are arrow functions and `function`, whose body is one expression or one `return`, made of
    `clamp`, `Math.min` and `Math.max` with literal bounds, perhaps rounded.
    """
    body = _body(tokens, first, last)
    bounds = _expression(tokens, *body, 0) if body else None
    return bounds if bounds and bounds != Bounds() and _in_order(bounds) else None


def _in_order(bounds: Bounds) -> bool:
    return bounds.min is None or bounds.max is None or bounds.min <= bounds.max


def _body(tokens: Tokens, first: int, last: int) -> tuple[int, int] | None:
    """The span of the expression that a function returns."""
    if tokens.name(first) == "function":
        opening = first + 1 if tokens.sign(first + 1) == "(" else first + 2
        start = tokens.closing.get(opening, last) + 1
        if tokens.sign(start) != "{":
            return None
    else:
        parameters = tokens.closing.get(first, first) + 1
        if tokens.sign(parameters) != "=" or tokens.sign(parameters + 1) != ">":
            return None
        start = parameters + 2
    if tokens.sign(start) != "{":
        return start, last
    end = tokens.closing.get(start)
    if end is None or end + 1 != last or tokens.name(start + 1) != "return":
        return None
    return start + 2, end - 1 if tokens.sign(end - 1) == ";" else end


def _expression(tokens: Tokens, first: int, last: int, depth: int) -> Bounds | None:
    """Bounds of one expression; `Bounds()` for one whose value may be anything."""
    while tokens.sign(first) == "(" and tokens.closing.get(first) == last - 1:
        first, last = first + 1, last - 1
    opening = first + 1
    while tokens.sign(opening) == "." and tokens.name(opening + 1):
        opening += 2
    name = tokens.name(opening - 1)
    is_call = tokens.sign(opening) == "(" and tokens.closing.get(opening) == last - 1
    if depth > DEEPEST or not name or not is_call:
        return Bounds()
    parts = tokens.parts(opening + 1, last - 1)
    on_math = opening == first + 3 and tokens.name(first) == "Math"
    if name == "clamp" and len(parts) == 3:
        return _numbers(tokens.literal(*parts[1]), tokens.literal(*parts[2]))
    if on_math and name in ("min", "max") and len(parts) == 2:
        return _least_or_greatest(tokens, name, parts, depth)
    if on_math and name in KEEPING and len(parts) == 1:
        inner = _expression(tokens, *parts[0], depth + 1)
        return inner if inner and all(bound is None or bound == int(bound) for bound in inner) else None
    return Bounds()


def _least_or_greatest(tokens: Tokens, name: str, parts: list[tuple[int, int]], depth: int) -> Bounds | None:
    """`Math.min` is never above its literal, `Math.max` never below; the other argument may have more."""
    literals = [tokens.literal(*part) for part in parts]
    at = next((at for at, value in enumerate(literals) if _is_number(value)), None)
    if at is None:
        return None
    inner = _expression(tokens, *parts[1 - at], depth + 1)
    if inner is None:
        return None
    bound = literals[at]
    if name == "min":
        return Bounds(
            inner.min if inner.min is None else min(inner.min, bound),
            bound if inner.max is None else min(inner.max, bound),
        )
    return Bounds(
        bound if inner.min is None else max(inner.min, bound),
        inner.max if inner.max is None else max(inner.max, bound),
    )


def _numbers(low: Any, high: Any) -> Bounds | None:
    return Bounds(low, high) if _is_number(low) and _is_number(high) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
