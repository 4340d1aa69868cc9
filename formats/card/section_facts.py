"""What a description states as data: `Age: 25`, `[Species: elf; Job: baker]`, `Job("baker")` (D10)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, get_args

from formats.card.section_labels import plain_label
from formats.card.sections import BLOCK_MARKS, headings_of, quoted_pairs

FactKind = Literal["account", "identity", "occupation", "species", "age"]

_WORDS: dict[FactKind, str] = {
    "account": "description|summary|overview|introduction|intro|about|concept|in short|in brief|"
    "简介|概述|简述|概要|介绍|说明|描述",
    "identity": "identity|role|身份|身份背景|定位",
    "occupation": "occupation|job|profession|职业|职务|职位",
    "species": "species|race|种族|物种",
    "age": "age|年龄|年纪",
}
_TABLE: Final = {word: kind for kind, words in _WORDS.items() for word in words.split("|")}
_UNKNOWN: Final = frozenset({"unknown", "n/a", "none", "unspecified", "未知", "不明", "不详", "无", "保密"})
_PART = re.compile(r"\s*([^:：=;；]{1,40}?)\s*[:：=](?!//)\s*(.+)", re.DOTALL)
_AROUND: Final = " \t　\"“”'‘’「」[]【】*_`,，;；。."


class Fact(NamedTuple):
    """A kind of fact and its words; an `account` says in prose who or what is described."""

    kind: FactKind
    text: str


def facts_of(text: str) -> list[Fact]:
    """The facts that labels state, the first of each kind, in the order `account`, `identity`, … `age`."""
    found: dict[FactKind, str] = {}
    for label, value in _labelled(text):
        kind = _TABLE.get(plain_label(label))
        said = value.strip() if kind == "account" else value.strip(_AROUND)
        if kind and any(map(str.isalnum, said)) and said.casefold() not in _UNKNOWN:
            found.setdefault(kind, said)
    return [Fact(kind, found[kind]) for kind in get_args(FactKind) if kind in found]


def _labelled(text: str) -> Iterator[tuple[str, str]]:
    """Every label with what stands beside it, or below it where the label opens a YAML block (`|`)."""
    yield from quoted_pairs(text)
    lines = text.split("\n")
    for heading in headings_of(lines):
        below = lines[heading.line + 1] if heading.line + 1 < len(lines) else ""
        first, *more = re.split(r"[;；]", below if heading.value in BLOCK_MARKS else heading.value)
        yield heading.label, first
        for part in more:
            if stated := _PART.fullmatch(part):
                yield stated[1], stated[2]
