"""Example dialogue: taken apart, and told from the description it sometimes stands in (STRUCT-2).

Many cards describe their character by an interview: `{{user}}: Describe yourself?` and the answers, after
`<START>` or without. That is how the character speaks, not what is said of them.
"""

from __future__ import annotations

import re

_START = re.compile(r"<[ \t]*START[ \t]*>", re.IGNORECASE)
_SPEAKER = re.compile(
    r"[\s*_\"“「>]*(?:[{｛]{2}\s*(user|char|bot)\s*[}｝]{2}|<(user|char|bot)>)[*_]*\s*[:：]", re.IGNORECASE
)
_NO_SPEECH = re.compile(r"\s*(?:\[.*\]|【.*】|#{1,6}\s.*)\s*$")
"""A line in brackets or a heading ends a dialogue: card makers put facts there."""


def dialogues(examples: str) -> list[str]:
    """The dialogues of a `mes_example`, one by one; `<START>` parts them and belongs to none."""
    return [part for part in _START.split(examples) if part.strip()]


def told_apart(description: str) -> tuple[str, list[str]]:
    """A description without the dialogue in it, and that dialogue, one exchange each.

    Text before anybody speaks, lines in brackets and headings stay in the description. Without `<START>` a
    dialogue is taken for one only if both the player and the character speak in it, and it ends where a
    paragraph begins that nobody speaks.
    """
    first, *marked = _START.split(description)
    told: list[str] = []
    spoken: list[str] = []
    for text, starts in [(first, False), *((part, True) for part in marked)]:
        if starts and any(_SPEAKER.match(line) for line in text.split("\n")):
            _sort(text, told, spoken, over_paragraphs=True)
        elif _both_speak(text):
            _sort(text, told, spoken, over_paragraphs=False)
        else:
            told.append(text)
    return "\n".join(told), spoken


def _sort(text: str, told: list[str], spoken: list[str], *, over_paragraphs: bool) -> None:
    """Put each line of a text where it belongs; a line of the player's begins an exchange."""
    exchange: list[str] | None = None
    blank = False
    lines: list[str] = []
    for line in text.split("\n"):
        speaker = _SPEAKER.match(line)
        ends = _NO_SPEECH.match(line) or (blank and not over_paragraphs and line.strip() and not speaker)
        blank = not line.strip()
        if speaker and (exchange is None or _is_player(speaker)):
            exchange = []
            spoken.append("")
        elif ends:
            exchange = None
        if exchange is None:
            lines.append(line)
        else:
            exchange.append(line)
            spoken[-1] = "\n".join(exchange)
    told.append("\n".join(lines))


def _both_speak(text: str) -> bool:
    speakers = [found for line in text.split("\n") if (found := _SPEAKER.match(line))]
    return any(map(_is_player, speakers)) and not all(map(_is_player, speakers))


def _is_player(speaker: re.Match[str]) -> bool:
    return (speaker[1] or speaker[2]).casefold() == "user"
