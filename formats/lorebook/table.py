"""A lorebook as a table for people: one entry a row, as CSV that no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from formats.lorebook.model import Entry, WorldBook
from formats.messages import gettext_noop

HEADINGS = (
    gettext_noop("Title"),
    gettext_noop("Keys"),
    gettext_noop("Secondary keys"),
    gettext_noop("Logic"),
    gettext_noop("On"),
    gettext_noop("Constant"),
    gettext_noop("Order"),
    gettext_noop("Position"),
    gettext_noop("Depth"),
    gettext_noop("Text"),
)
STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "|", "%")
BYTE_ORDER_MARK = "\ufeff"
"""Without it the commonest spreadsheet reads UTF-8 as the local encoding."""


def book_table(model: WorldBook, headings: Sequence[str] = HEADINGS) -> str:
    """The table as CSV text. `headings` are `HEADINGS` in the reader's language."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerow(map(_plain, headings))
    for entry in model.entries:
        writer.writerow(map(_plain, _row(entry)))
    return BYTE_ORDER_MARK + written.getvalue()


def _row(entry: Entry) -> tuple[str, ...]:
    return (
        entry.comment,
        ", ".join(entry.keys),
        ", ".join(entry.secondary_keys),
        entry.selective_logic if entry.selective and entry.secondary_keys else "",
        _yes(entry.enabled),
        _yes(entry.constant),
        str(entry.insertion_order),
        entry.position,
        str(entry.depth) if entry.position == "at_depth" else "",
        entry.content,
    )


def _yes(value: bool) -> str:
    return "1" if value else "0"


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
