"""A pattern written anew for the engine, so that it says there what it says in JavaScript.

Characters and classes are rewritten for the texts of `units`; all structure stays as it came, and what is no
valid pattern stays invalid, for the engine to refuse. What the engine would take and JavaScript does not is
refused here: a word boundary with a quantifier, a bare `\\k` beside a named group, a range out of order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lorebooks.regex.units import played, played_range, players_of, units_of, with_points

_NAME = r"\(\?<(?![=!])[^>]*>"
_COUNTED_BOUNDARY = r"\\[bB](?:[*+?]|\{\d+(?:,\d*)?\})"
_OUTSIDE = re.compile(
    rf"""
      (?P<name>{_NAME} | \\k<[^>]*>)
    | (?P<refused>{_COUNTED_BOUNDARY})
    | (?P<reference>\\k)
    | \\(?:u(?P<unit>[0-9A-Fa-f]{{4}}) | x(?P<byte>[0-9A-Fa-f]{{2}}))
    | \\(?P<letter>[ux])
    | (?P<escape>\\[\x00-\x7f])
    | \\?(?P<character>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_INSIDE = re.compile(
    r"""
      (?P<end>\])
    | (?P<dash>-)
    | (?P<reference>\\k)
    | (?P<set>\\[dDwWsS])
    | \\u(?P<unit>[0-9A-Fa-f]{4})
    | \\x(?P<byte>[0-9A-Fa-f]{2})
    | \\(?P<octal>[0-3][0-7]{0,2}|[4-7][0-7]?)
    | \\c(?P<control>[A-Za-z0-9_])
    | \\(?P<escaped>[^c])
    | (?P<character>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_UNICODE = re.compile(
    rf"""
      (?P<class>\[(?:\\.|[^\]\\])*\])
    | (?P<refused>{_COUNTED_BOUNDARY})
    | (?P<escape>\\u[dD][89abAB]..\\u[dD][c-fC-F]..)
    | \\u(?P<surrogate>[dD][89a-fA-F][0-9a-fA-F]{{2}})
    | \\.
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPED = {"b": 0x08, "t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D}
_NO_WORD = ((0x00, 0x2F), (0x3A, 0x40), (0x5B, 0x5E), (0x60, 0x60), (0x7B, 0xFFFF))
_DASH = "-"
_Item = int | str  # a unit; or as text the dash, and sets such as `\d`


class NotAPattern(ValueError):
    """JavaScript would not take it, though the engine does."""


def translated(source: str, *, unicode: bool) -> str:
    """The pattern for the engine. Without the flag `u` its offsets then count the units of JavaScript.

    Raises:
        NotAPattern: see there.
    """
    if unicode:
        return _UNICODE.sub(_in_points, with_points(source))
    has_names = re.search(_NAME, source) is not None
    parts, at = [], 0
    while at < len(source):
        if source[at] == "[":
            part, at = _class(source, at, has_names)
        else:
            token = _OUTSIDE.match(source, at)
            assert token is not None, "the last alternative takes anything"
            part, at = _outside(token, has_names), token.end()
        parts.append(part)
    return "".join(parts)


def _in_points(token: re.Match[str]) -> str:
    if token["refused"]:
        raise NotAPattern(token[0])
    if token["surrogate"]:
        return played(int(token["surrogate"], 16))
    if token["class"]:
        return "[" + _UNICODE.sub(_in_points_of_class, token["class"][1:])
    return token[0]


def _in_points_of_class(token: re.Match[str]) -> str:
    return token[0] if token["refused"] or token["class"] else _in_points(token)


def _outside(token: re.Match[str], has_names: bool) -> str:
    if token["refused"] or (token["reference"] and has_names):
        raise NotAPattern(token[0])
    code = token["unit"] or token["byte"]
    if code:
        unit = int(code, 16)
        player = played(unit)
        return token[0] if ord(player) == unit else player
    if token["letter"]:
        return token["letter"]  # `\u{3}` is three times the letter
    if token["character"] and not token["character"].isascii():
        return players_of(token["character"])
    return token[0]


def _class(source: str, start: int, has_names: bool) -> tuple[str, int]:
    """One class from its bracket on, and where it ends; one that never ends is left for the engine."""
    at = start + (2 if source.startswith("[^", start) else 1)
    head, items = source[start:at], list[_Item]()
    while token := _INSIDE.match(source, at):
        at = token.end()
        if token["end"]:
            return head + "".join(_members(items)) + "]", at
        if token["reference"] and has_names:
            raise NotAPattern(token[0])
        items += _items(token)
    return source[start:], len(source)


def _items(token: re.Match[str]) -> list[_Item]:
    kind, text = str(token.lastgroup), token[str(token.lastgroup)]
    if kind in ("dash", "set"):
        return [text]
    if kind in ("unit", "byte"):
        return [int(text, 16)]
    if kind == "octal":
        return [int(text, 8)]
    if kind == "control":
        return [ord(text) % 32]
    if kind == "escaped" and text in _ESCAPED:
        return [_ESCAPED[text]]
    return list(units_of(text[-1]))


def _members(items: list[_Item]) -> Iterator[str]:
    at = 0
    while at < len(items):
        is_range = items[at + 1 : at + 2] == [_DASH] and at + 2 < len(items)
        yield from _range(items[at], items[at + 2]) if is_range else _single(items[at])
        at += 3 if is_range else 1


def _single(item: _Item) -> Iterator[str]:
    if item == r"\W":  # spelled out: the engine would fold letters into it that JavaScript keeps apart
        for low, high in _NO_WORD:
            yield from _range(low, high)
    elif isinstance(item, str) and item != _DASH:
        yield item
    else:
        yield _written(ord(played(_unit(item))))


def _range(first: _Item, last: _Item) -> Iterator[str]:
    if any(isinstance(end, str) and end != _DASH for end in (first, last)):
        for item in (first, _DASH, last):  # a set is no end of a range: the dash is itself
            yield from _single(item)
        return
    low, high = _unit(first), _unit(last)
    if low > high:
        raise NotAPattern("a range out of order")
    for start, end in played_range(low, high):
        yield f"{_written(start)}-{_written(end)}"


def _unit(item: _Item) -> int:
    return ord(item) if isinstance(item, str) else item


def _written(point: int) -> str:
    return f"\\u{point:04x}" if point < 0x10000 else chr(point)
