"""What a trial would send as a page shows it: messages with their origins, the budget, what stays out.

A preset may have a thousand prompts and a story two thousand turns: messages are paged, and each shows its
beginning only, so that the page stays small.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, pgettext, pgettext_lazy

from formats.finding import Finding
from formats.preset.macro_report import macro_report
from formats.preset.message import Origin
from formats.preset.parameters import VARIANTS
from formats.preset.trace import TracedPart
from formats.text.macros import find_macros
from formats.text.names import compared
from portal.told import ToldGroup, told_groups
from presets.index import storable
from presets.pipeline.trial import assembled, text_of
from presets.prompt_list import key_of
from presets.queries import DRAFT
from presets.trials import Assembled

PER_PAGE: Final = 40
CHARACTERS: Final = 14_000
"""So many of all messages of a page together are shown before they are unfolded."""
SHORTEST, LONGEST = 160, 6_000
SHORTEST_PART: Final = 120
MOST_PARTS: Final = 24
MOST_CHARACTERS: Final = 300_000
"""So many of one message are shown at most; a copy has all of them."""
MOST_UNSENT: Final = 200
MOST_LEFT_OUT: Final = 30
REASONS: Final = {
    "empty": gettext_lazy("Nothing is left of it once its macros have run."),
    "hole-not-filled": gettext_lazy("A place for parts of a card, which stays empty here."),
    "hole-empty": gettext_lazy("This trial has nothing for this place."),
    "hole-twice": gettext_lazy("The same place was filled before."),
    "tool-protocol": gettext_lazy("It asks for a tool in prose, and this program's own tools are used."),
}
GROUPS: Final = {
    "prompts": pgettext_lazy("of a preset", "Prompts"),
    "world": gettext_lazy("World and persona"),
    "history": gettext_lazy("Story so far"),
    "turn": gettext_lazy("This turn"),
}
RANDOM_EARLY: Final = gettext_noop(
    "A random macro stands before the story: what a provider keeps of earlier requests misses every turn."
)
RANDOM_HINT: Final = gettext_noop("Move it behind the story, or take it out.")
ONE_VARIANT: Final = gettext_noop(
    "The preset asks for several answers at once; one at a time is asked for here."
)
_GROUP_OF: Final = {"insert": "world", "persona": "world", "history": "history", "turn": "turn"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text; `marked`: a macro that is sent as it is written."""

    text: str
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Chip:
    """Where a part of a message comes from: words, and the key of the prompt it leads to or nothing."""

    text: str
    colour: str = ""
    prompt: str = ""


@dataclass(frozen=True, slots=True)
class PartTold:
    """A part of a message: where it comes from, its tokens, its beginning."""

    chip: Chip
    tokens: int
    pieces: list[Piece]


