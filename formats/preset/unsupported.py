"""Every part of a file that has no effect here, by its path, each with a reason (PRE-14).

What a field does in SillyTavern decides the reason. A field that is in no table is kept as unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from formats.messages import gettext_noop
from formats.preset.extensions import unsupported_extensions
from formats.preset.generation import FILE_NAMES, RUNTIME_NAMES
from formats.preset.kinds import OLD_TEXTS
from formats.preset.model import Unsupported
from formats.preset.order import FileOrder
from formats.preset.policies import SQUASH_FIELD, TOOL_FIELDS
from formats.preset.prompts import PROMPT_FIELDS

CONNECTION: Final = gettext_noop("Belongs to the connection; which model is asked is chosen elsewhere.")
INTERFACE: Final = gettext_noop("Only affects what SillyTavern's pages look like.")
SAMPLER: Final = gettext_noop("A parameter that is kept and not sent.")
BEHAVIOUR: Final = gettext_noop("Changes how SillyTavern builds a request; it is not carried over.")
UTILITY: Final = gettext_noop("A text that SillyTavern adds by itself; it is not carried over.")
MEDIA: Final = gettext_noop("Asks for pictures, sounds, searches or tools; it is not carried over.")
EFFORT: Final = gettext_noop("How long a model thinks is kept and not sent: its own setting applies.")
STOPS: Final = gettext_noop("Texts at which a model stops; they are not carried over.")
LEGACY: Final = gettext_noop("A field of older versions, which nothing reads any more.")
UNKNOWN: Final = gettext_noop("An unknown field; it is kept as it is.")
OTHER_ORDER: Final = gettext_noop("Another order than the one that was chosen.")
WRAPPER: Final = gettext_noop("Says what kind of file it is; it has no effect.")

READ: Final = frozenset(
    {"prompts", "prompt_order", "extensions", "name", "preset_name", SQUASH_FIELD, *TOOL_FIELDS, *OLD_TEXTS}
    | set(FILE_NAMES.values())
    | set(RUNTIME_NAMES.values())
) - {"reasoning_effort"}

REASONS: Final[Mapping[str, str]] = {
    name: reason
    for reason, names in (
        (
            CONNECTION,
            "chat_completion_source bypass_status_check show_external_models reverse_proxy proxy_password "
            "custom_url custom_include_body custom_exclude_body custom_include_headers vertexai_auth_mode "
            "vertexai_region vertexai_express_project_id azure_base_url azure_deployment_name "
            "azure_api_version workers_ai_account_id openrouter_use_fallback openrouter_providers "
            "openrouter_allow_fallbacks openrouter_middleout openrouter_force_instruct "
            "openrouter_quantizations zai_endpoint siliconflow_endpoint minimax_endpoint api_url_scale "
            "use_alt_scale custom_model_id",
        ),
        (
            INTERFACE,
            "bias_preset_selected max_context_unlocked sort_models group_models openrouter_sort_models "
            "openrouter_group_models nemo_merge_note show_thoughts",
        ),
        (SAMPLER, "top_a typical_p tfs logit_bias min_tokens repetition_penalty_range dynatemp_range"),
        (
            BEHAVIOUR,
            "names_behavior custom_prompt_post_processing use_sysprompt claude_use_sysprompt "
            "use_makersuite_sysprompt assistant_prefill assistant_impersonation continue_prefill "
            "continue_postfix pin_examples names_in_completion jailbreak_system",
        ),
        (
            UTILITY,
            "impersonation_prompt new_chat_prompt new_group_chat_prompt new_example_chat_prompt "
            "continue_nudge_prompt group_nudge_prompt wi_format scenario_format personality_format "
            "send_if_empty human_sysprompt_message",
        ),
        (
            MEDIA,
            "function_calling tool_call_recurse_limit tool_reasoning_mode enable_web_search request_images "
            "request_image_aspect_ratio request_image_resolution media_inlining inline_image_quality "
            "image_inlining video_inlining audio_inlining websearch_cohere",
        ),
        (EFFORT, "reasoning_effort"),
        (STOPS, "stop stop_sequence stop_sequences stop_strings stopping_strings custom_stopping_strings"),
        (LEGACY, "wrap_in_quotes genamt max_length"),
    )
    for name in names.split()
}
EMPTY_MEANS_NONE: Final = frozenset({UTILITY, STOPS})
"""Of these a field without a text does nothing in SillyTavern either."""


def unsupported_in(
    raw: Mapping[str, Any], body: Mapping[str, Any], path: str, chosen: FileOrder | None
) -> Iterator[Unsupported]:
    """Everything in the file that has no effect; `body` at `path` is the part with prompts and order."""
    if body is not raw:
        yield from (Unsupported(name, WRAPPER) for name in raw if name != "data")
    for name, value in body.items():
        if name not in READ and not (_reason(name) in EMPTY_MEANS_NONE and value in ("", [], None)):
            yield Unsupported(f"{path}{name}", _reason(name))
    yield from unsupported_extensions(body, path)
    yield from _in_prompts(body.get("prompts"), f"{path}prompts")
    yield from _in_orders(body.get("prompt_order"), f"{path}prompt_order", chosen)


def _reason(name: str) -> str:
    if name in REASONS:
        return REASONS[name]
    return CONNECTION if name.endswith("_model") else UNKNOWN


def _in_prompts(prompts: Any, path: str) -> Iterator[Unsupported]:
    """Unknown fields of prompts that hold something."""
    for index, prompt in enumerate(prompts if isinstance(prompts, list) else ()):
        if isinstance(prompt, Mapping):
            for name, value in prompt.items():
                if name not in PROMPT_FIELDS and value not in ("", [], {}, None):
                    yield Unsupported(f"{path}[{index}].{name}", UNKNOWN)


def _in_orders(orders: Any, path: str, chosen: FileOrder | None) -> Iterator[Unsupported]:
    for index, order in enumerate(orders if isinstance(orders, list) else ()):
        if not isinstance(order, Mapping) or not isinstance(order.get("order"), list):
            continue
        if chosen is None or chosen.path != f"{path}[{index}].order":
            yield Unsupported(f"{path}[{index}]", OTHER_ORDER)
        for name in order:
            if name not in ("character_id", "order"):
                yield Unsupported(f"{path}[{index}].{name}", UNKNOWN)
