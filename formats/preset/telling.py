"""What reading a preset tells: one line for a kind of thing, with the places counted and the first named."""

from __future__ import annotations

from typing import Final

from formats.finding import Finding
from formats.messages import gettext_noop, ngettext_noop
from formats.notes import Sentence

SHOWN_NAMES: Final = 8
LONGEST_NAME: Final = 60

SENTENCES: Final = {
    "prompt-skipped": Sentence(
        "warning",
        ngettext_noop(
            "{count} item in the list of prompts is no prompt and was left out: {names}.",
            "{count} items in the list of prompts are no prompts and were left out: {names}.",
        ),
    ),
    "identifier-missing": Sentence(
        "warning",
        ngettext_noop(
            "{count} prompt has no identifier, so no order can name it: {names}.",
            "{count} prompts have no identifier, so no order can name them: {names}.",
        ),
    ),
    "identifier-repeated": Sentence(
        "warning",
        ngettext_noop(
            "{count} prompt has an identifier that an earlier one has, and is not sent: {names}.",
            "{count} prompts have identifiers that earlier ones have, and are not sent: {names}.",
        ),
        gettext_noop("The order means the first of them; the others are kept."),
    ),
    "role-missing": Sentence(
        "info",
        ngettext_noop(
            "{count} prompt names no role; it counts as system: {names}.",
            "{count} prompts name no role; they count as system: {names}.",
        ),
    ),
    "role-unknown": Sentence(
        "warning",
        ngettext_noop(
            "{count} prompt has a role that is none; it counts as system: {names}.",
            "{count} prompts have roles that are none; they count as system: {names}.",
        ),
    ),
    "role-read": Sentence(
        "info",
        ngettext_noop(
            "The role of {count} prompt is spelt in another way and was understood: {names}.",
            "The roles of {count} prompts are spelt in another way and were understood: {names}.",
        ),
    ),
    "switch-unreadable": Sentence(
        "warning",
        ngettext_noop(
            "The switch of {count} prompt is neither on nor off; it counts as on: {names}.",
            "The switches of {count} prompts are neither on nor off; they count as on: {names}.",
        ),
    ),
    "content-unusable": Sentence(
        "warning",
        ngettext_noop(
            "The text of {count} prompt is no text and was left out: {names}.",
            "The texts of {count} prompts are no texts and were left out: {names}.",
        ),
    ),
    "number-unusable": Sentence(
        "warning",
        ngettext_noop(
            "A place, depth or order is no number and was left out: {names}.",
            "{count} places, depths or orders are no numbers and were left out: {names}.",
        ),
    ),
    "parameter-unusable": Sentence(
        "warning",
        ngettext_noop(
            "A parameter has a value that it cannot have and was left out: {names}.",
            "{count} parameters have values that they cannot have and were left out: {names}.",
        ),
    ),
    "runtime-names": Sentence(
        "warning",
        gettext_noop("Parameters have the names of SillyTavern's settings and were understood: {names}."),
        gettext_noop("The file seems to be cut out of a settings file; look whether all of it is there."),
    ),
    "old-texts": Sentence(
        "info",
        gettext_noop("Texts in fields of very old presets became prompts: {names}."),
    ),
    "squash-unreadable": Sentence(
        "warning",
        gettext_noop("How messages are merged is said by a value that means nothing: {names}."),
        gettext_noop("It counts as missing, so the messages are shaped strictly."),
    ),
    "order-missing": Sentence(
        "warning",
        gettext_noop("The preset has no order of its prompts; SillyTavern's own default order was taken."),
        gettext_noop("Prompts that the default order does not name are not sent."),
    ),
    "order-unusable": Sentence(
        "warning",
        ngettext_noop(
            "{count} place in the order cannot be read and was left out: {names}.",
            "{count} places in the order cannot be read and were left out: {names}.",
        ),
    ),
    "order-switch-missing": Sentence(
        "info",
        ngettext_noop(
            "{count} place in the order has no switch; it counts as on: {names}.",
            "{count} places in the order have no switch; they count as on: {names}.",
        ),
        gettext_noop("SillyTavern takes such a place as off."),
    ),
    "order-dangling": Sentence(
        "warning",
        ngettext_noop(
            "The order names {count} prompt that is not in the file: {names}.",
            "The order names {count} prompts that are not in the file: {names}.",
        ),
        gettext_noop("Nothing is sent for it; the other prompts are in their order."),
    ),
    "order-repeated": Sentence(
        "warning",
        ngettext_noop(
            "The order names {count} prompt more than once; the first place counts: {names}.",
            "The order names {count} prompts more than once; the first place counts: {names}.",
        ),
    ),
    "order-not-general": Sentence(
        "warning",
        gettext_noop("The order for all characters (100001) is missing; {names} was taken."),
        gettext_noop("It has the most prompts on. SillyTavern would take its own default order."),
    ),
    "core-missing": Sentence(
        "warning",
        ngettext_noop(
            "The order lacks a place that presets usually have: {names}.",
            "The order lacks {count} places that presets usually have: {names}.",
        ),
        gettext_noop("If that is not meant, the frame of the preset is incomplete."),
    ),
    "history-added": Sentence(
        "warning",
        gettext_noop("The order has no place for the chat history; it was put after all other prompts."),
        gettext_noop("SillyTavern would send no history at all."),
    ),
    "history-off": Sentence(
        "warning",
        gettext_noop("The chat history is switched off: nothing of the conversation so far is sent."),
    ),
    "holes-completed": Sentence(
        "warning",
        gettext_noop("The order has some places for the world and the turn, but not all; added: {names}."),
    ),
    "position-odd": Sentence(
        "info",
        ngettext_noop(
            "{count} prompt has an unknown position and stays in line: {names}.",
            "{count} prompts have unknown positions and stay in line: {names}.",
        ),
    ),
    "depth-missing": Sentence(
        "warning",
        ngettext_noop(
            "{count} prompt for the history names no depth and is placed at depth {depth}: {names}.",
            "{count} prompts for the history name no depth and are placed at depth {depth}: {names}.",
        ),
        gettext_noop("SillyTavern would never place it."),
    ),
    "secrets-removed": Sentence(
        "warning",
        ngettext_noop(
            "{count} private value was taken out of the preset: {names}.",
            "{count} private values were taken out of the preset: {names}.",
        ),
        gettext_noop(
            "Addresses, passwords and keys do not belong in a preset. If they are yours, change them: "
            "whoever has the file has them, too."
        ),
    ),
}


