"""What a file is when it is no card: lorebook, preset, chat, web page and the like, so that we can say it.

Told by content, never by file name. The names are the keys of `errors.OTHER_KINDS`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from formats.card.payload import is_wide, looks_like_json, may_be_card
from formats.lorebook.repair import foreign_shape

HTML = re.compile(
    rb"\s*(<!--.{0,400}?-->\s*)*<(!doctype\s+html|html|head|body|script|div|meta|title)\b", re.I | re.S
)
BINARY_STARTS = (b"%PDF", b"Rar!", b"7z\xbc\xaf", b"\x1f\x8b", b"ID3", b"OggS", b"SQLite format 3")
CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")

LONGEST_BARE_VALUE = 4096
"""A longer text without brackets is not looked at as JSON."""

PRESET_MARKS = frozenset(
    {
        "prompt_order",
        "chat_completion_source",
        "openai_max_context",
        "jailbreak_prompt",
        "main_prompt",
        "story_string",
        "input_sequence",
        "rep_pen",
        "repetition_penalty",
        "frequency_penalty",
        "presence_penalty",
        "top_p",
        "openai_max_tokens",
        "names_behavior",
    }
)
MARKS_OF_A_PRESET = 2
STRONG_PRESET_MARKS = frozenset({"prompt_order", "story_string", "input_sequence", "chat_completion_source"})
MESSAGE_LISTS = ("messages", "chat", "chats", "turns", "histories", "data_visible")
AVATAR_MAPS = ("personas", "persona_descriptions")


def kind_of_text(head: bytes) -> str | None:
    """What a file with these first bytes is; None where it may be JSON, plain or in base64."""
    if head.startswith(BINARY_STARTS):
        return "binary"
    if HTML.match(head.removeprefix(b"\xef\xbb\xbf")):
        return "html"
    if may_be_card(head) or is_wide(head):
        return None
    if head.startswith((b"//", b"/*")):
        return None
    return "binary" if CONTROL.search(head[:512]) else "text"


def is_bare_value(text: bytes) -> bool:
    """True for a file that is one JSON number, text, `true`, `null` or `NaN`, which no card is."""
    if len(text) >= LONGEST_BARE_VALUE or looks_like_json(text):
        return False
    try:
        json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    return True


def kind_of_lines(text: str) -> str | None:
    """`chat` for a file of one JSON object a line whose first line is the head of a chat or a message."""
    first, _, rest = text.lstrip("\ufeff \r\n\t").partition("\n")
    if not rest.strip() or len(first) > 1_000_000:
        return None
    try:
        return "chat" if _is_chat(json.loads(first)) else None
    except (ValueError, RecursionError):
        return None


def kind_of_value(value: Any) -> str | None:
    """What a JSON value without a card in it is; None where it is nothing known."""
    for kind, recognise in RECOGNISERS:
        if recognise(value):
            return kind
    return None


def _is_lorebook(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    return foreign_shape(value) is not None or isinstance(value.get("entries"), list)


def _is_preset(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    marks = PRESET_MARKS & value.keys()
    prompts = value.get("prompts")
    return bool(
        marks & STRONG_PRESET_MARKS
        or len(marks) >= MARKS_OF_A_PRESET
        or (isinstance(prompts, list) and marks)
    ) or (
        isinstance(prompts, list) and any(isinstance(item, dict) and "identifier" in item for item in prompts)
    )


def _is_chat(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(_is_message(item) for item in value[:20])
    if not isinstance(value, dict):
        return False
    if "chat_metadata" in value or {"user_name", "character_name"} <= value.keys() or _is_message(value):
        return True
    return any(
        isinstance(value.get(name), list) and value[name] and all(map(_is_message, value[name][:20]))
        for name in MESSAGE_LISTS
    )


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and (
        ("mes" in value and ("is_user" in value or "send_date" in value))
        or ("role" in value and ("content" in value or "text" in value))
        or ("msg" in value and ("userId" in value or "characterId" in value))
    )


def _is_regex_script(value: Any) -> bool:
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, dict) and "findRegex" in first


def _is_quick_replies(value: Any) -> bool:
    return isinstance(value, dict) and ("qrList" in value or "quickReplySlots" in value)


def _is_theme(value: Any) -> bool:
    return isinstance(value, dict) and ("main_text_color" in value or "blur_strength" in value)


def _is_persona(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(name), dict) for name in AVATAR_MAPS)


def _is_world(value: Any) -> bool:
    return isinstance(value, dict) and str(value.get("schema", "")).startswith("dsh-roleplay")


RECOGNISERS: tuple[tuple[str, Callable[[Any], bool]], ...] = (
    ("chat", _is_chat),
    ("regex-script", _is_regex_script),
    ("quick-replies", _is_quick_replies),
    ("theme", _is_theme),
    ("persona", _is_persona),
    ("world", _is_world),
    ("preset", _is_preset),
    ("lorebook", _is_lorebook),
)
