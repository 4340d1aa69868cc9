"""A description written as labelled sections, sorted into the fields of a character (D10).

Understood are Markdown headings, headings in brackets or bold, `Label: text` lines (nested by indentation, as
in YAML), blocks between tags and W++ pairs such as `Hair("black" + "long")`, mixed as authors mix them. What
is not understood stays in the description, word for word and in its order: every sentence ends up in exactly
one field.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from formats.card.section_labels import Label, SectionField, label_of
from formats.card.section_tags import TaggedSection, tagged_sections

Notation = Literal["#", "[]", "**", ":"]

_STRENGTH: dict[Notation, int] = {"#": 3, "[]": 2, "**": 1, ":": 0}
"""A heading, even one we do not know, ends the section of a heading that is not stronger."""

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
BLOCK_MARKS: Final = frozenset({"|", "|-", ">", ">-"})
"""Beside a label of YAML: its value is the lines below."""
_GAPS = re.compile(r"\n[ \t]*(?:\n[ \t]*){2,}")


@dataclass(frozen=True, slots=True)
class Sections:
    """Texts by field, and the rest of the description, which may be empty."""

    fields: Mapping[SectionField, str]
    rest: str


class Heading(NamedTuple):
    """A line that begins with a label; `value` is what stands beside it."""

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
    tagged, untagged = tagged_sections(description)
    fields: dict[SectionField, list[str]] = {}
    for section in tagged:
        if text := _tagged_text(section):
            fields.setdefault(section.known.field, []).append(text)
    lines = untagged.split("\n")
    taken = _take_sections(lines, fields)
    if not fields:
        return Sections({}, description)
    rest = "\n".join(line for number, line in enumerate(lines) if number not in taken)
    return Sections(
        {name: "\n\n".join(texts) for name, texts in fields.items()}, _GAPS.sub("\n\n", rest).strip()
    )


def _take_sections(lines: list[str], fields: dict[SectionField, list[str]]) -> set[int]:
    """Add the text of every section that begins with a heading to its field; gives the lines it took."""
    headings = headings_of(lines)
    labelled_lines = sum(1 for heading in headings if heading.notation == ":")
    headings = [
        heading._replace(known=None) if heading.notation == ":" and labelled_lines < 2 else heading
        for heading in headings
    ]
    taken: set[int] = set()
    position = 0
    for index, heading in enumerate(headings):
        if heading.known is None or heading.line < position:
            continue
        end = _section_end(index, headings, lines)
        text = _section_text(heading, lines[heading.line + 1 : end])
        if text:
            fields.setdefault(heading.known.field, []).append(text)
            taken.update(range(heading.line, end))
            position = end
    return taken


def _tagged_text(section: TaggedSection) -> str:
    text = textwrap.dedent(section.text).strip()
    return text if section.known.own or not text else f"{section.label}: {text}"


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


def headings_of(lines: Sequence[str]) -> list[Heading]:
    """Every line that begins with a label, in whatever notation, known or not."""
    return [heading for number, line in enumerate(lines) if (heading := _heading(number, line))]


def quoted_pairs(text: str) -> Iterator[tuple[str, str]]:
    """Label and value of every W++ pair, known or not."""
    for pair in _PAIR.finditer(text):
        yield pair[1], ", ".join(_QUOTED.findall(pair[2]))


def _heading(number: int, line: str) -> Heading | None:
    if len(line) > 10_000:
        return None
    if match := _MARKDOWN.match(line):
        return Heading(number, "#", len(match[1]), match[2], "", label_of(match[2]))
    if match := _BRACKETS.match(line):
        value = (match[2] or match[3] or "").strip()
        return Heading(number, "[]", 0, match[1], value, label_of(match[1]))
    if match := _BOLD.match(line):
        return Heading(number, "**", 0, match[1], match[2].strip(), label_of(match[1]))
    if match := _LINE.match(line):
        return Heading(
            number, ":", len(match[1].expandtabs(4)), match[2], match[3].strip(), label_of(match[2])
        )
    return None


def _section_end(index: int, headings: list[Heading], lines: list[str]) -> int:
    """The line at which a section ends: the next heading that ends it, or the end of its paragraph.

    Ended it is by any heading that is as strong, and by a known one of another field in whatever notation.
    Text beside the label (`Looks: tall`) makes a section of one paragraph; a label alone one that goes on.
    """
    heading = headings[index]
    end = len(lines)
    for following in range(index + 1, len(headings)):
        if _ends(heading, headings[following]):
            end = headings[following].line
            break
    if heading.notation == ":" and heading.value:
        for number in range(heading.line + 1, end):
            if not lines[number].strip():
                return number
    return end


def _ends(heading: Heading, other: Heading) -> bool:
    if other.known and heading.known and other.known.field != heading.known.field:
        return True
    if other.notation == heading.notation:
        return other.level <= heading.level
    return _STRENGTH[other.notation] > _STRENGTH[heading.notation]


def _section_text(heading: Heading, body: list[str]) -> str:
    text = textwrap.dedent("\n".join(body)).strip("\n").rstrip()
    value = heading.value if heading.value not in BLOCK_MARKS else ""
    if heading.known and not heading.known.own and (value or text):
        value = f"{heading.label.strip()}: {value}".rstrip()
    return _without_last_bracket("\n".join(part for part in (value, text) if part))


def _without_last_bracket(text: str) -> str:
    """Without the bracket that closes `[Label: several lines]`, whose opening stood before the label."""
    opening = _OPENED_BY.get(text[-1:])
    return text[:-1].rstrip() if opening and text.count(text[-1]) > text.count(opening) else text
