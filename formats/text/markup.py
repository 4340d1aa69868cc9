"""HTML as cards hold it, turned into text: paragraphs, lines, lists and table rows stay, code goes.

Card text is Markdown with HTML in it, so line breaks of the source count, and `<` is often just a sign. Only
complete tags that HTML knows, or that are closed somewhere, are taken as tags; all else stays as written. The
standard library's parser reads what is left, and never sees an unfinished tag (it is slow on those).
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Literal

Unclosed = Literal["line", "tag"]

CODE_TAGS = frozenset({"script", "style"})


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


ORDINARY_TAGS = _set(
    """
    a abbr acronym address area article aside audio b base bdi bdo big blockquote body br button
    canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl
    dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head
    header hgroup hr html i iframe img input ins kbd label legend li link main map mark marquee menu
    meta meter nav nobr noscript object ol optgroup option output p param picture pre progress q rp
    rt ruby s samp script search section select slot small source span strike strong style sub
    summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var
    video wbr circle clippath defs ellipse filter foreignobject g line lineargradient mask path
    pattern polygon polyline radialgradient rect stop symbol text textpath tspan use image animate
    animatetransform feblend fegaussianblur feoffset femerge femergenode
    """
)

# One complete tag. Quoted values end before the next `<`, so that a stray quote cannot swallow the text.
_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>[^\W\d_][\w:.-]{0,63})"
    r"(?P<rest>(?:[\s/](?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*)?)>"
)
_SIGN = re.compile(r"<(?P<close>/?)(?P<name>[^\W\d_][\w:.-]{0,63})?")
_DECLARATION = re.compile(r"<[!?][^<>]*>")

_PARAGRAPHS = _set(
    """
    address article aside blockquote body center details dialog div dl fieldset figure footer form
    h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre section table ul
    """
)
_LINES = _set("caption dd dt figcaption legend li option summary tr")
_LISTS = frozenset({"ul", "ol", "menu"})
_CELLS = frozenset({"td", "th"})
_UNSHOWN = frozenset({"title", "template", "iframe", "object"})
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")


def plain_text(text: str) -> str:
    """The text of a piece of HTML or of Markdown with HTML in it.

    Blocks become paragraphs, `<br>`, rows and list items lines (`- `, `1. `), cells are parted by ` | `;
    style, script, comments and tags go, entities are resolved. Text without `<` or `&` comes back as it was.
    Malformed input is read as far as it goes; nothing is raised; time is linear.
    """
    if "<" not in text and "&" not in text:
        return text
    reader = _TextReader()
    reader.feed(_guarded(text))
    reader.close()
    return reader.text()


def tag_names(text: str) -> dict[str, int]:
    """Names of tag blocks that are not ordinary markup, in lower case, with counts (PREV-4).

    A block is a tag that is closed somewhere in the text or closes itself; any script may name it.
    """
    closed = _closed_names(text)
    names: dict[str, int] = {}
    for tag in _TAG.finditer(text):
        name = tag["name"].casefold()
        if tag["close"] or name in ORDINARY_TAGS:
            continue
        if name in closed or tag["rest"].endswith("/"):
            names[name] = names.get(name, 0) + 1
    return names


def block_spans(text: str, names: frozenset[str], unclosed: Unclosed) -> list[tuple[int, int]]:
    """Spans of the blocks `<name …>…</name>` of the given names (lower case), from tag to tag.

    A closing tag closes the last one opened, so that a tag only mentioned never reaches over the story
    to a later block. A tag that is never closed takes the rest of its `line`, or its `tag` alone: nothing of
    the paragraphs after it is lost. A closing tag on its own is a span too. Linear.
    """
    if "<" not in text:
        return []
    spans: list[tuple[int, int]] = []
    opened: dict[str, list[re.Match[str]]] = {}
    for tag in _TAG.finditer(text):
        name = tag["name"].casefold()
        if name not in names:
            continue
        waiting = opened.setdefault(name, [])
        if tag["close"]:
            spans.append(((waiting.pop() if waiting else tag).start(), tag.end()))
        elif tag["rest"].endswith("/"):
            spans.append(tag.span())
        else:
            waiting.append(tag)
    left = [tag.span() for waiting in opened.values() for tag in waiting]
    spans += left if unclosed == "tag" else _to_line_ends(text, left)
    return sorted(spans)


def _to_line_ends(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Each span reaching to the end of the line in which it ends."""
    reaching: list[tuple[int, int]] = []
    line = -1
    for start, end in sorted(spans):
        if line < end:
            line = text.find("\n", end)
            line = len(text) if line < 0 else line
        reaching.append((start, line))
    return reaching


