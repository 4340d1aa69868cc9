"""What SillyTavern would do otherwise with one prompt, as sentences; there is no second engine."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

from formats.finding import Finding
from formats.messages import gettext_noop
from formats.notes import Sentence
from formats.preset.kinds import body_of
from formats.preset.model import (
    EMPTY_MARKERS,
    HOLES,
    PERSONA,
    ROLES,
    Number,
    OrderItem,
    PresetPackage,
    PresetPrompt,
    Role,
)

BUILT_IN: Final = frozenset({"main", "nsfw", "jailbreak", "enhanceDefinitions"} | HOLES)
"""Prompts that SillyTavern knows by name and sends whatever their `system_prompt` says."""
CARD_MAY_REPLACE: Final = frozenset({"main", "jailbreak"})
TAVERN_ORDER: Final = 100
"""SillyTavern's rank of a prompt in the history that names none; here it is 0."""
INNER_TRIM: Final = re.compile(r"\S\s*\{\{\s*trim\s*\}\}\s*\S", re.IGNORECASE)

SENTENCES: Final = {
    "tavern-sends": Sentence(
        "warning",
        gettext_noop("SillyTavern sends it: there only the switch in the order counts."),
        gettext_noop("Switch the prompt on if it is meant to be sent."),
    ),
    "tavern-never-sends": Sentence(
        "warning",
        gettext_noop("SillyTavern never sends it: it is marked as built in, and its name is unknown there."),
    ),
    "tavern-fills": Sentence(
        "info",
        gettext_noop("SillyTavern fills it from the character's card; here it stays empty."),
        gettext_noop("The world comes in by the places of the world book instead."),
    ),
    "tavern-lore": Sentence(
        "info",
        gettext_noop(
            "SillyTavern fills it with lorebook entries; here they come in at the world book's place."
        ),
    ),
    "tavern-persona": Sentence(
        "info",
        gettext_noop("SillyTavern fills it only where the persona's own setting says so."),
    ),
    "tavern-after-turn": Sentence(
        "info",
        gettext_noop("SillyTavern puts it after the player's new message; here it stands before that."),
    ),
    "tavern-later": Sentence(
        "info",
        gettext_noop(
            "SillyTavern counts the player's new message as history, so there it stands one message later."
        ),
    ),
    "tavern-never-places": Sentence(
        "warning", gettext_noop("SillyTavern never sends it: it is for the history and names no depth.")
    ),
    "tavern-order": Sentence(
        "info",
        gettext_noop(
            "It names no order: SillyTavern takes 100, here it is 0, and others at its depth do name one."
        ),
    ),
    "tavern-joins": Sentence(
        "info",
        gettext_noop(
            "SillyTavern joins it with the others of the same depth, order and role into one message."
        ),
    ),
    "tavern-roles": Sentence(
        "info",
        gettext_noop(
            "At one depth and order SillyTavern puts assistant, user, system; here the list's order stays."
        ),
    ),
    "tavern-triggers": Sentence(
        "warning",
        gettext_noop("SillyTavern sends it only for certain kinds of requests ({triggers}); here always."),
    ),
    "tavern-card-replaces": Sentence(
        "info", gettext_noop("In SillyTavern a card can put its own text in its place; here it never does.")
    ),
    "tavern-role": Sentence("info", gettext_noop("SillyTavern passes its unknown role on to the model.")),
    "tavern-trim": Sentence(
        "info",
        gettext_noop(
            "Its trim macro stands inside the text: SillyTavern removes the line breaks beside it; here the "
            "ends of the whole prompt are trimmed."
        ),
    ),
}

Slot = tuple[int, Number]


