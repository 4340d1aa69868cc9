"""The words of a preset's report: a short name for each thing it tells, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop, pgettext_lazy

from formats.messages import ngettext_noop
from worlds.library.pages.frame import Word

HEADLINE: Final = ngettext_noop(
    "{sent} of {count} prompt will be sent as the author ordered.",
    "{sent} of {count} prompts will be sent as the author ordered.",
)
DIFFERENT: Final = ngettext_noop(
    "{count} thing works differently here.", "{count} things work differently here."
)
ALIKE: Final = gettext_noop("Nothing works differently here.")

FATES: Final[Mapping[str, str]] = {
    "in-line": ngettext_noop("{count} at its place in the order", "{count} at their places in the order"),
    "in-history": ngettext_noop("{count} inside the history", "{count} inside the history"),
    "persona-in-history": ngettext_noop(
        "{count} place for the persona inside the history",
        "{count} places for the persona inside the history",
    ),
    "filled-history": ngettext_noop(
        "{count} place for the conversation so far", "{count} places for the conversation so far"
    ),
    "filled-persona": ngettext_noop("{count} place for the persona", "{count} places for the persona"),
    "filled-hole": ngettext_noop(
        "{count} place for the world and the turn", "{count} places for the world and the turn"
    ),
    "off-in-order": ngettext_noop("{count} switched off in the order", "{count} switched off in the order"),
    "off-itself": ngettext_noop(
        "{count} on in the order, but switched off itself",
        "{count} on in the order, but switched off themselves",
    ),
    "not-in-order": ngettext_noop(
        "{count} that the order does not name", "{count} that the order does not name"
    ),
    "same-identifier": ngettext_noop(
        "{count} with the name of an earlier one", "{count} with the names of earlier ones"
    ),
    "never-filled": ngettext_noop(
        "{count} place for parts of a card or its lorebook",
        "{count} places for parts of a card or its lorebook",
    ),
    "no-text": ngettext_noop("{count} without text", "{count} without text"),
    "writes-only": ngettext_noop(
        "{count} that only sets variables or comments", "{count} that only set variables or comments"
    ),
    "tool-protocol": ngettext_noop(
        "{count} that asks for a tool in prose", "{count} that ask for a tool in prose"
    ),
}
"""How many prompts have which fate; in the order of the report."""

SHAPES: Final[Mapping[str, Word]] = {
    "chat-completion": _("Chat completion preset (SillyTavern)"),
    "manager": _("Export of the prompt manager (SillyTavern)"),
    "old-keys": _("Very old preset with fixed texts (SillyTavern)"),
    "native": _("Preset of this program"),
}
BECOMES: Final[Mapping[str, tuple[Word, str]]] = {
    "in-effect": (pgettext_lazy("part of a preset", "in effect"), "ok"),
    "changed": (pgettext_lazy("part of a preset", "changed"), "warn"),
    "kept": (pgettext_lazy("part of a preset", "kept only"), ""),
}
EFFECTS: Final[Mapping[str, str]] = {
    "text": ngettext_noop("{count} changes the stored text", "{count} change the stored text"),
    "sent": ngettext_noop("{count} changes what is sent", "{count} change what is sent"),
    "shown": ngettext_noop("{count} changes what is shown", "{count} change what is shown"),
    "both": ngettext_noop(
        "{count} changes what is sent and what is shown", "{count} change what is sent and what is shown"
    ),
}
"""What the regex scripts that are on would do."""

THINGS: Final[Mapping[str, Word]] = {
    "tavern-sends": _("Prompts switched off themselves"),
    "tavern-never-sends": _("Prompts SillyTavern does not know"),
    "tavern-never-places": _("Prompts for the history without a depth"),
    "tavern-fills": _("Places for parts of a card"),
    "tavern-lore": _("Places for lorebook entries"),
    "tavern-persona": _("The persona's place"),
    "tavern-after-turn": _("Prompts after the newest message"),
    "tavern-later": _("Depth in the history"),
    "tavern-order": _("Order in the history"),
    "tavern-joins": _("Joining in the history"),
    "tavern-roles": _("Roles at one depth"),
    "tavern-triggers": _("Prompts for certain requests only"),
    "tavern-card-replaces": _("Texts that a card may replace"),
    "tavern-role": _("Unknown roles"),
    "tavern-trim": _("Trimming inside a text"),
    "variables-unset": _("Variables read before they are set"),
    "macros-raw": _("Macros sent as written"),
    "regex-changes-prompt": _("Regex scripts for what is sent"),
    "regex-changes-display": _("Regex scripts for what is shown"),
    "extension-scripts": _("Scripts of extensions"),
    "chat-squash": _("Folding of the chat"),
    "post-script": _("A plug-in's script"),
    "inline-regex": _("Regexes inside prompts"),
    "ejs": _("Program code inside prompts"),
    "settings-sent": _("A plug-in's settings as a prompt"),
    "squash-merge": _("Merging of messages"),
    "squash-missing": _("Merging of messages"),
    "post-processing": _("Post-processing"),
    "names": _("Names of speakers"),
    "names-in-groups": _("Names of speakers in groups"),
    "prefill": _("The beginning of the reply"),
    "continuing": _("Continuing a reply"),
    "texts-not-carried": _("SillyTavern's own texts"),
    "formats-not-carried": _("Frames around card texts"),
    "effort": _("How long the model thinks"),
    "stops": _("Texts at which the model stops"),
    "samplers-not-sent": _("Parameters nobody takes here"),
    "tags-kept": _("Marks such as <user>"),
    "order-not-general": _("Which order counts"),
    "order-switch-missing": _("Places without a switch"),
    "history-added": _("The place of the chat history"),
}
"""A short name for each difference, by its code."""