@dataclass(frozen=True, slots=True)
class MessageTold:
    """One message in its parts, which a blank line joins. `hidden` parts and `more` characters are folded,
    `code` is what it has besides its text."""

    number: int
    role: str
    tokens: int
    merged: int
    changed: str
    parts: list[PartTold]
    hidden: int
    more: int
    code: str


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of the budget: place and width in thousandths of the bar."""

    name: str
    label: str
    tokens: int
    percent: str
    start: float
    width: float


@dataclass(frozen=True)
class TrialResult:
    """Everything of one assembly that the page tells."""

    made: Assembled
    page_number: Any = 1
    find: str = ""

    @cached_property
    def page(self) -> Page[int]:
        """The numbers of the messages of this page, from 0; with words to find, of those that have them."""
        numbers = [number for number in range(len(self.messages)) if self._found(number)]
        return Paginator(numbers, PER_PAGE).get_page(self.page_number)

    @property
    def messages(self) -> Sequence[Mapping[str, Any]]:
        """What would leave."""
        return self.made.fitted.assembly.messages

    @property
    def parts_total(self) -> int:
        """Parts of all messages."""
        return sum(len(trace.parts) for trace in self.made.fitted.assembly.trace)

    @property
    def squash(self) -> str:
        """The level that was applied."""
        return self.made.fitted.assembly.squash

    @property
    def total(self) -> int:
        """Tokens of all messages."""
        return self.made.fitted.total

    @cached_property
    def told(self) -> list[MessageTold]:
        """The messages of this page."""
        shown = list(self.page.object_list)
        longest = min(LONGEST, max(SHORTEST, CHARACTERS // max(1, len(shown))))
        return [self.message(index, longest) for index in shown]

    def message(self, index: int, longest: int = MOST_CHARACTERS) -> MessageTold:
        """One message, its beginning or nearly all of it. Raises IndexError."""
        message, trace = self.messages[index], self.made.fitted.assembly.trace[index]
        text, whole = text_of(message), longest == MOST_CHARACTERS
        chosen = list(self._chosen(index))
        kept = chosen if whole else chosen[:MOST_PARTS]
        share = longest // max(1, len(kept)) if len(kept) > 1 else longest
        parts, left = [], longest
        for place in kept:
            if left <= 0:
                break
            part = trace.parts[place]
            length = part.end - part.start
            limit = left if whole else max(SHORTEST_PART, share)
            cut = length if length <= limit * 3 // 2 else limit
            left -= cut
            pieces = list(pieces_of(text[part.start : part.end], cut))
            parts.append(PartTold(self._chip(part), self.made.fitted.parts[index][place], pieces))
        shown = sum(len(piece.text) for part in parts for piece in part.pieces)
        return MessageTold(
            number=index + 1,
            role=str(message["role"]),
            tokens=self.made.fitted.tokens[index],
            merged=len(trace.parts),
            changed=self._changed(str(message["role"]), trace.parts),
            parts=parts,
            hidden=len(trace.parts) - len(parts),
            more=max(0, sum(part.end - part.start for part in trace.parts) - shown),
            code=_code(message),
        )

    def _found(self, index: int) -> bool:
        return not self._words or any(True for _place in self._chosen(index))

    def _chosen(self, index: int) -> Iterator[int]:
        """The parts of a message in which all words are found, in their text or where they come from."""
        text, trace = text_of(self.messages[index]), self.made.fitted.assembly.trace[index]
        for place, part in enumerate(trace.parts):
            if self._words:
                said = compared(f"{self._chip(part).text} {text[part.start : part.end]}")
                if not all(word in said for word in self._words):
                    continue
            yield place

    @cached_property
    def _words(self) -> list[str]:
        return compared(self.find).split()[:8]

    @cached_property
    def changed_count(self) -> int:
        """How many messages the shaping has changed."""
        pairs = zip(self.messages, self.made.fitted.assembly.trace, strict=True)
        return sum(bool(self._changed(str(message["role"]), trace.parts)) for message, trace in pairs)

    @cached_property
    def _plain_roles(self) -> Mapping[Origin, str]:
        """The role of each part before anything was shaped."""
        plain = assembled(self.made.package, self.made.fitted.inputs.model_copy(update={"policy": "none"}))
        return {
            part.origin: str(message["role"])
            for message, trace in zip(plain.messages, plain.trace, strict=True)
            for part in trace.parts
        }

    def _changed(self, role: str, parts: Sequence[TracedPart]) -> str:
        """What the policy did to a message, in a word or two; empty where it left it alone."""
        if self.squash == "none":
            return ""
        if any(part.origin.kind == "opening" for part in parts):
            return pgettext("changed by policy", "put first")
        roles = {self._plain_roles.get(part.origin, role) for part in parts} - {role}
        if roles:
            return _("was %(roles)s") % {"roles": " + ".join(sorted(roles))}
        return pgettext("changed by policy", "merged") if len(parts) > 1 else ""

    def _chip(self, part: TracedPart) -> Chip:
        origin = part.origin
        if origin.kind == "history":
            number = (origin.number or 0) + 1 + len(self.made.fitted.left_out)
            return Chip(_("story, turn %(n)s") % {"n": number}, "info")
        if origin.kind == "turn":
            return Chip(_("this turn"), "info")
        if origin.kind == "opening":
            return Chip(_("put in by the policy"), "warn")
        if origin.kind == "insert":
            return Chip(storable(origin.title)[:80] or self._name(origin.id), "ok")
        if origin.depth is not None:
            named = {"name": self._name(origin.id), "n": origin.depth}
            return Chip(_("%(name)s · depth %(n)s") % named, "", self._key(origin.id))
        return Chip(self._name(origin.id), "", self._key(origin.id))

    def _key(self, prompt_id: str) -> str:
        """What leads to the prompt's page; a version has no pages, and its prompt may be gone since."""
        return key_of(prompt_id) if self.made.setup.state == DRAFT else ""

    def _name(self, prompt_id: str) -> str:
        prompt = self.made.package.by_id.get(prompt_id)
        return (storable(prompt.name)[:80] if prompt else "") or prompt_id[:80] or "?"

    @cached_property
    def segments(self) -> list[Segment]:
        """The budget bar in the order of its table; without a context the messages fill it."""
        fit = self.made.fitted
        found: Counter[str] = Counter()
        for trace, counts in zip(fit.assembly.trace, fit.parts, strict=True):
            for part, count in zip(trace.parts, counts, strict=True):
                found[_GROUP_OF.get(part.origin.kind, "prompts")] += count
        whole = max(self.made.context_length or 0, self.total, 1)
        at, segments = 0.0, []
        for name, label in GROUPS.items():
            if tokens := found[name]:
                width = 1000 * tokens / whole
                share = str(round(100 * tokens / whole)) if tokens * 200 >= whole else "<1"
                segments.append(Segment(name, str(label), tokens, share, round(at, 2), round(width, 2)))
                at += width
        return segments

    @property
    def reserve(self) -> int:
        """Tokens kept for the answer."""
        room = self.made.fitted.room
        return 0 if room is None else max(0, (self.made.context_length or 0) - room)

    @property
    def free(self) -> int:
        """Tokens that nothing needs."""
        return max(0, (self.made.fitted.room or 0) - self.total)

    @cached_property
    def findings(self) -> list[ToldGroup]:
        """What was found, with the names of prompts as places."""
        found = [*self._of_macros(), *self.made.fitted.assembly.findings]
        return told_groups(replace(one, where=self._place(one.where)) for one in found)

    def _of_macros(self) -> Iterator[Finding]:
        drawn = macro_report(self.made.package.enabled_prompts()).random
        for line in drawn:
            if line.before_history and line.expands:
                where = f"prompts.{line.prompt}"
                yield Finding("warning", "macro.random-early", where, RANDOM_EARLY, RANDOM_HINT)
        if (self.made.package.generation.meant().get("variants") or 1) != 1:
            yield Finding("info", "trial.one-variant", "", ONE_VARIANT)

    def _place(self, where: str) -> str:
        kind, dot, prompt_id = where.partition(".")
        return self._name(prompt_id) if dot and kind == "prompts" else where

    @cached_property
    def unsent(self) -> list[tuple[str, str, str]]:
        """Prompts that take part and of which nothing leaves: key, name, reason."""
        rows = self.made.fitted.assembly.unsent[:MOST_UNSENT]
        return [
            (self._key(row.prompt_id), self._name(row.prompt_id), str(REASONS[row.reason])) for row in rows
        ]

    @property
    def silent(self) -> int:
        """Prompts with a text of their own of which nothing is left; places without anything are none."""
        return sum(one.reason in ("empty", "tool-protocol") for one in self.made.fitted.assembly.unsent)

    @property
    def left_out(self) -> list[tuple[int, str, str]]:
        """The turns that stay out: number, role, how they begin."""
        turns = self.made.fitted.left_out[-MOST_LEFT_OUT:]
        first = len(self.made.fitted.left_out) - len(turns) + 1
        return [(first + place, turn.role, turn.content[:120]) for place, turn in enumerate(turns)]

    @property
    def tools(self) -> list[str]:
        """The tools that are sent along, by name."""
        tools = self.made.fitted.assembly.tools
        return [storable(str(tool.get("function", {}).get("name", ""))) for tool in tools]

    @property
    def parameters(self) -> str:
        """The parameters that are sent, as JSON."""
        given = self.made.fitted.assembly.parameters
        parameters = {name: value for name, value in given.items() if name not in VARIANTS}
        return storable(json.dumps(parameters, ensure_ascii=False)) if parameters else ""


def pieces_of(text: str, end: int) -> Iterator[Piece]:
    """A text up to `end` with the macros in it marked: what still looks like one is sent as it is written."""
    shown, at = storable(text[:end]), 0
    for macro in find_macros(shown):
        if macro.depth == 0:
            if macro.start > at:
                yield Piece(shown[at : macro.start])
            yield Piece(shown[macro.start : macro.end], marked=True)
            at = macro.end
    if at < len(shown):
        yield Piece(shown[at:])


def _code(message: Mapping[str, Any]) -> str:
    """What a message has besides role and text, as it is sent."""
    beside = {name: value for name, value in message.items() if name not in ("role", "content")}
    if not isinstance(message.get("content"), str | None):
        beside["content"] = message["content"]
    return storable(json.dumps(beside, ensure_ascii=False, indent=1))[:4_000] if beside else ""
