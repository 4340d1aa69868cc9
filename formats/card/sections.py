"""A description written as labelled sections, sorted into the fields of a character (D10).

Understood are Markdown headings, headings in brackets or bold, `Label: text` lines (nested by indentation, as
in YAML) and W++ pairs such as `Hair("black" + "long")`. What is not understood stays in the description, word
for word and in its order: every sentence ends up in exactly one field.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from formats.card.section_labels import Label, SectionField, label_of

Notation = Literal["#", "[]", "**", ":"]

_STRENGTH: dict[Notation, int] = {"#": 3, "[]": 2, "**": 1, ":": 0}
"""A heading ends the section of a heading that is not stronger."""

_MARKDOWN = re.compile(r"\s{0,3}(#{1,6})\s*([^\n]{1,80}?)\s*#*\s*[:：]?\s*$")
_BRACKETS = re.compile(
    r"\s*(?:[-*•]\s*)?[【〖\[［〔<《]\s*([^\]】〗］〕>》:：=]{1,60}?)\s*"
    r"(?:[】〗\]］〕>》]\s*[:：]?(.*)|[:：=]\s*([^\]】〗］〕>》]*)(?:[】〗\]］〕>》]\s*)?)$"
)
_OPENED_BY = {"]": "[", "】": "【", "〗": "〖", "］": "［", "〕": "〔", "》": "《"}
_BOLD = re.compile(r"\s*(?:[-*•]\s+)?\*\*\s*([^*\n]{1,60}?)\s*[:：]?\s*\*\*\s*[:：]?(.*)$")
_LINE = re.compile(
    r"([ \t　]*)(?:[-*•·]\s*)?([^\s:：=\"“「『(（\[【〖［〔<《][^:：=\n\"“「]{0,40}?)\s*[:：=](?!//)(.*)$"
)
_PAIR = re.compile(
    r"([^\W\d_][\w /&'-]{0,40}?)\s*[(（]\s*"
    r"((?:\"[^\"\n]{0,2000}\"|“[^”\n]{0,2000}”)(?:\s*[+,，、]\s*(?:\"[^\"\n]{0,2000}\"|“[^”\n]{0,2000}”))*)\s*[)）]"
)
_QUOTED = re.compile(r"[\"“]([^\"”\n]*)[\"”]")
_GAPS = re.compile(r"\n[ \t]*(?:\n[ \t]*){2,}")


@dataclass(frozen=True, slots=True)
class Sections:
    """Texts by field, and the rest of the description, which may be empty."""

    fields: Mapping[SectionField, str]
    rest: str


class _Heading(NamedTuple):
    line: int
    notation: Notation
    level: int
    label: str
    value: str
    known: Label | None


def sections_of(description: str) -> Sections:
    """Sort the labelled sections of a description; a description without any comes back as `rest`.

    Give it text that is cleaned already (`clean_prose`). A single label is enough where the notation cannot
    be chance (a heading); `Label: text` lines and W++ need two labels.
    """
    pairs = _pairs(description)
    if pairs:
        return pairs
    lines = description.split("\n")
    headings = [heading for number, line in enumerate(lines) if (heading := _heading(number, line))]
    notation = _chosen_notation(headings)
    if notation is None:
        return Sections({}, description)
    known = [heading for heading in headings if heading.notation == notation and heading.known]
    level = min(heading.level for heading in known)
    fields: dict[SectionField, list[str]] = {}
    taken: set[int] = set()
    for heading in known:
        if heading.level == level and heading.known:
            end = _section_end(heading, headings, lines)
            text = _section_text(heading, lines[heading.line + 1 : end])
            if text:
                fields.setdefault(heading.known.field, []).append(text)
                taken.update(range(heading.line, end))
    rest = "\n".join(line for number, line in enumerate(lines) if number not in taken)
    return Sections(
        {name: "\n\n".join(texts) for name, texts in fields.items()}, _GAPS.sub("\n\n", rest).strip()
    )


def listed(text: str) -> list[str]:
    """The lines of a section as a list, without bullets; for `goals`."""
    return [
        line for raw in text.split("\n") if (line := re.sub(r"^\s*(?:[-*•·]|\d+[.、)])\s*", "", raw).strip())
    ]


def _pairs(text: str) -> Sections | None:
    """W++: known pairs leave the text, others stay as written; None with less than two or none known."""
    found = list(_PAIR.finditer(text))
    known = [(pair, label) for pair in found if (label := label_of(pair[1]))]
    if len(found) < 2 or not known:
        return None
    fields: dict[SectionField, list[str]] = {}
    rest: list[str] = []
    position = 0
    for pair, label in known:
        value = ", ".join(_QUOTED.findall(pair[2]))
        fields.setdefault(label.field, []).append(value if label.own else f"{pair[1].strip()}: {value}")
        rest.append(text[position : pair.start()])
        position = pair.end()
    rest.append(text[position:])
    kept = [line for line in "".join(rest).split("\n") if line.strip(" \t,;+")]
    return Sections({name: "\n".join(values) for name, values in fields.items()}, "\n".join(kept).strip())


def _heading(number: int, line: str) -> _Heading | None:
    if len(line) > 10_000:
        return None
    if match := _MARKDOWN.match(line):
        return _Heading(number, "#", len(match[1]), match[2], "", label_of(match[2]))
    if match := _BRACKETS.match(line):
        value = (match[2] or match[3] or "").strip()
        return _Heading(number, "[]", 0, match[1], value, label_of(match[1]))
    if match := _BOLD.match(line):
        return _Heading(number, "**", 0, match[1], match[2].strip(), label_of(match[1]))
    if match := _LINE.match(line):
        return _Heading(
            number, ":", len(match[1].expandtabs(4)), match[2], match[3].strip(), label_of(match[2])
        )
    return None


def _chosen_notation(headings: list[_Heading]) -> Notation | None:
    """The notation with most known labels, the stronger one among equals."""
    best: Notation | None = None
    most = 0
    for notation in _STRENGTH:
        ours = [heading for heading in headings if heading.notation == notation]
        known = sum(1 for heading in ours if heading.known)
        if known > most and (notation != ":" or len(ours) > 1):
            best, most = notation, known
    return best


def _section_end(heading: _Heading, headings: list[_Heading], lines: list[str]) -> int:
    """The line at which the section ends: the next heading that is as strong, or the end of its paragraph.

    Text beside the label (`Looks: tall`) makes a section of one paragraph; a label alone one that goes on.
    """
    strength = _STRENGTH[heading.notation]
    end = len(lines)
    for other in headings:
        stronger = _STRENGTH[other.notation] > strength
        equal = other.notation == heading.notation and other.level <= heading.level
        if other.line > heading.line and (stronger or equal):
            end = other.line
            break
    if heading.notation == ":" and heading.value:
        for number in range(heading.line + 1, end):
            if not lines[number].strip():
                return number
    return end


def _section_text(heading: _Heading, body: list[str]) -> str:
    text = textwrap.dedent("\n".join(body)).strip("\n").rstrip()
    value = heading.value if heading.value not in ("|", "|-", ">", ">-") else ""
    if heading.known and not heading.known.own and (value or text):
        value = f"{heading.label.strip()}: {value}".rstrip()
    return _without_last_bracket("\n".join(part for part in (value, text) if part))


def _without_last_bracket(text: str) -> str:
    """Without the bracket that closes `[Label: several lines]`, whose opening stood before the label."""
    opening = _OPENED_BY.get(text[-1:])
    return text[:-1].rstrip() if opening and text.count(text[-1]) > text.count(opening) else text
