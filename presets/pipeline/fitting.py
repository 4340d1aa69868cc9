"""A trial made to fit a context: the oldest turns of the story stay out, and nothing else.

A preset says nothing about what to leave out, so this is the portal's rule: what the author ordered is sent,
and of the history as much as there is room for, newest first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from formats.preset.assembly import Assembly
from formats.preset.conversation import turns_of
from formats.preset.model import PresetPackage
from presets.pipeline.trial import TrialInputs, Turn, assembled, part_tokens


@dataclass(frozen=True)
class Fitted:
    """What would leave. `needed`: tokens of all of it before turns were left out; `room`: tokens there are.

    `left_out` are the turns that stay out, oldest first; the trace counts from the first that stays.
    `inputs` are what was assembled in the end.
    """

    inputs: TrialInputs
    assembly: Assembly
    needed: int
    room: int | None
    left_out: tuple[Turn, ...] = ()

    @cached_property
    def parts(self) -> list[list[int]]:
        """Tokens of each part of each message."""
        return part_tokens(self.assembly)

    @cached_property
    def tokens(self) -> list[int]:
        """Tokens of each message."""
        return [sum(parts) for parts in self.parts]

    @cached_property
    def total(self) -> int:
        """Tokens of all messages."""
        return sum(self.tokens)

    @property
    def is_over(self) -> bool:
        """Whether it does not fit, although no turn is left that could stay out."""
        return self.room is not None and self.total > self.room


def reserve_of(package: PresetPackage, context_length: int) -> int:
    """Tokens kept for the answer: what the preset asks for, where the context is larger than that."""
    wanted = package.generation.meant().get("max_output_tokens") or 0
    return int(wanted) if 0 < wanted < context_length else 0


def fitted(package: PresetPackage, inputs: TrialInputs, context_length: int | None = None) -> Fitted:
    """Assemble a trial within a context of so many tokens; None: however long it is.

    Raises:
        DomainError: as `assemble`.
    """
    room = None
    if context_length is not None:
        room = max(0, context_length - reserve_of(package, context_length))
    whole = Fitted(inputs, assembled(package, inputs), 0, room)
    first = found = replace(whole, needed=whole.total)
    turns = history_of(inputs)
    dropped = 0
    while found.is_over and dropped < len(turns):
        dropped = _first_kept(turns, dropped + _enough(found))
        rest = inputs.model_copy(update={"history": turns[dropped:], "story": ""})
        found = Fitted(rest, assembled(package, rest), first.needed, room, turns[:dropped])
    return found


def history_of(inputs: TrialInputs) -> tuple[Turn, ...]:
    """The story so far as turns, whichever way it was given."""
    if inputs.history or not inputs.story:
        return inputs.history
    return tuple(Turn.model_validate(turn) for turn in turns_of(inputs.story))


def _enough(found: Fitted) -> int:
    """How many turns to leave out so that the rest may fit: at least one."""
    over = found.total - (found.room or 0)
    sizes: dict[int, int] = {}
    for trace, tokens in zip(found.assembly.trace, found.parts, strict=True):
        for part, count in zip(trace.parts, tokens, strict=True):
            if part.origin.kind == "history" and part.origin.number is not None:
                sizes[part.origin.number] = count
    for number in sorted(sizes):
        over -= sizes[number]
        if over <= 0:
            return number + 1
    return max(sizes, default=0) + 1


def _first_kept(turns: tuple[Turn, ...], dropped: int) -> int:
    """Not between a call of a tool and its answer."""
    while dropped < len(turns) and turns[dropped].role == "tool":
        dropped += 1
    return min(dropped, len(turns))
