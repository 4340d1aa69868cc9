"""Prompt by prompt: sent, sent elsewhere or not sent, and why; and what SillyTavern would do instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from formats.finding import Finding
from formats.messages import gettext_noop
from formats.preset.departures import Departures
from formats.preset.macro_report import sends_nothing
from formats.preset.model import HISTORY, PERSONA, OrderItem, PresetPackage, PresetPrompt
from formats.preset.tool_protocol import is_tool_protocol

Fate = Literal["sent", "sent-elsewhere", "not-sent"]

FATES: Final[Mapping[str, tuple[Fate, str]]] = {
    "in-line": ("sent", gettext_noop("Sent at its place in the order.")),
    "filled-history": ("sent", gettext_noop("Here the conversation so far is put in.")),
    "filled-persona": ("sent", gettext_noop("Here the description of the persona is put in.")),
    "filled-hole": ("sent", gettext_noop("Here the world and the turn are put in.")),
    "in-history": (
        "sent-elsewhere",
        gettext_noop("Sent inside the history, with {depth} of its messages after it."),
    ),
    "persona-in-history": (
        "sent-elsewhere",
        gettext_noop("The persona's description is put into the history, {depth} messages from its end."),
    ),
    "off-in-order": ("not-sent", gettext_noop("Switched off in the order.")),
    "off-itself": ("not-sent", gettext_noop("On in the order, but the prompt itself is switched off.")),
    "not-in-order": ("not-sent", gettext_noop("The order does not name it.")),
    "same-identifier": (
        "not-sent",
        gettext_noop("An earlier prompt has the same identifier, and the order means that one."),
    ),
    "never-filled": ("not-sent", gettext_noop("A place for parts of a card, which stays empty here.")),
    "no-text": ("not-sent", gettext_noop("It has no text.")),
    "writes-only": (
        "not-sent",
        gettext_noop("Nothing is left of it once its macros have run: it only sets variables or comments."),
    ),
    "tool-protocol": (
        "not-sent",
        gettext_noop("It asks for a tool call in prose, and only this program's own tools are used."),
    ),
}
"""The closed list of reasons."""


@dataclass(frozen=True, slots=True)
class PromptLine:
    """One prompt of the report: `code` is a key of `FATES`, `said` its sentence; `tavern` tells each thing
    that SillyTavern does otherwise with it. `added`: it is a place that reading put in, not the author's."""

    id: str
    name: str
    fate: Fate
    code: str
    said: Finding
    tavern: tuple[Finding, ...] = ()
    added: bool = False

    def to_json(self) -> dict[str, Any]:
        """For the report."""
        return {
            "id": self.id,
            "name": self.name,
            "fate": self.fate,
            "code": self.code,
            "said": self.said.to_json(),
            "tavern": [one.to_json() for one in self.tavern],
            "added": self.added,
        }


def prompt_lines(package: PresetPackage) -> list[PromptLine]:
    """Every prompt of the package: those of the order in their order, then the others."""
    departures = Departures(package)
    return [_line(package, prompt, item, departures) for item, prompt in _in_order(package)]


def _in_order(package: PresetPackage) -> Iterator[tuple[OrderItem | None, PresetPrompt]]:
    placed = {item.prompt_id for item in package.prompt_order}
    yield from ((item, package.by_id[item.prompt_id]) for item in package.prompt_order)
    yield from ((None, prompt) for prompt in package.prompts if prompt.id not in placed)


def _line(
    package: PresetPackage, prompt: PresetPrompt, item: OrderItem | None, departures: Departures
) -> PromptLine:
    code = fate_code(package, prompt, item)
    fate, sentence = FATES[code]
    args = {"depth": prompt.injection.depth_used} if fate == "sent-elsewhere" and prompt.injection else {}
    where = place_of(prompt)
    tavern = departures.of(prompt, item, sent=fate != "not-sent", where=where)
    said = Finding("info", code, where, sentence, args=args)
    return PromptLine(prompt.id, prompt.name, fate, code, said, tuple(tavern), prompt.was_added)


def line_of(package: PresetPackage, prompt_id: str) -> PromptLine:
    """The line of one prompt of the package alone."""
    prompt = package.by_id[prompt_id]
    item = next((item for item in package.prompt_order if item.prompt_id == prompt_id), None)
    return _line(package, prompt, item, Departures(package))


def place_of(prompt: PresetPrompt) -> str:
    """Where a prompt stands in its file; one that was added has its id for a place."""
    return prompt.id if prompt.raw_index is None else f"prompts[{prompt.raw_index}]"


def fate_code(package: PresetPackage, prompt: PresetPrompt, item: OrderItem | None) -> str:
    """Why a prompt is sent or not: a key of `FATES`."""
    if item is None:
        first = package.by_id.get(prompt.source_identifier)
        return "not-in-order" if first is None or first.id == prompt.id else "same-identifier"
    if not item.enabled:
        return "off-in-order"
    if not prompt.enabled:
        return "off-itself"
    return _filled_code(prompt) if prompt.is_hole else _text_code(package, prompt)


def _filled_code(prompt: PresetPrompt) -> str:
    if prompt.source_identifier == PERSONA:
        return "persona-in-history" if prompt.in_history else "filled-persona"
    if prompt.source_identifier == HISTORY:
        return "filled-history"
    return "filled-hole" if prompt.is_our_hole else "never-filled"


def _text_code(package: PresetPackage, prompt: PresetPrompt) -> str:
    if sends_nothing(prompt.content):
        return "writes-only" if prompt.content.strip() else "no-text"
    if package.tool_policy.mode == "app" and is_tool_protocol(prompt.content):
        return "tool-protocol"
    return "in-history" if prompt.in_history else "in-line"
