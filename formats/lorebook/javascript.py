"""Where the contract follows JavaScript: numbers from text, the order of a map's keys, paths, number
texts."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from decimal import Decimal

BLANKS = (
    "\t\n\v\f\r \u00a0\u1680"
    + "".join(map(chr, range(0x2000, 0x200B)))
    + "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
OTHER_BASES = (
    (16, re.compile(r"0[xX]([0-9a-fA-F]+)")),
    (8, re.compile(r"0[oO]([0-7]+)")),
    (2, re.compile(r"0[bB]([01]+)")),
)
INDEX = re.compile(r"0|[1-9][0-9]{0,9}")
LARGEST_INDEX = 2**32 - 2
NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
LARGEST_SAFE = 2**53 - 1
FROM_HERE_WITH_EXPONENT = 1e21

LONGEST_NUMBER = 400
"""Characters of a text that may be a number: what is longer is none that anybody wrote by hand."""


def number_of(text: str) -> int | float | None:
    """`Number(text)`: blanks around, a sign, an exponent, 0x 0o 0b; None where JavaScript has no finite
    number.

    A text of blanks alone, 0 in JavaScript, says nothing and is None here.
    """
    word = text.strip(BLANKS)
    if not word or len(word) > LONGEST_NUMBER:
        return None
    for base, pattern in OTHER_BASES:
        digits = pattern.fullmatch(word)
        if digits:
            return finite(int(digits[1], base))
    return finite(float(word)) if DECIMAL.fullmatch(word) else None


def finite(number: int | float) -> int | float | None:
    """The number as JavaScript holds it, a whole one as int; None where it has none that is finite."""
    if isinstance(number, int) and -LARGEST_SAFE <= number <= LARGEST_SAFE:
        return number
    try:
        held = float(number)
    except OverflowError:
        return None
    if not math.isfinite(held):
        return None
    return int(held) if held.is_integer() and abs(held) < FROM_HERE_WITH_EXPONENT else held


def number_text(number: int | float) -> str:
    """The number as `String(number)` writes it: `1e+21`, `0.000001`, `1e-7`, `-0` as `0`; null if not
    finite."""
    held = finite(number)
    if held is None:
        return "null"
    if isinstance(held, int) and abs(held) <= LARGEST_SAFE:
        return str(held)
    sign, digits, exponent = Decimal(repr(float(held))).normalize().as_tuple()
    assert isinstance(exponent, int)
    text = "".join(map(str, digits))
    point = len(text) + exponent
    minus = "-" if sign else ""
    if 0 < point <= 21:
        padded = text.ljust(point, "0")
        return minus + padded[:point] + (f".{padded[point:]}" if padded[point:] else "")
    if -6 < point <= 0:
        return f"{minus}0.{'0' * -point}{text}"
    fraction = f".{text[1:]}" if text[1:] else ""
    return f"{minus}{text[0]}{fraction}e{'+' if point > 0 else '-'}{abs(point - 1)}"


def is_index(key: str) -> bool:
    """Whether JavaScript treats the key of a map as a number."""
    return INDEX.fullmatch(key) is not None and int(key) <= LARGEST_INDEX


def in_map_order(keys: Iterable[str]) -> list[str]:
    """Keys in the order in which JavaScript goes through a map: numbers rising, the others as written."""
    listed = list(keys)
    indexes = sorted((key for key in listed if is_index(key)), key=int)
    return [*indexes, *(key for key in listed if not is_index(key))] if indexes else listed


def in_stable_order(keys: Iterable[str]) -> list[str]:
    """Keys sorted by UTF-16 units, then in the order of a map."""
    return in_map_order(sorted(keys, key=lambda key: key.encode("utf-16-be", "surrogatepass")))


def member(path: str, key: str) -> str:
    """The path of a map's member: `.name`, or `["any other key"]`."""
    return f"{path}.{key}" if NAME.fullmatch(key) else f"{path}[{json.dumps(key, ensure_ascii=False)}]"
