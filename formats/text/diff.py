"""Two texts compared sentence by sentence, as a value that a page can show (UPD-4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal

from formats.text.split import sentences

MOST_SENTENCES = 1500
"""So many sentences of each text are compared; the equal ones at both ends are not counted."""

ChangeKind = Literal["same", "removed", "added"]


@dataclass(frozen=True, slots=True)
class Change:
    """A run of sentences that both texts hold, or only the old, or only the new one."""

    kind: ChangeKind
    text: str


@dataclass(frozen=True, slots=True)
class TextDiff:
    """The runs in order. `uncompared` counts the sentences beyond the limit, which are in no run."""

    changes: tuple[Change, ...]
    uncompared: int = 0

    @property
    def differs(self) -> bool:
        """Whether anything is not the same."""
        return self.uncompared > 0 or any(change.kind != "same" for change in self.changes)


def diff_text(old: str, new: str, limit: int = MOST_SENTENCES) -> TextDiff:
    """Compare two texts by sentence.

    Joining the `same` and `removed` runs gives the old text back, `same` and `added` the new one, as long as
    `uncompared` is 0.
    """
    before, after = sentences(old), sentences(new)
    head = _equal_at_start(before, after)
    tail = _equal_at_start(
        before[: head - 1 if head else None : -1], after[: head - 1 if head else None : -1]
    )
    middle_before = before[head : len(before) - tail]
    middle_after = after[head : len(after) - tail]
    uncompared = max(0, len(middle_before) - limit) + max(0, len(middle_after) - limit)
    runs = [
        ("same", before[:head]),
        *_runs(middle_before[:limit], middle_after[:limit]),
        ("same", before[len(before) - tail :]),
    ]
    return TextDiff(tuple(_joined(runs)), uncompared)


def _equal_at_start(before: list[str], after: list[str]) -> int:
    for count, (one, other) in enumerate(zip(before, after, strict=False)):
        if one != other:
            return count
    return min(len(before), len(after))


def _runs(before: list[str], after: list[str]) -> Iterator[tuple[ChangeKind, list[str]]]:
    # Sentences that return very often (`autojunk`) are no anchors: without this rule the time is quadratic.
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after).get_opcodes():
        if tag == "equal":
            yield "same", before[i1:i2]
        else:
            yield "removed", before[i1:i2]
            yield "added", after[j1:j2]


def _joined(runs: list[tuple[ChangeKind, list[str]]]) -> Iterator[Change]:
    filled = [(kind, "".join(parts)) for kind, parts in runs if parts]
    for kind, group in groupby(filled, key=lambda run: run[0]):
        yield Change(kind, "".join(text for _, text in group))
