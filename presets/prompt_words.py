"""The words for what the editor and the parameters of a preset show: roles, fates, levels, endpoints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from formats.preset.model import ROLES, SQUASHES, TOOL_MODES
from formats.preset.parameters import EndpointKind
from worlds.library.pages.frame import Word

ROLE_WORDS: Final[Mapping[str, Word]] = {
    "system": pgettext_lazy("role of a message", "System"),
    "user": pgettext_lazy("role of a message", "User"),
    "assistant": pgettext_lazy("role of a message", "Assistant"),
}
TAGS: Final[Mapping[str, tuple[Word, str]]] = {
    "filled-history": (pgettext_lazy("prompt", "place"), "info"),
    "filled-persona": (pgettext_lazy("prompt", "place"), "info"),
    "filled-hole": (pgettext_lazy("prompt", "place"), "info"),
    "persona-in-history": (pgettext_lazy("prompt", "place"), "info"),
    "never-filled": (pgettext_lazy("prompt", "stays empty"), "warn"),
    "off-itself": (pgettext_lazy("prompt", "off in itself"), "warn"),
    "same-identifier": (pgettext_lazy("prompt", "same name as another"), "warn"),
    "no-text": (pgettext_lazy("prompt", "no text"), ""),
    "writes-only": (pgettext_lazy("prompt", "sets variables"), ""),
    "tool-protocol": (pgettext_lazy("prompt", "asks for a tool: left out"), "warn"),
}
"""What a row says beside its switch: word and colour. What is simply sent, or off, says nothing more."""

LEVELS: Final[Mapping[str, tuple[Word, Word]]] = {
    "none": (
        pgettext_lazy("merging of messages", "None"),
        _("Every prompt is a message of its own."),
    ),
    "merge": (
        pgettext_lazy("merging of messages", "Merge"),
        _("Neighbours of one role become one message."),
    ),
    "semi": (
        pgettext_lazy("merging of messages", "Semi"),
        _(
            "Also, system text joins its neighbour, so that user and assistant take turns. Prompts inside "
            "the history keep their role."
        ),
    ),
    "strict": (
        pgettext_lazy("merging of messages", "Strict"),
        _(
            "Also, the first message is the user's: for models that take nothing else. Prompts inside the "
            "history that are system still are; give them another role where a model refuses that."
        ),
    ),
    "single-user-turn": (
        pgettext_lazy("merging of messages", "One message"),
        _("Everything but the conversation becomes one message of the user."),
    ),
}
TOOL_WAYS: Final[Mapping[str, tuple[Word, Word]]] = {
    "adapt": (
        pgettext_lazy("tools of a preset", "Adapt"),
        _("Tools that the preset asks for are mapped onto those of this program."),
    ),
    "app": (
        pgettext_lazy("tools of a preset", "Ours only"),
        _("Only this program's tools; prompts that ask for others in prose are left out."),
    ),
    "preset": (
        pgettext_lazy("tools of a preset", "The preset's only"),
        _("Only the tool that the preset declares: for plain conversations."),
    ),
}
ENDPOINTS: Final[Mapping[EndpointKind, str]] = {
    "openai": "OpenAI",
    "openai-compatible": "OpenAI-compatible",
    "anthropic": "Anthropic",
    "google": "Google",
}
PARAMETER_WORDS: Final[Mapping[str, tuple[Any, Any]]] = {
    "temperature": (_("Temperature"), _("How freely words are chosen. 0 to 2; many presets use about 1.")),
    "top_p": (_("Top P"), _("Only the likeliest words that make up this share. 0 to 1.")),
    "top_k": (_("Top K"), _("Only so many of the likeliest words. 0: not set.")),
    "min_p": (_("Min P"), _("Only words at least this likely beside the likeliest. 0: not set.")),
    "frequency_penalty": (_("Frequency penalty"), _("Against saying the same word often. −2 to 2.")),
    "presence_penalty": (_("Presence penalty"), _("Against saying a word again at all. −2 to 2.")),
    "repetition_penalty": (_("Repetition penalty"), _("Against repeating. 1: not set.")),
    "max_context_tokens": (
        _("Longest context"),
        _("In tokens. The history is cut to it here; it is not sent."),
    ),
    "max_output_tokens": (_("Longest answer"), _("In tokens.")),
    "stream": (_("Streaming"), _("Whether the answer arrives word by word.")),
    "verbosity": (_("Verbosity"), _("low, medium, high; auto: not set.")),
    "seed": (_("Seed"), _("The same number, the same chance. −1: not set.")),
    "variants": (_("Answers at once"), _("Kept and not sent here: one answer is asked for at a time.")),
    "reasoning_effort": (_("Reasoning effort"), _("Kept and never sent; the model's own setting applies.")),
}
SETTING_WORDS: Final[Mapping[str, Any]] = {
    **{name: label for name, (label, _help) in PARAMETER_WORDS.items()},
    "squash": _("Merging of messages"),
    "tool_mode": _("Tools"),
}
FIELD_WORDS: Final[Mapping[str, Any]] = {
    "name": _("Name"),
    "role": _("Role"),
    "content": _("Text"),
    "in_history": pgettext_lazy("of a prompt", "Place"),
    "depth": _("Depth"),
    "order": pgettext_lazy("of a prompt in the history", "Order"),
}

assert set(ROLE_WORDS) == set(ROLES)
assert set(LEVELS) == set(SQUASHES)
assert set(TOOL_WAYS) == set(TOOL_MODES)
