"""JSON as cards hold it, with a card's refusals."""

from __future__ import annotations

from formats.card.errors import CardError
from formats.card.limits import DEPTH
from formats.lenient_json import BadJson, OddNumber, Parsed, TooDeep, parse_lenient
from formats.notes import Notes

__all__ = ["OddNumber", "Parsed", "parse_json"]


def parse_json(text: str, where: str, notes: Notes) -> Parsed:
    """Parse card JSON, leniently.

    Raises:
        CardError: `bad-json` with line and column, `too-deep`.
    """
    try:
        parsed = parse_lenient(text, DEPTH)
    except TooDeep:
        raise CardError("too-deep", where, limit=DEPTH) from None
    except BadJson as error:
        raise CardError("bad-json", where, line=error.line, column=error.column) from None
    if parsed.lenient:
        notes.add("json-lenient", where)
    return parsed
