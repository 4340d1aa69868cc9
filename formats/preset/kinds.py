"""What a JSON value is, told by its content: a preset in one of its shapes, or something else by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from formats.kinds import kind_of_value
from formats.lorebook import detect_format

Shape = Literal["chat-completion", "manager", "old-keys", "native"]

OLD_TEXTS: Final = {"main_prompt": "main", "nsfw_prompt": "nsfw", "jailbreak_prompt": "jailbreak"}
"""Texts of very old presets, and the prompts they became."""

INSTRUCT_MARKS: Final = ("input_sequence", "output_sequence")
CONTEXT_MARKS: Final = ("story_string",)
SAMPLER_MARKS: Final = frozenset(
    {"temp", "temperature_last", "rep_pen", "rep_pen_range", "typical_p", "typical", "tfs", "mirostat_mode"}
    | {"sampler_order", "genamt", "max_length", "dynatemp", "smoothing_factor", "xtc_threshold", "dry_base"}
    | {"min_p", "top_a", "top_k", "top_p", "sampler_priority", "samplers", "penalty_alpha", "cfg_scale"}
)
MARKS_OF_SAMPLERS: Final = 3
CHAT_MARKS: Final = frozenset(
    {"openai_max_context", "openai_max_tokens", "chat_completion_source", "names_behavior", "stream_openai"}
    | {"impersonation_prompt", "new_chat_prompt", "squash_system_messages", "wi_format", "assistant_prefill"}
)
"""Fields that only a chat-completion preset has: one without prompts is a preset all the same."""
MARKS_OF_CHAT: Final = 2
SETTINGS_MARKS: Final = ("oai_settings", "power_user", "textgenerationwebui_settings", "extension_settings")
RUNTIME_NAMES: Final = ("temp_openai", "freq_pen_openai", "pres_pen_openai", "top_p_openai")
"""Parameters as SillyTavern names them while it runs: settings that were pasted as a preset."""
MASTER_PARTS: Final = frozenset({"instruct", "context", "sysprompt", "preset", "reasoning"})
CARD_TEXTS: Final = frozenset(
    {"first_mes", "description", "personality", "scenario", "mes_example", "char_greeting"}
)
MARKS_OF_A_CARD: Final = 2


def shape_of(value: Any) -> Shape | None:
    """The shape of a preset; None where the value is none."""
    if not isinstance(value, Mapping):
        return None
    recognised = (shape for shape, recognise in SHAPES if recognise(value))
    return next(recognised, None)


def body_of(raw: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """The part of a file that has SillyTavern's fields: a prompt manager's export wraps it, ours has none."""
    if raw is None or _is_native(raw):
        return {}
    data = raw.get("data")
    return data if isinstance(data, Mapping) and _is_manager(raw) else raw


def _is_native(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get("prompts"), list) and isinstance(value.get("promptOrder"), list)


def _is_manager(value: Mapping[str, Any]) -> bool:
    data = value.get("data")
    return isinstance(data, Mapping) and isinstance(data.get("prompts"), list) and "prompts" not in value


def _has_old_texts(value: Mapping[str, Any]) -> bool:
    return any(isinstance(value.get(name), str) for name in OLD_TEXTS) and not is_settings(value)


def _is_chat_preset(value: Mapping[str, Any]) -> bool:
    if is_settings(value) or _is_master(value):
        return False
    prompts = value.get("prompts")
    if isinstance(prompts, list) and _looks_like_prompts(value, prompts):
        return True
    if isinstance(value.get("prompt_order"), list):
        return True
    return not _has_old_texts(value) and len(CHAT_MARKS & value.keys()) >= MARKS_OF_CHAT


def _looks_like_prompts(value: Mapping[str, Any], prompts: list[Any]) -> bool:
    if any(isinstance(item, Mapping) and ("identifier" in item or "content" in item) for item in prompts):
        return True
    return "prompt_order" in value or bool(CHAT_MARKS & value.keys())


def is_settings(value: Mapping[str, Any]) -> bool:
    """Whether the value is a whole settings file, or a part of one without prompts."""
    if any(isinstance(value.get(name), Mapping) for name in SETTINGS_MARKS):
        return True
    return any(name in value for name in RUNTIME_NAMES) and not isinstance(value.get("prompts"), list)


def kind_of_other(value: Any) -> str | None:
    """What a value that is no preset is: a key of `refusals.OTHER_KINDS`; None where it is nothing known."""
    if isinstance(value, Mapping):
        if _is_card(value):
            return "card"
        if is_settings(value):
            return "settings"
        if kind := _text_completion_kind(value):
            return kind
    kind = kind_of_value(value)
    if kind == "preset":
        return "text-completion"
    if kind is None and detect_format(value) is not None:
        return "lorebook"
    return kind


def _text_completion_kind(value: Mapping[str, Any]) -> str | None:
    return next((kind for kind, recognise in TEMPLATES if recognise(value)), None)


def _is_system_prompt(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get("content"), str) and value.keys() <= {"name", "content", "post_history"}


def _is_master(value: Mapping[str, Any]) -> bool:
    """SillyTavern's export of several templates: each is an object under its own name."""
    parts = [name for name in MASTER_PARTS if isinstance(value.get(name), Mapping)]
    return bool(parts) and value.keys() <= MASTER_PARTS | {"name", "srw"}


def _is_card(value: Mapping[str, Any]) -> bool:
    if str(value.get("spec", "")).startswith("chara_card"):
        return True
    data = value.get("data")
    names = value.keys() | (data.keys() if isinstance(data, Mapping) else set())
    return len(names & CARD_TEXTS) >= MARKS_OF_A_CARD


SHAPES: Final[tuple[tuple[Shape, Callable[[Mapping[str, Any]], bool]], ...]] = (
    ("native", _is_native),
    ("manager", _is_manager),
    ("chat-completion", _is_chat_preset),
    ("old-keys", _has_old_texts),
)
TEMPLATES: Final[tuple[tuple[str, Callable[[Mapping[str, Any]], bool]], ...]] = (
    ("master", _is_master),
    ("instruct", lambda value: any(name in value for name in INSTRUCT_MARKS)),
    ("context", lambda value: any(name in value for name in CONTEXT_MARKS)),
    ("reasoning", lambda value: {"prefix", "suffix", "separator"} <= value.keys()),
    ("text-completion", lambda value: len(SAMPLER_MARKS & value.keys()) >= MARKS_OF_SAMPLERS),
    ("system-prompt", _is_system_prompt),
)
