"""What of a preset is silently without effect, or works in another way: said aloud (PRE-10, seed 7.2)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from formats.finding import Finding
from formats.messages import gettext_noop, ngettext_noop
from formats.notes import Sentence
from formats.preset.extensions import SETTINGS_PROMPT, Scripts
from formats.preset.fates import PromptLine
from formats.preset.macro_report import MacroReport
from formats.preset.model import EMPTY_MARKERS, PresetPackage, PresetPrompt
from formats.preset.telling import listed
from formats.text.ejs import ejs_tag_count

SENTENCES: Final = {
    "no-own-texts": Sentence(
        "warning",
        gettext_noop("The preset sends no text of its own, only the conversation, the persona, the world."),
    ),
    "regex-changes-prompt": Sentence(
        "warning",
        ngettext_noop(
            "{count} regex script that is on would change what the model reads; it is not run: {names}.",
            "{count} regex scripts that are on would change what the model reads; they are not run: {names}.",
        ),
    ),
    "regex-changes-display": Sentence(
        "info",
        ngettext_noop(
            "{count} regex script only changes what is shown; it is not run: {names}.",
            "{count} regex scripts only change what is shown; they are not run: {names}.",
        ),
    ),
    "regex-off": Sentence(
        "info",
        ngettext_noop("{count} regex script is switched off.", "{count} regex scripts are switched off."),
    ),
    "extension-scripts": Sentence(
        "warning",
        ngettext_noop(
            "{count} script of an extension is not run: {names}.",
            "{count} scripts of extensions are not run: {names}.",
        ),
        gettext_noop("Buttons, updates and anything else they do are not there."),
    ),
    "chat-squash": Sentence(
        "warning",
        gettext_noop("A plug-in would fold the chat into single messages (ChatSquash); that is not done."),
    ),
    "post-script": Sentence(
        "warning",
        gettext_noop("A plug-in's script would rewrite the folded chat; it is not run."),
    ),
    "inline-regex": Sentence(
        "warning",
        ngettext_noop(
            "{count} regex stands inside prompts; it is not run and is sent as text: {names}.",
            "{count} regexes stand inside prompts; they are not run and are sent as text: {names}.",
        ),
    ),
    "ejs": Sentence(
        "warning",
        ngettext_noop(
            "{count} piece of program code (EJS) in prompts is not run and is sent as text: {names}.",
            "{count} pieces of program code (EJS) in prompts are not run and are sent as text: {names}.",
        ),
    ),
    "settings-sent": Sentence(
        "warning",
        gettext_noop("The prompt {names} carries a plug-in's settings and would be sent as text."),
        gettext_noop("Switch it off."),
    ),
    "holes-empty": Sentence(
        "warning",
        ngettext_noop(
            "{count} place for parts of a card stays empty: {names}.",
            "{count} places for parts of a card stay empty: {names}.",
        ),
        gettext_noop("The world comes in by the places of the world book instead."),
    ),
    "macros-raw": Sentence(
        "warning",
        ngettext_noop(
            "A macro is sent as it is written: {names}.",
            "{count} different macros are sent as they are written: {names}.",
        ),
    ),
    "depth-prompts": Sentence(
        "info",
        ngettext_noop(
            "{count} prompt is inserted in the history: {names}.",
            "{count} prompts are inserted in the history: {names}.",
        ),
    ),
    "off-here-only": Sentence(
        "warning",
        ngettext_noop(
            "{count} prompt is on in SillyTavern and off here, being switched off itself: {names}.",
            "{count} prompts are on in SillyTavern and off here, being switched off themselves: {names}.",
        ),
        gettext_noop("Look through them, and switch on what is meant to be sent."),
    ),
    "forbid-overrides": Sentence(
        "info",
        ngettext_noop(
            "{count} prompt forbids that cards replace it; no card does that here.",
            "{count} prompts forbid that cards replace them; no card does that here.",
        ),
    ),
}

INLINE_REGEX: Final = re.compile(r"<regex(?:\s[^<>]{0,100})?>\s*\"/", re.IGNORECASE)


def void_in(
    package: PresetPackage, scripts: Scripts, macros: MacroReport, lines: Sequence[PromptLine]
) -> list[Finding]:
    """Every finding of this kind; `lines` are those of the report."""
    off_here_only = [line.name for line in lines if any(one.code == "tavern-sends" for one in line.tavern)]
    sent = package.enabled_prompts()
    texts = [prompt for prompt in sent if not prompt.is_hole]
    told = [
        *_without_texts(lines),
        *_counted("off-here-only", "prompt_order", off_here_only),
        *_counted("depth-prompts", "prompts", [_at_depth(one) for one in sent if one.in_history]),
        *_counted("holes-empty", "prompt_order", _empty_holes(sent)),
        *_counted("macros-raw", "prompts", ["{{" + line.name + "}}" for line in macros.raw]),
        *_in_texts(texts),
        *_of_scripts(scripts),
    ]
    forbidding = [prompt.name for prompt in sent if prompt.forbid_overrides]
    return [*told, *_counted("forbid-overrides", "prompts", forbidding)]


def _finding(code: str, where: str, **args: Any) -> Finding:
    sentence = SENTENCES[code]
    return Finding(sentence.severity, code, where, sentence.message, sentence.hint, args)


def _without_texts(lines: Sequence[PromptLine]) -> Iterator[Finding]:
    if not any(line.code in ("in-line", "in-history") for line in lines):
        yield _finding("no-own-texts", "prompts")


def _counted(code: str, where: str, names: Sequence[str], count: int = 0) -> Iterator[Finding]:
    if names:
        yield _finding(code, where, count=count or len(names), names=listed(list(names)))


def _at_depth(prompt: PresetPrompt) -> str:
    depth = prompt.injection.depth_used if prompt.injection else 0
    return f"{prompt.name} ({depth})"


def _empty_holes(sent: list[PresetPrompt]) -> list[str]:
    return [prompt.name for prompt in sent if prompt.is_hole and prompt.source_identifier in EMPTY_MARKERS]


def _in_texts(prompts: list[PresetPrompt]) -> Iterator[Finding]:
    inline: Counter[str] = Counter()
    ejs: Counter[str] = Counter()
    for prompt in prompts:
        inline[prompt.name] += len(INLINE_REGEX.findall(prompt.content))
        ejs[prompt.name] += ejs_tag_count(prompt.content)
    for code, counts in (("inline-regex", +inline), ("ejs", +ejs)):
        yield from _counted(code, "prompts", list(counts), counts.total())
    settings = [one.name for one in prompts if SETTINGS_PROMPT in (one.source_identifier, one.name)]
    yield from _counted("settings-sent", "prompts", settings)


def _of_scripts(scripts: Scripts) -> Iterator[Finding]:
    on = [script for script in scripts.regex if script.enabled]
    changing = [script.name or script.path for script in on if script.changes_prompt]
    showing = [script.name or script.path for script in on if not script.changes_prompt]
    off = [script.path for script in scripts.regex if not script.enabled]
    yield from _counted("regex-changes-prompt", "extensions.regex_scripts", changing)
    yield from _counted("regex-changes-display", "extensions.regex_scripts", showing)
    yield from _counted("regex-off", "extensions.regex_scripts", off)
    helpers = [script.name or script.path for script in scripts.extension]
    yield from _counted("extension-scripts", "extensions", helpers)
    if scripts.chat_squash:
        yield _finding("chat-squash", "extensions.SPreset.ChatSquash")
    if scripts.post_script:
        yield _finding("post-script", "extensions.SPreset.ChatSquash")
