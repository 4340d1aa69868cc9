"""A world's prompts: where they live, and how foreign text is kept from acting in them.

A prompt is plain Markdown with `${name}` placeholders from its task's own list. Everything else that looks
like a placeholder is made inert on the way in by one space (world-format, "prompts"; STRUCT-4, RULE-3).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from formats.messages import gettext_noop as _

SHIPPED_LANGUAGES = ("en", "zh-hans")

PLACEHOLDERS: Mapping[str, frozenset[str]] = MappingProxyType(
    {name: frozenset() for name in ("style", "character-style", "persona", "standing")}
)
"""The prompts of a world, each with the placeholders its task fills: none until play names some."""

PROMPT_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "style": _("Narration style"),
        "character-style": _("How characters behave"),
        "persona": _("Persona"),
        "standing": _("Standing rules"),
    }
)

_OPENED = re.compile(r"([${])(?=\{)")
_PLACEHOLDER = re.compile(r"\$\{\s*([^{}]*?)\s*\}|\$\{|\{\{[^{}]*\}\}|\{\{")
_PATH = re.compile(r"prompts/([a-z0-9-]+)/roleplay/([a-z0-9-]+)\.md")


def inert(text: str) -> str:
    """The text with every `${` written `$ {` and every `{{` written `{ {`; doing it twice changes nothing."""
    return _OPENED.sub(r"\1 ", text)


def unknown_placeholders(name: str, text: str) -> list[str]:
    """What in the prompt `name` looks like a placeholder and is none of its own, in order, each once."""
    known = PLACEHOLDERS.get(name, frozenset())
    found = (match for match in _PLACEHOLDER.finditer(text) if match[1] is None or match[1] not in known)
    return list(dict.fromkeys(match[0][:80] for match in found))


def prompt_path(language: str, name: str) -> str:
    """Path of a prompt in the world folder.

    Raises:
        ValueError: no such language or prompt.
    """
    if language not in SHIPPED_LANGUAGES or name not in PLACEHOLDERS:
        raise ValueError(f"no prompt {name!r} in {language!r}")
    return f"prompts/{language}/roleplay/{name}.md"


def prompt_of(path: str) -> tuple[str, str] | None:
    """Language and name of a prompt's path, or None where the path is no prompt of a world."""
    match = _PATH.fullmatch(path)
    if match is None or match[1] not in SHIPPED_LANGUAGES or match[2] not in PLACEHOLDERS:
        return None
    return match[1], match[2]


def prompt_files(name: str, text: str) -> dict[str, bytes]:
    """The same text as a prompt of every shipped language, made inert, ready to write: path to bytes."""
    data = (inert(text).rstrip() + "\n").encode()
    return {prompt_path(language, name): data for language in SHIPPED_LANGUAGES}