class Tally:
    """Collects what is to be told by code; the order is that in which the codes first came up."""

    def __init__(self) -> None:
        self._places: dict[str, list[str]] = {}
        self._named: dict[str, dict[str, None]] = {}
        self._counts: dict[str, int] = {}
        self._args: dict[str, dict[str, object]] = {}

    def add(self, code: str, where: str, named: str = "", **args: object) -> None:
        """One thing at the path `where`, called `named` in the sentence (else by its path)."""
        self._places.setdefault(code, []).append(where)
        self._counts[code] = self._counts.get(code, 0) + 1
        self._named.setdefault(code, {})[_shortened(named or where)] = None
        self._args.setdefault(code, {}).update(args)

    def findings(self) -> list[Finding]:
        """One finding for each code."""
        return [self._finding(code) for code in self._places]

    def _finding(self, code: str) -> Finding:
        sentence = SENTENCES[code]
        args = {"count": self._counts[code], "names": listed(self._named[code]), **self._args[code]}
        where = self._places[code][0]
        return Finding(sentence.severity, code, where, sentence.message, sentence.hint, args)


def listed(names: dict[str, None] | list[str]) -> str:
    """Names in a sentence: the first ones, and a mark where there are more."""
    shown = list(names)[:SHOWN_NAMES]
    return ", ".join(shown) + (" …" if len(names) > SHOWN_NAMES else "")


def _shortened(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME] + "…"
