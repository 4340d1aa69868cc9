"""Two assemblies compared message by message: of two versions, or of two runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, Literal

from formats.stable_json import canonical_json
from formats.text.diff import TextDiff, diff_text

Message = Mapping[str, Any]
Kind = Literal["same", "added", "removed", "changed"]


@dataclass(frozen=True, slots=True)
class MessageChange:
    """One message of the older or newer list, or a pair; numbers count from 1, 0 for none."""

    kind: Kind
    before: Message | None
    after: Message | None
    number_before: int = 0
    number_after: int = 0

    def text(self) -> TextDiff | None:
        """The change of the text by sentence, computed when asked for; None unless both have one."""
        texts = [message.get("content") for message in (self.before, self.after) if message is not None]
        if self.kind != "changed" or not all(isinstance(text, str) for text in texts):
            return None
        return diff_text(str(texts[0]), str(texts[1]))


def diff_messages(old: Sequence[Message], new: Sequence[Message]) -> list[MessageChange]:
    """Every message of both lists, in the order of the newer one; what stands in one place is a pair."""
    was, now = ([canonical_json(message) for message in messages] for messages in (old, new))
    found: list[MessageChange] = []
    for tag, a, b, c, d in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        found += _pairs(tag == "equal", old, new, range(a, b), range(c, d))
    return found


def _pairs(
    same: bool, old: Sequence[Message], new: Sequence[Message], was: range, now: range
) -> Iterator[MessageChange]:
    for before, after in zip_longest(was, now):
        if before is None:
            yield MessageChange("added", None, new[after], 0, after + 1)
        elif after is None:
            yield MessageChange("removed", old[before], None, before + 1, 0)
        else:
            kind: Kind = "same" if same else "changed"
            yield MessageChange(kind, old[before], new[after], before + 1, after + 1)
