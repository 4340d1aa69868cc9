"""A name for a card that has none: from its file, its lorebook or its dialogue; a suggestion only."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from formats.card.text import clean_text
from formats.notes import Notes

LONGEST_NAME = 100
UNNAMED = "Unnamed"
BOOK_ENDING = re.compile(r"(['’]s)?\s*(lorebook|world ?book|的?世界书)\s*$", re.IGNORECASE)
EXTENSION = re.compile(r"(\.(card|chara|json|png|apng|jpe?g|webp|charx|byaf|zip|txt))+$", re.IGNORECASE)
SPEAKER = re.compile(r"^[ \t]*([^\s:：<>{}*\"“「#|\[\]][^:：<>{}*\"“「\n]{0,38})[:：](?!//)", re.MULTILINE)
NOT_A_NAME = frozenset({"you", "user", "char", "start", "system", "note", "你", "用户", "玩家"})


def guessed_name(data: dict[str, Any], filename: str | None, where: str, notes: Notes) -> str:
    """The best name that can be found, with a warning that says where it comes from."""
    for code, name in (
        ("name-from-file", _file_stem(filename)),
        ("name-from-book", _book_name(data.get("character_book"))),
        (
            "name-from-dialogue",
            _speaker([data["mes_example"], data["first_mes"], *data["alternate_greetings"]]),
        ),
    ):
        if name:
            notes.add(code, where, name=name)
            return name
    notes.add("name-unknown", where, name=UNNAMED)
    return UNNAMED


def _file_stem(filename: str | None) -> str:
    name = re.split(r"[/\\]", clean_text(filename or "").text)[-1]
    return EXTENSION.sub("", name).strip()[:LONGEST_NAME]


def _book_name(book: Any) -> str:
    name = book.get("name") if isinstance(book, dict) else None
    return BOOK_ENDING.sub("", name).strip()[:LONGEST_NAME] if isinstance(name, str) else ""


def _speaker(texts: list[str]) -> str:
    """The name that most often stands before a colon at the start of a line."""
    found = Counter(match[1].strip() for text in texts for match in SPEAKER.finditer(text[:100_000]))
    names = [name for name, _ in found.most_common() if name.lower() not in NOT_A_NAME]
    return names[0] if names else ""
