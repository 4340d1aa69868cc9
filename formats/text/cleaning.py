"""What programs left in card text is taken out, what people wrote stays (D9, D33, CARD-7, CARD-8).

Every kind of machine text is a step: a function from a text to the spans it would take out. `hidden` lets
the steps blank out their spans one after the other without moving anything, so that the same place can still
be found in the original (a long field is cleaned as a whole and cut into pieces afterwards); `visible` then
closes the gaps. Marks such as `{{user}}` are replaced in a last step of their own.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from formats.text.ejs import ejs_spans
from formats.text.macros import CHARACTER_NAMES, COMMENTS, find_macros, macro_names
from formats.text.markup import CODE_TAGS, block_spans, plain_text

PLAYER = "[PLAYER]"
"""The mark for the player in every text of a world."""

HIDDEN = "\0"
"""Stands for one character that was taken out; the card reader leaves no such character in a card."""

Span = tuple[int, int]
Step = Callable[[str], list[Span]]

_STATUS_TAGS = frozenset(
    {"statusplaceholderimpl", "statusplaceholder", "status_placeholder", "status-placeholder"}
)
_UPDATE_TAGS = frozenset(
    {"updatevariable", "update_variable", "update", "initvar", "jsonpatch", "json_patch"}
    | {"status_current_variable", "status_current_variables"}
)
_UPDATE_LINE = re.compile(
    r"^[ \t]*_\.(?:set|assign|add|insert|remove|delete|unset|update|push|pull)\([^\n]*\)[^\n]*$", re.MULTILINE
)
_DECORATORS = re.compile(r"(?:[ \t\r\0]*\n)*(?:[ \t\0]*@@@?[A-Za-z][^\n]*(?:\n(?:[ \t\r\0]*\n)*|\Z))+")
_FENCE = re.compile(r"^[ \t]*```[^\n`]*(?:\n|\Z)", re.MULTILINE)
_MARK = re.compile(r"[{｛]{2}\s*(user|char|bot)\s*[}｝]{2}|<(user|char|bot)>", re.IGNORECASE)
_GAPS = re.compile(r"\n[ \t]*(?:\n[ \t]*){2,}")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A cleaned text and the names of the macros left in it, in order of first appearance."""

    text: str
    macros: tuple[str, ...]


def comment_spans(text: str) -> list[Span]:
    """`{{// …}}`, `{{comment: …}}` and `{{hidden_key: …}}`, which no one is meant to see."""
    folded = text.casefold()
    if not any(name in folded for name in COMMENTS):  # most texts have macros, few have comments
        return []
    return [(macro.start, macro.end) for macro in find_macros(text) if macro.name in COMMENTS]


def decorator_spans(text: str) -> list[Span]:
    """The lines `@@name …` and `@@@name …` at the very start, with the blank lines around them."""
    found = _DECORATORS.match(text)
    return [found.span()] if found else []


def code_spans(text: str) -> list[Span]:
    """`<script>` and `<style>` with what they hold."""
    return block_spans(text, CODE_TAGS, "line")


def status_spans(text: str) -> list[Span]:
    """Placeholders of status panels."""
    return block_spans(text, _STATUS_TAGS, "tag")


def update_spans(text: str) -> list[Span]:
    """What variable scripts write: update blocks, JSON Patch (tagged or fenced), lines such as `_.set(…)`."""
    lines = [found.span() for found in _UPDATE_LINE.finditer(text)] if "_." in text else []
    patches = [(start, end) for start, body, after, end in _fences(text) if _is_patch(text[body:after])]
    return block_spans(text, _UPDATE_TAGS, "line") + lines + patches


def markup_fence_spans(text: str) -> list[Span]:
    """The lines of a code fence around HTML: cards fence what a script is to show as a page."""
    spans: list[Span] = []
    for start, body, after, end in _fences(text):
        if text[body:after].lstrip(f" \t\n{HIDDEN}").startswith("<"):
            spans += [(start, body), (after, end)]
    return spans


LORE_STEPS: tuple[Step, ...] = (ejs_spans, comment_spans, decorator_spans)
MACHINE_STEPS: tuple[Step, ...] = (code_spans, update_spans, status_spans, markup_fence_spans)
PROSE_STEPS: tuple[Step, ...] = (*LORE_STEPS, *MACHINE_STEPS)


