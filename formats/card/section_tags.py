"""Sections of a description that stand between tags: `<外貌>…</外貌>`, `[Looks]…[/Looks]` (D10)."""

from __future__ import annotations

import re
from bisect import bisect
from typing import NamedTuple

from formats.card.section_labels import Label, label_of

_TAG = re.compile(
    r"[<＜‹〈《\[［【〖〔](/?)\s*([^<＜‹〈《\[［【〖〔>＞›〉》\]］】〗〕/:：=\n]{1,60}?)\s*[>＞›〉》\]］】〗〕]"
)
_BEGINS_LINE = re.compile(r"(?:\A|[\n>＞›〉》\]］】〗〕])[ \t　]*(?:[-*•]\s?)?\Z")
_BEFORE = 40
"""So many characters before a tag are looked at: blanks, a bullet, the end of another tag."""


class TaggedSection(NamedTuple):
    """A block with a known label: label, the field it names, what stood between its tags."""

    label: str
    known: Label
    text: str


def tagged_sections(text: str) -> tuple[list[TaggedSection], str]:
    """The blocks whose tag has a known label, begins its line and is closed later, and the text without them.

    The tags go, every word between them stays; a tag with a known label inside a block becomes `label:`. A
    tag that is never closed is left as it is. Linear but for a search in a sorted list.
    """
    tags = [(tag, label) for tag in _TAG.finditer(text) if (label := label_of(tag[2]))]
    closings: dict[str, list[re.Match[str]]] = {}
    for tag, _ in tags:
        if tag[1]:
            closings.setdefault(tag[2].casefold(), []).append(tag)
    found: list[TaggedSection] = []
    rest: list[str] = []
    position = 0
    for tag, label in tags:
        if tag[1] or tag.start() < position or not _begins_line(text, tag.start()):
            continue
        closing = _next(closings.get(tag[2].casefold(), []), tag.end())
        if closing is None:
            continue
        rest.append(text[position : tag.start()])
        position = closing.end()
        body = _flat(text[tag.end() : closing.start()])
        found.append(TaggedSection(tag[2], label, body))
    return found, "".join([*rest, text[position:]])


def _next(closings: list[re.Match[str]], position: int) -> re.Match[str] | None:
    at = bisect(closings, position, key=lambda closing: closing.start() + 1)
    return closings[at] if at < len(closings) else None


def _begins_line(text: str, start: int) -> bool:
    return start == 0 or bool(_BEGINS_LINE.search(text, max(0, start - _BEFORE), start))


def _flat(body: str) -> str:
    """Tags with known labels inside a block become lines such as `hair: red`; other signs stay as written."""

    def line(tag: re.Match[str]) -> str:
        if not label_of(tag[2]):
            return tag[0]
        return "" if tag[1] else f"{tag[2]}: "

    return _TAG.sub(line, body)
