"""`assemble`: the messages a preset gives at one moment of a story, and where each came from.

The steps of the contract (4.4): the order is read; what is switched off in it or in itself falls out; holes
are filled; texts are expanded and stand where the order has them, with their own roles; prompts for the
history go into it; then parameters and squash. Nothing is read from outside: same arguments, same messages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from formats.dice import seeded_rolls
from formats.finding import Finding
from formats.notes import Notes
from formats.preset.assembly_sentences import SENTENCES
from formats.preset.context import NO_USER, NO_WORK, AssemblyContext
from formats.preset.conversation import history_messages, last_user_text
from formats.preset.depth import Placed, with_insertions
from formats.preset.filling import FILLINGS, GIVEN
from formats.preset.message import Message, Origin, Part
from formats.preset.model import FIXED_HOLES, HISTORY, Injection, PresetPackage, PresetPrompt, Squash
from formats.preset.parameters import parameters_for
from formats.preset.shaping import shape
from formats.preset.telling import listed
from formats.preset.tool_policy import ToolPlan, plan_tools
from formats.preset.trace import MessageTrace, traced
from formats.text.macros import MacroContext, expand, macros_in

UnsentReason = Literal["empty", "hole-not-filled", "hole-empty", "hole-twice", "tool-protocol"]
ORDINARY_PLACE: Final = Injection()


@dataclass(frozen=True, slots=True)
class Unsent:
    """A prompt that takes part, and nothing of it leaves."""

    prompt_id: str
    reason: UnsentReason

    def to_json(self) -> dict[str, Any]:
        """As stored."""
        return {"promptId": self.prompt_id, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Assembly:
    """What leaves. `trace` has one item a message; `variables` are those of the macros at the end.

    `squash` is the level that was applied, `plan` how a call of a tool comes back.
    """

    messages: list[dict[str, Any]]
    parameters: Mapping[str, Any]
    trace: list[MessageTrace]
    findings: list[Finding]
    squash: Squash
    plan: ToolPlan
    unsent: list[Unsent]
    variables: Mapping[str, str]

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools to send, as chat endpoints take them."""
        return [tool.to_json() for tool in self.plan.tools]

    def to_json(self) -> dict[str, Any]:
        """As stored."""
        return {
            "messages": self.messages,
            "parameters": dict(self.parameters),
            "tools": self.tools,
            "trace": [one.to_json() for one in self.trace],
            "findings": [one.to_json() for one in self.findings],
            "squash": self.squash,
            "unsent": [one.to_json() for one in self.unsent],
            "variables": dict(self.variables),
        }


def assemble(package: PresetPackage, context: AssemblyContext | None = None) -> Assembly:
    """Assemble a preset.

    Raises:
        DomainError: the history holds a turn of an unknown role.
    """
    context = context or AssemblyContext()
    notes = Notes(SENTENCES)
    plan = plan_tools(package, context.tools, notes)
    line = _Line(context, plan, notes)
    for prompt in package.enabled_prompts():
        line.take(prompt)
    shaped = shape(line.messages(), package.squash)
    if shaped.level != package.squash:
        notes.add("squash.tools", "messagePolicy.squash", asked=package.squash)
    if shaped.opened:
        notes.add("squash.opening", "messagePolicy.squash", text=shaped.messages[0].text)
    return Assembly(
        [message.to_json() for message in shaped.messages],
        _parameters(package, context, notes),
        traced(shaped.messages),
        notes.findings(),
        shaped.level,
        plan,
        line.unsent,
        line.macros.variables,
    )


def _parameters(package: PresetPackage, context: AssemblyContext, notes: Notes) -> Mapping[str, Any]:
    found = parameters_for(package.generation, context.endpoint)
    for name in found.not_taken:
        notes.add("generation.not-taken", f"generation.{name}", name=name, endpoint=context.endpoint)
    for name, moved in found.moved.items():
        value, given = found.taken[name], getattr(package.generation, name)
        notes.add(f"generation.{moved}", f"generation.{name}", name=name, value=value, given=given)
    for name in found.unusable:
        notes.add(
            "generation.unusable", f"generation.{name}", name=name, given=getattr(package.generation, name)
        )
    if package.generation.reasoning_effort is not None:
        notes.add("generation.effort", "generation.reasoning_effort")
    return found.values


