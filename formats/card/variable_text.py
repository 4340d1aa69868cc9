"""The text of an `[InitVar]` entry, JSON5, TOML or YAML, as plain values. Nothing in it is ever run."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pyjson5
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
)

from formats.text.cleaning import LORE_STEPS, hidden, visible

LONGEST = 1_000_000
LONGEST_YAML = 60_000
"""Characters; the YAML reader takes about twenty microseconds for each."""

DEEPEST = 32

_FENCE = re.compile(r"\A\s*```[^\n]*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)
_WRAPPER = re.compile(r"</?(?:initvar|UpdateVariable)>", re.IGNORECASE)
_INTEGER = re.compile(r"[-+]?[0-9]{1,18}\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]{1,3})?\Z")
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}
_NO_KEY = object()


class UnreadableDataError(ValueError):
    """The text is none of the three forms, is too long, nested too deeply, or uses YAML references."""


def read_variable_text(text: str) -> dict[str, Any]:
    """The object that an entry's text describes.

    A code fence, comments, decorators and EJS tags around it are taken off. Text that begins with `{` is
    tried as JSON5, other text as TOML, both then as YAML (without references and tags).

    Raises:
        UnreadableDataError: nothing fits, or a limit is passed.
    """
    if len(text) > LONGEST:
        raise UnreadableDataError("too long")
    plain = _WRAPPER.sub("", visible(hidden(text, LORE_STEPS))).strip("\ufeff\r\n").rstrip()
    fence = _FENCE.match(plain)
    plain = fence[1] if fence else plain
    for reader in (_json5 if plain.lstrip().startswith("{") else _toml, _yaml):
        value = reader(plain)
        if isinstance(value, dict) and value:
            return value
    raise UnreadableDataError("no known form")


def _json5(text: str) -> object:
    try:
        return pyjson5.decode(text, DEEPEST)
    except (pyjson5.Json5Exception, ValueError, OverflowError, RecursionError):
        return None


def _toml(text: str) -> object:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def _yaml(text: str) -> object:
    if len(text) > LONGEST_YAML:
        raise UnreadableDataError("too long")
    yaml = YAML(typ="safe", pure=True)
    try:
        return _from_events(yaml, text)
    except (YAMLError, ValueError) as error:
        raise UnreadableDataError("no known form") from error


def _from_events(yaml: YAML, text: str) -> object:
    """Build the value in one loop: no recursion, and no reference can multiply anything."""
    top: list[Any] = []
    stack: list[list[Any] | dict[str, Any]] = [top]
    keys: list[Any] = [_NO_KEY]
    for event in yaml.parse(text):
        if isinstance(event, AliasEvent) or (isinstance(event, NodeEvent) and event.anchor is not None):
            raise UnreadableDataError("references")
        if isinstance(event, DocumentStartEvent) and top:
            raise UnreadableDataError("several documents")
        if isinstance(event, ScalarEvent):
            _put(stack, keys, _scalar(event))
        elif isinstance(event, CollectionStartEvent):
            opened: list[Any] | dict[str, Any] = {} if isinstance(event, MappingStartEvent) else []
            _put(stack, keys, opened)
            stack.append(opened)
            keys.append(_NO_KEY)
            if len(stack) > DEEPEST:
                raise UnreadableDataError("too deep")
        elif isinstance(event, CollectionEndEvent):
            stack.pop()
            keys.pop()
    return top[0] if top else None


def _put(stack: list[list[Any] | dict[str, Any]], keys: list[Any], value: Any) -> None:
    holder = stack[-1]
    if isinstance(holder, list):
        holder.append(value)
    elif keys[-1] is _NO_KEY:
        if isinstance(value, list | dict):
            raise UnreadableDataError("a key that is no text")
        keys[-1] = "null" if value is None else str(value)
    else:
        holder.setdefault(keys[-1], value)
        keys[-1] = _NO_KEY


def _scalar(event: ScalarEvent) -> Any:
    """The value of a scalar by the core schema of YAML 1.2; a quoted one is text."""
    text = event.value
    if event.style or event.tag:
        return text
    if text.lower() in _WORDS and text in (text.lower(), text.upper(), text.capitalize()):
        return _WORDS[text.lower()]
    if _INTEGER.match(text):
        return int(text)
    return float(text) if _FLOAT.match(text) else text