def _closed_names(text: str) -> set[str]:
    return {tag["name"].casefold() for tag in _TAG.finditer(text) if tag["close"]}


def _guarded(text: str) -> str:
    """The text with comments, code and unknown blocks' tags taken out, and every other `<` escaped."""
    text = _without_comments(text)
    text = _without(text, block_spans(text, CODE_TAGS, "line"))
    text = _without(text, block_spans(text, _UNSHOWN, "tag"))
    closed = _closed_names(text)
    parts: list[str] = []
    position = 0
    for sign in _SIGN.finditer(text):
        if sign.start() < position:
            continue
        parts.append(text[position : sign.start()])
        tag = _TAG.match(text, sign.start())
        if tag:
            parts.append(_tag_or_sign(tag, closed))
            position = tag.end()
            continue
        declaration = _DECLARATION.match(text, sign.start())
        position = declaration.end() if declaration else sign.start() + 1
        parts.append("" if declaration else "&lt;")
    parts.append(text[position:])
    return "".join(parts)


def _tag_or_sign(tag: re.Match[str], closed: set[str]) -> str:
    name = tag["name"].casefold()
    if name in ORDINARY_TAGS:
        return tag[0]
    if tag["close"] or name in closed or tag["rest"].endswith("/"):
        return ""
    return "&lt;" + tag[0][1:]


def _without_comments(text: str) -> str:
    spans: list[tuple[int, int]] = []
    start = text.find("<!--")
    while start >= 0:
        end = text.find("-->", start + 4)
        if end < 0:
            break
        spans.append((start, end + 3))
        start = text.find("<!--", end + 3)
    return _without(text, spans)


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    parts: list[str] = []
    position = 0
    for start, end in spans:
        if start > position:
            parts.append(text[position:start])
        position = max(position, end)
    return "".join([*parts, text[position:]])


class _TextReader(HTMLParser):
    """Collects text.

    `_wanted` is how many line breaks must stand before the next text; `_after` says what the last piece was,
    for the white space of the source that follows it.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._parts: list[str] = []
        self._wanted = 0
        self._after: Literal["text", "break", "bullet", "cell"] = "text"
        self._blocks = False
        self._lists: list[int | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _PARAGRAPHS:
            self._blocks = True
            self._want(2)
            if tag in _LISTS:
                self._lists.append(1 if tag == "ol" else None)
        elif tag == "br":
            self._break()
        elif tag in _LINES:
            self._want(1)
            if tag == "li":
                self._add(self._bullet())
                self._after = "bullet"
        elif tag in _CELLS and self._after == "cell" and not self._wanted:
            self._add(" | ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _PARAGRAPHS:
            self._want(2)
            if tag in _LISTS and self._lists:
                self._lists.pop()
        elif tag in _LINES:
            self._want(1)
        elif tag in _CELLS:
            self._after = "cell"

    def handle_data(self, data: str) -> None:
        if self._after == "break":
            data = data.lstrip(" \t").removeprefix("\r").removeprefix("\n")
        if self._after in ("bullet", "cell") or (self._wanted and self._blocks):
            data = data.lstrip(" \t\r\n")
        elif self._wanted:
            data = data.lstrip("\r\n")
        if data:
            self._add(data)

    def text(self) -> str:
        """What was collected, without white space at the ends of lines and more than one blank line."""
        lines = "".join(self._parts).replace("\r\n", "\n").split("\n")
        kept = [line.strip(" \t") if self._blocks else line.rstrip(" \t") for line in lines]
        return _BLANK_LINES.sub("\n\n", "\n".join(kept)).strip()

    def _want(self, lines: int) -> None:
        if self._after != "bullet":
            self._wanted = max(self._wanted, lines)

    def _break(self) -> None:
        if not self._wanted:
            self._parts.append("\n")
        self._after = "break"

    def _add(self, data: str) -> None:
        if self._wanted and self._parts:
            self._parts.append("\n" * self._wanted)
        self._wanted = 0
        self._after = "text"
        self._parts.append(data)

    def _bullet(self) -> str:
        number = self._lists[-1] if self._lists else None
        if number is None:
            return "- "
        self._lists[-1] = number + 1
        return f"{number}. "
