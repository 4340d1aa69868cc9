"""Picture addresses inside the strings of a card (CARD-5, PIC-1), in whatever way they are quoted.

A card holds addresses in prose, Markdown, HTML, CSS, JSON inside JSON and scripts. Each string is read once,
from left to right; nothing is parsed and nothing is fetched here.
"""

from __future__ import annotations

import html
import re
from urllib.parse import urlsplit

LONGEST_ADDRESS = 4096
PICTURE_ENDINGS = ("png", "apng", "jpg", "jpeg", "jpe", "jfif", "webp", "gif")

# A slash may be written `/`, `\/`, `\\/`, `\u002f` or `\x2f`, depending on how often the text was quoted.
_SLASH = r"(?:\\{0,4}/|\\{1,4}u002[fF]|\\{1,4}x2[fF])"
_START = re.compile(rf"[hH][tT][tT][pP][sS]?:{_SLASH}{{2}}")
# Where an address ends: white space, quotes, brackets of markup, and the punctuation of Chinese and Japanese.
_END = r"\s\"'`<>{}\[\]|^\\\x00-\x20\x7f，。；：！？、（）【】《》〈〉「」『』“”‘’…　"
_BODY = re.compile(
    rf"(?:\[[0-9A-Fa-f:.]{{2,60}}\])?"
    rf"(?:[^{_END},;&]"
    rf"|[,;](?!https?:)"
    rf"|&(?!quot;|lt;|gt;|apos;|nbsp;|#0*3[49];|#[xX]0*2[27];)"
    rf"|{_SLASH}|\\{{1,4}}u00(?:26|3[dDfF]|25)|\\{{1,4}}x(?:26|3[dDfF]|25))*"
)
_ESCAPE = re.compile(r"\\+(?:u00|x)([0-9A-Fa-f]{2})")
_BACKSLASHES = re.compile(r"\\+/")
_ENTITY = re.compile(r"&(?:amp|#0*(?:38|47|61|58)|#[xX]0*(?:26|2[fF]|3[aAdD]));?")
_PICTURE_THEN_WORDS = re.compile(rf"\.(?:{'|'.join(PICTURE_ENDINGS)})(?=[^\x00-\x7f])", re.IGNORECASE)
_PICTURE_SEGMENT = re.compile(rf"\.(?:{'|'.join(PICTURE_ENDINGS)})(?![A-Za-z0-9])", re.IGNORECASE)
_ENDING = re.compile(r"\.[A-Za-z0-9]{1,8}$")
# Names of XML vocabularies look like addresses, stand in every piece of SVG, and are never pictures.
_VOCABULARY = re.compile(r"https?://www\.w3\.org/(?:\d{4}|XML|TR|ns)/", re.IGNORECASE)


def web_addresses_in(text: str) -> list[str]:
    """Every http or https address of a string, unescaped, each once, in order of appearance.

    Left out: addresses longer than `LONGEST_ADDRESS` characters and those that run into a template
    (`https://host/${name}.png`), which are no addresses yet. Time is linear in the length of the text.
    """
    found: dict[str, None] = {}
    position = 0
    while start := _START.search(text, position):
        body = _BODY.match(text, start.end())
        position = body.end() if body else start.end()
        if not body or position - start.start() > 2 * LONGEST_ADDRESS or _is_template(text, position):
            continue
        address = _trimmed(_unescaped(text[start.start() : position]))
        if address and len(address) <= LONGEST_ADDRESS:
            found[address] = None
    return list(found)


def addresses_in(text: str) -> list[str]:
    """The addresses of a string that may be pictures (CARD-5), each once, in order of appearance."""
    return [address for address in web_addresses_in(text) if may_be_picture(address)]


def may_be_picture(address: str) -> bool:
    """Whether the path ends as a PNG, JPEG, WebP or GIF, or has no ending at all (PIC-1).

    Services add sizes behind the ending (`a.jpg:large`, `a.jpg!thumb`, `a.png@100w`): these count too.
    """
    if _VOCABULARY.match(address):
        return False
    try:
        path = urlsplit(address).path
    except ValueError:
        return False
    name = path.rsplit("/", 1)[-1]
    return bool(_PICTURE_SEGMENT.search(name)) or not _ENDING.search(name)


def _is_template(text: str, end: int) -> bool:
    return text[end : end + 1] == "{" or text[end : end + 2] == "<%"


def _unescaped(raw: str) -> str:
    plain = _BACKSLASHES.sub("/", raw) if "\\" in raw else raw
    if "\\" in plain:
        plain = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), plain)
    return (
        _ENTITY.sub(lambda match: html.unescape(match[0].rstrip(";") + ";"), plain) if "&" in plain else plain
    )


def _trimmed(address: str) -> str:
    """Cut what belongs to the sentence or the markup around the address; empty when no host is left."""
    words = _PICTURE_THEN_WORDS.search(address)
    if words:
        address = address[: words.end()]
    address = address[: _balanced_end(address)].rstrip(".,;:!?*_~&$")
    try:
        host = urlsplit(address).hostname
    except ValueError:  # a broken IPv6 host or port
        return ""
    return address if host else ""


def _balanced_end(address: str) -> int:
    """Where a `)` closes what the address did not open, as at the end of a Markdown link or a CSS `url()`."""
    depth = 0
    for position, character in enumerate(address):
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
            if depth < 0:
                return position
    return len(address)
