"""A table as CSV for people: no spreadsheet takes any of its cells for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

STARTS_A_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "|", "%")
BYTE_ORDER_MARK: Final = "\ufeff"
"""Without it the commonest spreadsheet reads UTF-8 as the local encoding."""


def csv_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The table as CSV text with a byte order mark, lines ended as the format asks."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerow(map(_plain, headings))
    for row in rows:
        writer.writerow(map(_plain, row))
    return BYTE_ORDER_MARK + written.getvalue()


def _plain(text: str) -> str:
    """A cell that is text and nothing else: an apostrophe before what a spreadsheet would compute.

    Blanks before the sign do not make it safe; a plain number stays one.
    """
    text = text.replace("\0", "")
    if text.lstrip(" \u00a0\u3000\ufeff").startswith(STARTS_A_FORMULA) and not _is_number(text):
        return f"'{text}"
    return text


def _is_number(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.replace(".", "", 1).isdigit()
