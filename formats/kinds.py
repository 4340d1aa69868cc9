"""What a JSON value is that somebody uploaded in the wrong place: preset, chat, theme and the like.

Told by content, never by file name. Cards and lorebooks are told by their own readers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

PRESET_MARKS = frozenset(
    {
        "prompt_order",
        "promptOrder",
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
STRONG_PRESET_MARKS = frozenset(
    {"prompt_order", "promptOrder", "story_string", "input_sequence", "chat_completion_source"}
)
MESSAGE_LISTS = ("messages", "chat", "chats", "turns", "histories", "data_visible")
AVATAR_MAPS = ("personas", "persona_descriptions")


def kind_of_value(value: Any) -> str | None:
    """The kind of a JSON value; None where it is nothing known."""
    for kind, recognise in RECOGNISERS:
        if recognise(value):
            return kind
    return None


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


def is_chat(value: Any) -> bool:
    """A saved conversation, its head, or one of its messages."""
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
    ("chat", is_chat),
    ("regex-script", _is_regex_script),
    ("quick-replies", _is_quick_replies),
    ("theme", _is_theme),
    ("persona", _is_persona),
    ("world", _is_world),
    ("preset", _is_preset),
)
