"""A lorebook as a table for people: one entry a row, as CSV that no spreadsheet takes for formulas."""

from __future__ import annotations

from collections.abc import Sequence

from formats.lorebook.model import Entry, WorldBook
from formats.messages import gettext_noop
from formats.text.csv_table import csv_table

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


def book_table(model: WorldBook, headings: Sequence[str] = HEADINGS) -> str:
    """The table as CSV text. `headings` are `HEADINGS` in the reader's language."""
    return csv_table(headings, map(_row, model.entries))


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
