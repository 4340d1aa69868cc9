"""Notes about values that are not tracked: one note for all of a kind, with their number and their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from formats.finding import Finding
from formats.messages import gettext_noop

LONGEST_LIST: Final = 400  # characters of names in one note

TOGETHER: Mapping[str, str] = {
    "variable-text": gettext_noop(
        "{count} values of the card are texts and are not tracked; only numbers, true or false, and fixed"
        " choices are: {labels}."
    ),
    "variable-list": gettext_noop("{count} values of the card are lists and are not tracked: {labels}."),
    "variable-null": gettext_noop("{count} values of the card have no first value: {labels}."),
    "variable-empty-group": gettext_noop("{count} groups of the card's values are empty: {labels}."),
    "variable-private": gettext_noop(
        "{count} values are only for the card's own scripts, which are not run: {labels}."
    ),
    "variable-number": gettext_noop("{count} values are no numbers that can be kept exactly: {labels}."),
    "variable-twice": gettext_noop("{count} values are declared twice; the first one stands: {labels}."),
    "variable-not-an-option": gettext_noop(
        "{count} values begin with what is none of their options and are not tracked: {labels}."
    ),
    "variable-bounds": gettext_noop(
        "{count} values begin outside the bounds that the card states and have no bounds now: {labels}."
    ),
}


def together(notes: Sequence[Finding]) -> list[Finding]:
    """The notes with those of one code that name a value made into one, where the first of them stood."""
    groups: dict[str, list[Finding]] = {}
    for number, note in enumerate(notes):
        groups.setdefault(note.code if note.code in TOGETHER else f"{note.code} {number}", []).append(note)
    return [group[0] if len(group) == 1 else _one_for(group) for group in groups.values()]


def _one_for(group: Sequence[Finding]) -> Finding:
    first = group[0]
    labels = ", ".join(str(note.args.get("label", "")) for note in group)
    shown = labels if len(labels) <= LONGEST_LIST else labels[: LONGEST_LIST - 1].rstrip(", ") + "…"
    args = {"count": len(group), "labels": shown}
    return Finding(first.severity, first.code, first.where, TOGETHER[first.code], args=args)
