"""A tool call cut off at the token limit: what it had written is taken out of half a JSON (PRE-9)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from formats.finding import Finding
from formats.messages import gettext_noop
from formats.stable_json import read_json

TOKEN: Final = re.compile(r'"((?:[^"\\]|\\.)*+)("?)|[{}\[\]:,]|[^\s"{}\[\]:,]+', re.DOTALL)
ESCAPE: Final = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(u[0-9a-fA-F]{0,3}\Z)|(["\\/bfnrt])|(.))', re.DOTALL)
"""An escape; second, one that the cut went through."""
PLAIN: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
SURROGATE: Final = re.compile("[\ud800-\udfff]")
FIRST_HALF_AT_END: Final = re.compile("[\ud800-\udbff]\\Z")
REPLACEMENT: Final = "\ufffd"

CUT_OFF: Final = gettext_noop(
    "The call of {tool} was cut off; the {kept} characters of {name} that had been written were kept."
)
NOTHING_KEPT: Final = gettext_noop(
    "The call of {tool} was cut off before {name} began; nothing could be kept."
)
HIGHER_LIMIT: Final = gettext_noop("Raise the limit of tokens for an answer, or ask for a shorter text.")


@dataclass(frozen=True, slots=True)
class Rescued:
    """The text of the field; `finding`, the line for the log, is there where the call was not whole."""

    text: str | None
    finding: Finding | None = None


def rescue_field(arguments: str, name: str, tool: str = "") -> Rescued:
    """The text of the field `name` of a call's arguments, whole or as far as it was written.

    The outermost field of that name counts; what only looks like one, inside another text, does not.
    """
    whole = _parsed(arguments)
    if whole is not None:
        return Rescued(_field_of(whole, name))
    text = _cut_field(arguments, name)
    message = CUT_OFF if text is not None else NOTHING_KEPT
    args = {"tool": tool, "name": name, "kept": len(text or "")}
    return Rescued(text, Finding("warning", "tool-call.cut-off", name, message, HIGHER_LIMIT, args))


def _parsed(arguments: str) -> Mapping[str, Any] | None:
    try:
        value = read_json(arguments)
    except ValueError:
        return None
    return value if isinstance(value, Mapping) else None


def _field_of(value: Mapping[str, Any], name: str) -> str | None:
    """The shallowest text under the name."""
    level: list[Any] = [value]
    while level:
        for one in level:
            if isinstance(one, Mapping) and isinstance(one.get(name), str):
                return _without_lone_surrogates(one[name])
        level = [
            inner
            for one in level
            if isinstance(one, Mapping | list)
            for inner in (one.values() if isinstance(one, Mapping) else one)
        ]
    return None


def _cut_field(arguments: str, name: str) -> str | None:
    """As `_field_of`, of JSON that ends anywhere or is otherwise damaged."""
    found: str | None = None
    found_depth = 0
    depth = 0
    last = key = ""
    for token in TOKEN.finditer(arguments):
        sign = token[0]
        if token[1] is not None:
            if key == name and (found is None or depth < found_depth):
                found, found_depth = decoded(token[1]), depth
            last, key = decoded(token[1]) if token[2] else "", ""
        elif sign == ":":
            key = last
        else:
            depth += (sign in "{[") - (sign in "}]")
            last = key = ""
    return found


def decoded(written: str) -> str:
    """The text of a JSON string's inside; an escape that the cut went through is dropped."""
    text = ESCAPE.sub(_plain, written) if "\\" in written else written
    return _without_lone_surrogates(text)


def _plain(escape: re.Match[str]) -> str:
    unicode, half, short, other = escape.groups()
    if unicode:
        return chr(int(unicode, 16))
    if half:
        return ""
    return PLAIN.get(short, short) if short else f"\\{other}"


def _without_lone_surrogates(text: str) -> str:
    """Pairs become their character; the half of a pair at the end is dropped, any other is replaced."""
    if not SURROGATE.search(text):
        return text
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return SURROGATE.sub(REPLACEMENT, FIRST_HALF_AT_END.sub("", joined))
