"""The macros of what a preset sends: which expand here, which go out as written, which vary (PRE-10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from formats.preset.model import HISTORY, PresetPrompt
from formats.preset.tag_pairs import Pair, macro_pairs
from formats.text.macros import (
    CHANCE_NAMES,
    COMMENT,
    READING_NAMES,
    WRITING_NAMES,
    MacroUse,
    Outcome,
    find_macros,
    macros_in,
)

SILENT: Final = frozenset({COMMENT, "trim"}) | WRITING_NAMES
"""Macros that leave nothing behind."""
MOST_LINES: Final = 200


@dataclass(slots=True)
class MacroLine:
    """One macro: how often it stands in what is sent, and in which prompts."""

    name: str
    count: int = 0
    prompts: dict[str, None] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """For the report."""
        return {"name": self.name, "count": self.count, "prompts": list(self.prompts)}


@dataclass(frozen=True, slots=True)
class RandomLine:
    """A prompt that draws at random. Before the history it changes what a provider could have cached."""

    name: str
    prompt: str
    count: int
    before_history: bool
    expands: bool

    def to_json(self) -> dict[str, Any]:
        """For the report."""
        return {
            "name": self.name,
            "prompt": self.prompt,
            "count": self.count,
            "beforeHistory": self.before_history,
            "expands": self.expands,
        }


@dataclass(frozen=True, slots=True)
class UnsetRead:
    """A variable that is read before any prompt sets it: empty here, remembered in SillyTavern."""

    variable: str
    prompt: str

    def to_json(self) -> dict[str, Any]:
        """For the report."""
        return {"variable": self.variable, "prompt": self.prompt}


@dataclass(frozen=True, slots=True)
class MacroReport:
    """Everything about macros in the prompts that are on, in their order; `nothing` leaves nothing behind."""

    expanded: tuple[MacroLine, ...] = ()
    raw: tuple[MacroLine, ...] = ()
    random: tuple[RandomLine, ...] = ()
    unset: tuple[UnsetRead, ...] = ()
    crossing: tuple[Pair, ...] = ()
    nothing: tuple[MacroLine, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """For the report."""
        return {
            name: [line.to_json() for line in lines]
            for name, lines in (
                ("expanded", self.expanded),
                ("raw", self.raw),
                ("nothing", self.nothing),
                ("random", self.random),
                ("readBeforeWritten", self.unset),
                ("crossing", self.crossing),
            )
        }


def macro_report(prompts: Sequence[PresetPrompt]) -> MacroReport:
    """The report on prompts that are on, in the order in which their macros run."""
    lines: dict[tuple[str, Outcome], MacroLine] = {}
    random: list[RandomLine] = []
    unset: dict[UnsetRead, None] = {}
    written: set[str] = set()
    before_history = True
    for prompt in prompts:
        if prompt.is_hole:
            before_history = before_history and prompt.source_identifier != HISTORY
            continue
        uses = sorted(macros_in(prompt.content), key=lambda use: use.end)
        counts = Counter((use.name, use.outcome) for use in uses)
        for (name, outcome), count in counts.items():
            line = lines.setdefault((name, outcome), MacroLine(name))
            line.count += count
            line.prompts[prompt.id] = None
        for name in _read_before_written(uses, written):
            unset[UnsetRead(name, prompt.id)] = None
        random += _random_lines(prompt, counts, before_history=before_history and not prompt.in_history)
    return MacroReport(
        tuple(_of(lines, "expanded")),
        tuple(_of(lines, "left"))[:MOST_LINES],
        tuple(random[:MOST_LINES]),
        tuple(unset)[:MOST_LINES],
        tuple(macro_pairs([prompt for prompt in prompts if not prompt.is_hole])),
        tuple(_of(lines, "nothing")),
    )


def _of(lines: Mapping[tuple[str, Outcome], MacroLine], wanted: Outcome) -> Iterator[MacroLine]:
    return (line for (_, outcome), line in lines.items() if outcome == wanted)


def _read_before_written(uses: Sequence[MacroUse], written: set[str]) -> Iterator[str]:
    """Variables read before they are in `written`, which grows; inner macros run first, so by their ends."""
    for use in uses:
        if use.name in WRITING_NAMES and use.is_expanded:
            written.add(use.args[0])
        elif use.name in READING_NAMES and use.is_expanded and (name := use.args[0]) not in written:
            yield name


def _random_lines(
    prompt: PresetPrompt, counts: Mapping[tuple[str, Outcome], int], *, before_history: bool
) -> Iterator[RandomLine]:
    for (name, outcome), count in counts.items():
        if name in CHANCE_NAMES and outcome != "nothing":
            yield RandomLine(name, prompt.id, count, before_history, outcome == "expanded")


def sends_nothing(text: str) -> bool:
    """Whether a text is empty once its macros have run: only comments, `trim` and writing of variables."""
    if "{{" not in text:
        return not text.strip()
    if text[: text.index("{{")].strip() or text[text.rfind("}}") + 2 :].strip():
        return False  # most texts: what stands outside all macros is sent
    outer = [macro for macro in find_macros(text) if macro.depth == 0]
    ends = [0, *(macro.end for macro in outer)]
    starts = [*(macro.start for macro in outer), len(text)]
    if any(text[end:start].strip() for end, start in zip(ends, starts, strict=True)):
        return False
    uses = (use for use in macros_in(text) if use.depth == 0)
    return all(use.outcome == "nothing" or (use.name in SILENT and use.is_expanded) for use in uses)
