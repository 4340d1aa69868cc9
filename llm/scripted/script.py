"""What a scripted model says to what: rules by task and content, and the lines each has."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from llm.protocols.protocol import content_text, list_at, part, text_at


@dataclass(frozen=True, slots=True)
class Said:
    """A tool call as it is said: the arguments are text, so that they can be wrong."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Line:
    """One answer. `answer` is a JSON value given in the form that was asked for: as text held to a schema,
    or as a call of the asked tool. `fault` names one of `llm.scripted.faults.FAULTS`, `seconds` is its
    measure. `logprobs`: the likeliest first tokens, told where the request asks for them."""

    text: str = ""
    answer: Any = None
    thinking: str = ""
    calls: tuple[Said, ...] = ()
    finish: str = ""
    fault: str = "ok"
    seconds: float = 0.0
    logprobs: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rule:
    """Lines for the requests of one task, of one model, or that hold some words; empty is any.

    The lines are said one after the other, the last of them again and again.
    """

    lines: tuple[Line, ...]
    task: str = ""
    contains: str = ""
    model: str = ""

    def fits(self, asked: Asked) -> bool:
        return (
            self.task in ("", asked.task) and self.model in ("", asked.model) and self.contains in asked.text
        )


@dataclass(frozen=True, slots=True)
class Script:
    """The first rule that fits is played, else what `reader` gives. A request that neither has an answer for
    is refused, so that a script which forgets one is noticed."""

    rules: tuple[Rule, ...]
    models: tuple[str, ...] = ("scripted",)
    reader: Callable[[Asked], Line | None] | None = None

    @classmethod
    def of(cls, *lines: Line) -> Script:
        """These lines for whatever is asked."""
        return cls((Rule(lines),))

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Script:
        """A script as a file holds it: `{"models": […], "rules": [{"task": …, "lines": […]}]}`.

        Raises:
            TypeError, KeyError: it is none.
        """
        rules = tuple(
            Rule(**{**rule, "lines": tuple(_line(line) for line in rule["lines"])}) for rule in value["rules"]
        )
        return cls(rules, tuple(value.get("models", ("scripted",))))


def _line(value: Mapping[str, Any]) -> Line:
    return Line(**{**value, "calls": tuple(Said(**call) for call in value.get("calls", ()))})


@dataclass(frozen=True)
class Asked:
    """A chat request as the script sees it."""

    body: Mapping[str, Any]
    text: str = field(init=False)

    def __post_init__(self) -> None:
        texts = [content_text(part(message, "content")) for message in list_at(self.body, "messages")]
        object.__setattr__(self, "text", "\n".join(texts))

    @property
    def model(self) -> str:
        return text_at(self.body, "model")

    @property
    def streamed(self) -> bool:
        return self.body.get("stream") is True

    @property
    def schema_name(self) -> str:
        return text_at(self.body, "response_format", "json_schema", "name")

    @property
    def tool(self) -> str:
        """The tool that must be called, or the only one there is."""
        forced = text_at(self.body, "tool_choice", "function", "name")
        tools = list_at(self.body, "tools")
        return forced or (text_at(tools[0], "function", "name") if len(tools) == 1 else "")

    @property
    def task(self) -> str:
        return self.schema_name or self.tool

    def in_asked_form(self, line: Line) -> Line:
        """A line whose `answer` stands where the request wants it."""
        if line.answer is None:
            return line
        told = json.dumps(line.answer, ensure_ascii=False)
        if not self.schema_name and self.tool:
            return replace(line, answer=None, calls=(Said(self.tool, told),))
        return replace(line, answer=None, text=told, calls=())