class Departures:
    """The sentences for each prompt of a package; made once, since some compare prompts with each other."""

    def __init__(self, package: PresetPackage) -> None:
        self._raw_prompts = _raw_prompts(package)
        inserted = [prompt for prompt in package.enabled_prompts() if prompt.in_history]
        self._sharing = Counter((*_tavern_slot(prompt), prompt.role) for prompt in inserted)
        self._roles: dict[Slot, set[Role]] = defaultdict(set)
        self._ordered_depths: set[int] = set()
        for prompt in inserted:
            self._roles[_tavern_slot(prompt)].add(prompt.role)
            if prompt.injection and prompt.injection.order is not None:
                self._ordered_depths.add(prompt.injection.depth_used)

    def of(
        self, prompt: PresetPrompt, item: OrderItem | None, *, sent: bool, where: str
    ) -> Iterator[Finding]:
        """What SillyTavern would do otherwise with a prompt."""
        if item is None or not item.enabled:
            return
        for code in self._codes(prompt, sent=sent):
            sentence = SENTENCES[code]
            args = {"triggers": ", ".join(prompt.triggers)} if code == "tavern-triggers" else {}
            yield Finding(sentence.severity, code, where, sentence.message, sentence.hint, args)

    def _codes(self, prompt: PresetPrompt, *, sent: bool) -> Iterator[str]:
        if prompt.is_our_hole:
            return
        silent = _never_sent_there(prompt)
        if not prompt.enabled and not silent and _has_something(prompt):
            yield "tavern-sends"
        if prompt.is_hole:
            yield from _of_hole(prompt)
            return
        if not sent:
            return
        if silent:
            yield "tavern-never-places" if prompt.in_history else "tavern-never-sends"
        elif prompt.in_history:
            yield from self._of_insertion(prompt)
        if prompt.triggers:
            yield "tavern-triggers"
        if prompt.source_identifier in CARD_MAY_REPLACE and not prompt.forbid_overrides:
            yield "tavern-card-replaces"
        if self._has_foreign_role(prompt):
            yield "tavern-role"
        if INNER_TRIM.search(prompt.content):
            yield "tavern-trim"

    def _of_insertion(self, prompt: PresetPrompt) -> Iterator[str]:
        depth, order = _tavern_slot(prompt)
        yield "tavern-later" if depth else "tavern-after-turn"
        if prompt.injection and prompt.injection.order is None and depth in self._ordered_depths:
            yield "tavern-order"
        if self._sharing[(depth, order, prompt.role)] > 1:
            yield "tavern-joins"
        if len(self._roles[(depth, order)]) > 1:
            yield "tavern-roles"

    def _has_foreign_role(self, prompt: PresetPrompt) -> bool:
        raw = self._raw_prompts.get(prompt.raw_index) if prompt.raw_index is not None else None
        role = raw.get("role") if isinstance(raw, Mapping) else None
        return isinstance(role, str) and bool(role.strip()) and role not in ROLES


def _has_something(prompt: PresetPrompt) -> bool:
    """Whether anything of it would reach a model: what SillyTavern fills from a card is told on its own."""
    if prompt.is_hole:
        return prompt.source_identifier not in EMPTY_MARKERS
    return bool(prompt.content.strip())


def _of_hole(prompt: PresetPrompt) -> Iterator[str]:
    if prompt.source_identifier == PERSONA:
        yield "tavern-persona"
    elif prompt.source_identifier.startswith("worldInfo"):
        yield "tavern-lore"
    elif prompt.source_identifier in EMPTY_MARKERS:
        yield "tavern-fills"


def _never_sent_there(prompt: PresetPrompt) -> bool:
    """SillyTavern sends a prompt in line only if it knows its name or it is marked as not built in; one for
    the history only at a depth it names."""
    if prompt.in_history:
        return prompt.injection is not None and prompt.injection.depth is None
    return prompt.source_identifier not in BUILT_IN and prompt.system_prompt is not False


def _tavern_slot(prompt: PresetPrompt) -> Slot:
    place = prompt.injection
    if place is None:
        return 0, TAVERN_ORDER
    return place.depth_used, TAVERN_ORDER if place.order is None else place.order


def _raw_prompts(package: PresetPackage) -> Mapping[int, Any]:
    items = body_of(package.raw).get("prompts")
    return dict(enumerate(items)) if isinstance(items, list) else {}
