"""What a preset's settings do in SillyTavern and not here, each as a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import NoneType
from typing import Any, Final

from formats.finding import Finding
from formats.messages import gettext_noop, ngettext_noop
from formats.notes import Sentence
from formats.preset.model import PresetPackage
from formats.preset.policies import SQUASH_FIELD
from formats.preset.unsupported import REASONS, SAMPLER, STOPS

SENTENCES: Final = {
    "squash-merge": Sentence(
        "info",
        gettext_noop("Neighbours of one role become one message, joined by an empty line."),
        gettext_noop("SillyTavern merges system messages only, and joins them by one line break."),
    ),
    "squash-missing": Sentence(
        "warning",
        gettext_noop("The preset does not say how messages are merged, so they are shaped strictly."),
        gettext_noop("SillyTavern would merge nothing. Choose none or merge in the preset for that."),
    ),
    "squash-ours": Sentence(
        "info",
        gettext_noop("The messages are shaped by {level}, which SillyTavern's own switch does not know."),
    ),
    "post-processing": Sentence(
        "warning",
        gettext_noop("SillyTavern's post-processing ({value}) is not done."),
        gettext_noop("The levels of merging here have similar names and other meanings."),
    ),
    "names": Sentence(
        "warning", gettext_noop("SillyTavern adds the speakers' names to messages; here they are not added.")
    ),
    "names-in-groups": Sentence(
        "info",
        gettext_noop("In group chats SillyTavern adds the speakers' names to messages; here it is not done."),
    ),
    "system-field": Sentence(
        "info",
        gettext_noop(
            "The first system messages go apart to services that want them so, as in SillyTavern; here "
            "always."
        ),
    ),
    "prefill": Sentence(
        "warning", gettext_noop("The beginning of the reply that the preset gives ({field}) is not sent.")
    ),
    "continuing": Sentence(
        "info", gettext_noop("How SillyTavern continues a reply ({field}) is not carried over.")
    ),
    "texts-not-carried": Sentence(
        "info",
        ngettext_noop(
            "A text that SillyTavern adds by itself is not sent: {names}.",
            "{count} texts that SillyTavern adds by itself are not sent: {names}.",
        ),
    ),
    "formats-not-carried": Sentence(
        "info",
        ngettext_noop(
            "A frame that SillyTavern puts around card or lorebook texts is not used: {names}.",
            "{count} frames that SillyTavern puts around card or lorebook texts are not used: {names}.",
        ),
    ),
    "effort": Sentence(
        "info",
        gettext_noop("How long the model thinks ({value}) is kept and not sent; its own setting applies."),
    ),
    "stops": Sentence("warning", gettext_noop("Texts at which the model stops are not sent ({field}).")),
    "samplers-not-sent": Sentence(
        "info",
        ngettext_noop(
            "A parameter is kept and not sent: {names}.", "{count} parameters are kept and not sent: {names}."
        ),
    ),
    "tags-kept": Sentence(
        "info",
        ngettext_noop(
            "{count} mark such as <user> stays as it is written.",
            "{count} marks such as <user> stay as they are written.",
        ),
        gettext_noop("SillyTavern puts a name in its place, also where it is a tag."),
    ),
}

UTILITY_TEXTS: Final = (
    "impersonation_prompt",
    "new_chat_prompt",
    "new_group_chat_prompt",
    "new_example_chat_prompt",
    "continue_nudge_prompt",
    "group_nudge_prompt",
    "send_if_empty",
    "human_sysprompt_message",
)
FRAMES: Final[Mapping[str, str]] = {
    "wi_format": "{0}",
    "scenario_format": "{{scenario}}",
    "personality_format": "{{personality}}",
}
"""The frames, and the value of each that adds nothing."""
PREFILLS: Final = ("assistant_prefill", "assistant_impersonation")
LINE_BREAK_POSTFIXES: Final = ("", " ")
NEUTRAL_SAMPLERS: Final = (0, 1, "", None)
NAME_MARKS: Final = re.compile(r"<(?:user|bot|char|group|charifnotgroup)>", re.IGNORECASE)


def settings_told(package: PresetPackage, body: Mapping[str, Any]) -> list[Finding]:
    """A finding for each setting in `body` whose effect in SillyTavern is not had here."""
    told = [*_squash(package), *_marks(package)]
    for tell in (_request, _prefills, _texts, _frames, _effort, _stops, _samplers):
        told += tell(body)
    return told


def _finding(code: str, where: str, **args: Any) -> Finding:
    sentence = SENTENCES[code]
    return Finding(sentence.severity, code, where, sentence.message, sentence.hint, args)


def _squash(package: PresetPackage) -> Iterator[Finding]:
    if package.message_policy is None:
        yield _finding("squash-missing", SQUASH_FIELD)
    elif package.squash == "merge":
        yield _finding("squash-merge", SQUASH_FIELD)
    elif package.squash != "none":
        yield _finding("squash-ours", SQUASH_FIELD, level=package.squash)


def _marks(package: PresetPackage) -> Iterator[Finding]:
    prompts = (prompt for prompt in package.enabled_prompts() if not prompt.is_hole)
    if count := sum(len(NAME_MARKS.findall(prompt.content)) for prompt in prompts):
        yield _finding("tags-kept", "prompts", count=count)


def _request(body: Mapping[str, Any]) -> Iterator[Finding]:
    if _filled(mode := body.get("custom_prompt_post_processing")):
        yield _finding("post-processing", "custom_prompt_post_processing", value=str(mode))
    names = body.get("names_behavior", 1 if body.get("names_in_completion") is True else None)
    if names in (1, 2):
        yield _finding("names", "names_behavior")
    elif names == 0:
        yield _finding("names-in-groups", "names_behavior")
    for field in ("use_sysprompt", "claude_use_sysprompt", "use_makersuite_sysprompt"):
        if body.get(field) is True:
            yield _finding("system-field", field)


def _prefills(body: Mapping[str, Any]) -> Iterator[Finding]:
    for field in PREFILLS:
        if _filled(body.get(field)):
            yield _finding("prefill", field, field=field)
    if body.get("continue_prefill") is True:
        yield _finding("continuing", "continue_prefill", field="continue_prefill")
    postfix = body.get("continue_postfix")
    if isinstance(postfix, str) and postfix not in LINE_BREAK_POSTFIXES:
        yield _finding("continuing", "continue_postfix", field="continue_postfix")


def _texts(body: Mapping[str, Any]) -> Iterator[Finding]:
    yield from _listed("texts-not-carried", [name for name in UTILITY_TEXTS if _filled(body.get(name))])


def _frames(body: Mapping[str, Any]) -> Iterator[Finding]:
    used = [
        name
        for name, nothing in FRAMES.items()
        if _filled(body.get(name)) and str(body[name]).strip() != nothing
    ]
    yield from _listed("formats-not-carried", used)


def _effort(body: Mapping[str, Any]) -> Iterator[Finding]:
    if _filled(effort := body.get("reasoning_effort")):
        yield _finding("effort", "reasoning_effort", value=str(effort))


def _stops(body: Mapping[str, Any]) -> Iterator[Finding]:
    for field in body:
        if REASONS.get(field) == STOPS and body[field] not in ("", [], None):
            yield _finding("stops", field, field=field)


def _samplers(body: Mapping[str, Any]) -> Iterator[Finding]:
    kept = [name for name in body if REASONS.get(name) == SAMPLER and not _is_neutral(body[name])]
    yield from _listed("samplers-not-sent", kept)


def _listed(code: str, names: list[str]) -> Iterator[Finding]:
    if names:
        yield _finding(code, names[0], count=len(names), names=", ".join(names))


def _is_neutral(value: Any) -> bool:
    return isinstance(value, int | float | str | NoneType) and value in NEUTRAL_SAMPLERS


def _filled(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())
