"""`Trial`: what a person sets in the match tester, as one value that an address or a test case can hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import cycle
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from formats.lorebook.model import Role
from formats.lorebook.patterns import PatternRunner
from formats.lorebook.simulator import (
    Activation,
    Book,
    ScanSettings,
    Scene,
    SceneCharacter,
    SceneMessage,
    Sources,
    fixed_dice,
    name_macros,
    simulate,
)
from formats.lorebook.simulator.scene import SOURCE_NAMES

MOST_CHARACTERS: Final = 100_000
MOST_BESIDE: Final = 20_000
MOST_BOOKS: Final = 12
MOST_NUMBER: Final = 10_000_000
THIS_BOOK: Final = "book"
"""The book a trial belongs to, whatever its id: a copy of the book keeps the trial."""

RULE = re.compile(r"\n[ \t]*-{3,}[ \t]*(?:\n|$)")
BLANK_LINE = re.compile(r"\n[ \t\u3000]*\n")
NAME = re.compile(r"([^\s:：][^\n:：]{0,39}?)[ \t]*[:：][ \t\u3000]*(?=\S)")

Short = Annotated[str, Field(max_length=200)]
Beside = Annotated[str, Field(max_length=MOST_BESIDE)]
Count = Annotated[int, Field(ge=0, le=MOST_NUMBER)]


class Trial(BaseModel):
    """A piece of story and how it is scanned. None: as the books say, else the portal.

    `books` are further books, scanned together with the one the trial belongs to.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: Annotated[str, Field(max_length=MOST_CHARACTERS)] = ""
    budget_tokens: Count | None = None
    scan_depth: Annotated[int, Field(ge=0, le=1000)] | None = None
    recursion: bool | None = None
    dice: Annotated[int, Field(ge=0, le=9999)] = 1
    books: Annotated[tuple[Short, ...], Field(max_length=MOST_BOOKS)] = ()
    case_sensitive: bool = False
    whole_words: bool = True
    include_names: bool = True
    group_scoring: bool = False
    max_steps: Count = 0
    min_activations: Count = 0
    max_depth: Count = 0
    context_size: Count | None = None
    budget_percent: Annotated[int, Field(ge=1, le=100)] = 25
    budget_cap: Count = 0
    trigger: Short = "normal"
    user: Short = ""
    char: Short = ""
    tags: Annotated[tuple[Short, ...], Field(max_length=60)] = ()
    chat_length: Count | None = None
    replies: Count | None = None
    greeting: Annotated[int, Field(ge=1, le=1000)] | None = None
    persona_description: Beside = ""
    character_description: Beside = ""
    character_personality: Beside = ""
    character_depth_prompt: Beside = ""
    scenario: Beside = ""
    creator_notes: Beside = ""

    def messages(self) -> tuple[SceneMessage, ...]:
        """The pasted text as messages, oldest first.

        Whoever has no name before their message speaks in turn, the assistant first.
        """
        turns: cycle[Role] = cycle(("assistant", "user"))
        found = []
        for said, turn in zip(_pieces(self.text), turns, strict=False):
            name, text = _named(said)
            role = turn if not name else "user" if name == self.user else "assistant"
            found.append(SceneMessage(text, name, role))
        return tuple(found)

    def scene(self) -> Scene:
        """The moment of the story."""
        messages = self.messages()
        return Scene(
            messages=messages,
            trigger=self.trigger,
            character=SceneCharacter(self.char, tags=self.tags),
            sources=Sources(**{name: getattr(self, name) for name in SOURCE_NAMES}),
            context_size=self.context_size,
            chat_length=self.chat_length,
            replies=self._replies(messages),
            greeting=None if self.greeting is None else self.greeting - 1,
            expand=name_macros(self.user or "{{user}}", self.char or "{{char}}"),
        )

    def _replies(self, messages: Sequence[SceneMessage]) -> int:
        """Of a longer story than the one pasted, every second message counts, from the opening on."""
        if self.replies is not None:
            return self.replies
        if self.chat_length is not None:
            return (self.chat_length + 1) // 2
        return sum(message.role == "assistant" for message in messages)

    def settings(self) -> ScanSettings:
        """How the scan is set."""
        return ScanSettings(
            scan_depth=self.scan_depth,
            recursion=self.recursion,
            budget_tokens=self.budget_tokens,
            budget_percent=self.budget_percent,
            budget_cap=self.budget_cap,
            max_steps=self.max_steps,
            min_activations=self.min_activations,
            max_depth=self.max_depth,
            case_sensitive=self.case_sensitive,
            whole_words=self.whole_words,
            group_scoring=self.group_scoring,
            include_names=self.include_names,
        )


def run_trial(
    trial: Trial, books: Sequence[Book], run_patterns: PatternRunner, count_tokens: Callable[[str], int]
) -> Activation:
    """Scan the trial's piece of story with these books; the first is the one it belongs to."""
    return simulate(
        books,
        trial.scene(),
        trial.settings(),
        dice=fixed_dice(str(trial.dice)),
        run_patterns=run_patterns,
        count_tokens=count_tokens,
    )


def _pieces(text: str) -> list[str]:
    """The messages of a text: between lines of dashes where there are any, else between blank lines."""
    lines = f"\n{text}".replace("\r\n", "\n").replace("\r", "\n")
    between = RULE if RULE.search(lines) else BLANK_LINE
    return [piece for part in between.split(lines) if (piece := part.strip())]


def _named(said: str) -> tuple[str, str]:
    """The name before a message and the message; the name is empty where none stands there."""
    found = NAME.match(said)
    return (found[1], said[found.end() :]) if found else ("", said)