def clean_lore(text: str, char_name: str) -> Cleaned:
    """Lore keeps its text (D33): only EJS code, comments and decorators go, and the marks are replaced."""
    return finished_lore(visible(hidden(text, LORE_STEPS)), char_name)


def clean_prose(text: str, char_name: str) -> Cleaned:
    """Openings and a character's prose: all machine text goes, HTML becomes text with its paragraphs."""
    return finished_prose(visible(hidden(text, PROSE_STEPS)), char_name)


def finished_lore(text: str, char_name: str) -> Cleaned:
    """The last step of `clean_lore`, for text whose machine text is out already."""
    return _cleaned(replace_marks(_with_plain_line_ends(text), char_name))


def finished_prose(text: str, char_name: str) -> Cleaned:
    """The last step of `clean_prose`, for text whose machine text is out already."""
    marked = replace_marks(_with_plain_line_ends(text), html.escape(char_name, quote=False))
    return _cleaned(_GAPS.sub("\n\n", plain_text(marked)).strip())


def has_words(text: str) -> bool:
    """Whether a letter or digit is left once HTML is turned into text."""
    before_markup = text.partition("<")[0]
    return any(map(str.isalnum, before_markup)) or any(map(str.isalnum, plain_text(text)))


def replace_marks(text: str, char_name: str) -> str:
    """`{{user}}`, `<USER>` → `[PLAYER]`; `{{char}}`, `<BOT>`, `<CHAR>` → the card's own name (CARD-8, D9).

    Any case, with or without inner spaces, full-width braces too. A tag is a mark only where no closing tag
    of the same spelling follows. A mark inside the name itself is replaced as well, once.
    """
    last_closings: dict[str, int] = {}

    def replacement(mark: re.Match[str]) -> str:
        tag = mark[2]
        if tag:
            if tag not in last_closings:
                last_closings[tag] = text.rfind(f"</{tag}>")
            if last_closings[tag] > mark.start():
                return mark[0]
        if (mark[1] or tag).casefold() in CHARACTER_NAMES:
            return char_name if not _MARK.search(char_name) else _MARK.sub(PLAYER, char_name)
        return PLAYER

    return _MARK.sub(replacement, text)


def hidden(text: str, steps: Iterable[Step]) -> str:
    """The text with every character that a step takes out replaced by `HIDDEN`; positions stay the same."""
    return hidden_further(text.replace(HIDDEN, " "), steps)


def hidden_further(text: str, steps: Iterable[Step]) -> str:
    """As `hidden`, for a text in which earlier steps have hidden something already."""
    for step in steps:
        parts: list[str] = []
        position = 0
        for start, end in sorted(step(text)):
            if end <= position:
                continue
            start = max(start, position)
            parts += [text[position:start], HIDDEN * (end - start)]
            position = end
        text = "".join([*parts, text[position:]]) if parts else text
    return text


def visible(text: str) -> str:
    """A hidden text with its gaps closed; a line on which only hidden text stood goes with its line break."""
    if HIDDEN not in text:
        return text
    kept: list[str] = []
    for line in text.split("\n"):
        shown = line.replace(HIDDEN, "")
        if shown.strip() or HIDDEN not in line:
            kept.append(shown)
    return "\n".join(kept)


def _with_plain_line_ends(text: str) -> str:
    """Line ends of other systems become `\n`; a world has one kind of them."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _cleaned(text: str) -> Cleaned:
    return Cleaned(text, tuple(macro_names(text)))


def _fences(text: str) -> list[tuple[int, int, int, int]]:
    """Code fences as start, start of what they hold, end of that, end; an unclosed one is none."""
    lines = [line.span() for line in _FENCE.finditer(text)] if "```" in text else []
    return [
        (opening[0], opening[1], closing[0], closing[1])
        for opening, closing in zip(lines[::2], lines[1::2], strict=False)
    ]


def _is_patch(body: str) -> bool:
    return body.lstrip().startswith("[") and '"op"' in body and '"path"' in body
