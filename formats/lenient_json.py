"""JSON as people and programs leave it: strict first, then with line breaks inside texts, then JSON5."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pyjson5

NEAR = re.compile(r"near (\d+)")
INTEGER_BITS = 64
"""Of the numbers that a database holds."""
LARGEST = 2 ** (INTEGER_BITS - 1)


class OddNumber(str):
    """A number of the file that no store holds (above 64 bits, infinite, NaN), as it was written."""

    __slots__ = ()


@dataclass(slots=True)
class Parsed:
    """The value; the objects in which a key stood more than once (with these keys); how many numbers are
    `OddNumber`s (JSON5 has them as they are)."""

    value: Any
    repeated: list[tuple[dict[str, Any], list[str]]] = field(default_factory=list)
    lenient: bool = False
    odd_numbers: int = 0


class TooDeep(Exception):
    """The data is nested deeper than it is followed."""


class BadJson(Exception):
    """The text cannot be read as JSON, leniently or not; where it went wrong, counted from 1."""

    def __init__(self, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}")
        self.line = line
        self.column = column


def parse_lenient(text: str, depth: int) -> Parsed:
    """Parse JSON, leniently where it is no strict JSON (`.lenient` says so). At most `depth` levels of JSON5;
    strict JSON is followed as deep as the interpreter goes, its reader counts the levels.

    Raises:
        BadJson: it cannot be read.
        TooDeep: it is nested too deeply.
    """
    try:
        return _parse_standard(text, strict=True)
    except RecursionError:
        raise TooDeep from None
    except ValueError as error:
        failed_at = error.pos if isinstance(error, json.JSONDecodeError) else 0
    try:
        parsed = _parse_lenient(text, depth)
    except RecursionError:
        raise TooDeep from None
    except ValueError as error:
        raise _bad_json(text, _last_position(error, failed_at)) from None
    parsed.lenient = True
    return parsed


def _parse_standard(text: str, *, strict: bool) -> Parsed:
    repeated: list[tuple[dict[str, Any], list[str]]] = []

    def build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        built = dict(pairs)
        if len(built) != len(pairs):
            times = Counter(name for name, _ in pairs)
            repeated.append((built, [name for name, count in times.items() if count > 1]))
        return built

    odd: list[OddNumber] = []

    def odd_number(digits: str) -> OddNumber:
        odd.append(OddNumber(digits))
        return odd[-1]

    def integer(digits: str) -> int | OddNumber:
        if len(digits) > 20:
            return odd_number(digits)
        number = int(digits)
        return number if -LARGEST <= number < LARGEST else odd_number(digits)

    def decimal(digits: str) -> float | OddNumber:
        number = float(digits)
        return number if abs(number) != float("inf") else odd_number(digits)

    value = json.loads(
        text,
        strict=strict,
        object_pairs_hook=build,
        parse_int=integer,
        parse_float=decimal,
        parse_constant=odd_number,
    )
    return Parsed(value, repeated, odd_numbers=len(odd))


def _parse_lenient(text: str, depth: int) -> Parsed:
    """Line breaks inside texts are the commonest mistake, and the standard parser keeps track of more."""
    try:
        return _parse_standard(text, strict=False)
    except json.JSONDecodeError:
        pass
    try:
        return Parsed(pyjson5.decode(text, maxdepth=depth))
    except pyjson5.Json5NestingTooDeep:
        raise RecursionError from None
    except pyjson5.Json5Exception as error:
        raise ValueError(str(error.args[0]) if error.args else "") from None


def _last_position(error: ValueError, otherwise: int) -> int:
    found = NEAR.search(str(error))
    return int(found[1]) if found else otherwise


def _bad_json(text: str, position: int) -> BadJson:
    position = min(position, len(text))
    line = text.count("\n", 0, position) + 1
    column = position - (text.rfind("\n", 0, position) + 1) + 1
    return BadJson(line, column)