class _Line:
    """The prompts one after the other, until the history can be put among them."""

    def __init__(self, context: AssemblyContext, plan: ToolPlan, notes: Notes) -> None:
        self.context, self.plan, self.notes = context, plan, notes
        self.history = history_messages(context.history)
        self.line: list[Message] = []
        self.placed: list[Placed] = []
        self.unsent: list[Unsent] = []
        self.names: dict[str, str] = {}
        self.filled: set[str] = set()
        self.history_at: int | None = None
        self.macros = MacroContext(
            user=context.user or NO_USER,
            char=context.char or NO_WORK,
            persona=context.persona,
            last_user_message=context.current_turn or last_user_text(self.history),
            rolls=seeded_rolls(context.seed),
        )

    def take(self, prompt: PresetPrompt) -> None:
        """The next prompt of the order that takes part."""
        if prompt.id in self.plan.left_out:
            self.unsent.append(Unsent(prompt.id, "tool-protocol"))
            return
        messages = self._hole(prompt) if prompt.is_hole else self._text(prompt)
        if prompt.in_history:
            self.names[prompt.id] = prompt.name
            injection = prompt.injection or ORDINARY_PLACE
            self.placed += [Placed(message, injection) for message in messages]
        else:
            self.line += messages

    def messages(self) -> list[Message]:
        """All of them, unshaped. Without a history, what was meant for it stands at the end (PRE-5)."""
        self._name_what_has_no_place()
        if self.history_at is None or not self.history:
            self._name_what_stands_at_the_end()
            return [*self.line, *(one.message for one in self.placed)]
        before, after = self.line[: self.history_at], self.line[self.history_at :]
        history = with_insertions(self.history, self.placed)
        return [*before, *history, *(message._replace(zone="after") for message in after)]

    def _text(self, prompt: PresetPrompt) -> list[Message]:
        where = f"prompts.{prompt.id}"
        expanded = expand(prompt.content, self.macros, where)
        self.notes.take(expanded.findings)
        for name in expanded.unknown:
            self.notes.add("macro.left", where, name=name)
        if not expanded.text or expanded.text.isspace():
            self.unsent.append(Unsent(prompt.id, "empty"))
            return []
        depth = prompt.injection.depth_used if prompt.in_history and prompt.injection else None
        return [Message(prompt.role, (Part(expanded.text, Origin("prompt", prompt.id, depth=depth)),))]

    def _hole(self, prompt: PresetPrompt) -> list[Message]:
        name = prompt.source_identifier
        if name in self.filled:
            self.unsent.append(Unsent(prompt.id, "hole-twice"))
            return []
        if name in FIXED_HOLES:
            self.filled.add(name)
        if name == HISTORY:
            self.history_at = len(self.line)
            self._name_macros(prompt, self.history)
            return []
        fill = FILLINGS.get(name)
        messages = [one for one in fill(prompt, self.context) if not one.is_empty] if fill else []
        if not messages:
            self.unsent.append(Unsent(prompt.id, "hole-empty" if fill else "hole-not-filled"))
        self._name_macros(prompt, messages)
        return messages

    def _name_macros(self, hole: PresetPrompt, messages: Sequence[Message]) -> None:
        """Macros that would run in a prompt and stand in what fills a hole, where none runs (D22)."""
        texts = (message.text for message in messages)
        uses = (use for text in texts if "{{" in text for use in macros_in(text) if use.is_expanded)
        if names := list(dict.fromkeys("{{" + use.name + "}}" for use in uses)):
            self.notes.add("macro.in-filling", f"prompts.{hole.id}", names=listed(names))

    def _name_what_stands_at_the_end(self) -> None:
        if self.placed:
            ids = dict.fromkeys(one.message.parts[0].origin.id for one in self.placed)
            names = listed([self.names.get(one) or one for one in ids])
            self.notes.add("assembly.no-history-yet", f"prompts.{HISTORY}", count=len(ids), names=names)

    def _name_what_has_no_place(self) -> None:
        for hole, field in GIVEN.items():
            if getattr(self.context, field) and hole not in self.filled:
                self.notes.add("assembly.no-place", hole, hole=hole)
        if self.history and self.history_at is None:
            self.notes.add("assembly.no-place", HISTORY, hole=HISTORY)
