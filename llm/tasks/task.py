"""A narrow task: one small question to a model, an answer of a declared shape, and how it can fail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from formats.errors import DomainError


class AnswerModel(BaseModel):
    """The base of every answer: unknown fields are ignored, texts lose the blanks at their ends.

    Every text and list of an answer has an upper bound (`max_length`): without one a weak model goes on until
    the limit of its tokens (model-notes). The description of each field is read by the model.
    """

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True, frozen=True)


A = TypeVar("A", bound=AnswerModel)


@dataclass(frozen=True, slots=True)
class Task(Generic[A]):
    """A kind of question.

    `name` is the same as that of its prompt text (`import/<name>`) and of the schema or tool by which it is
    answered. `budget`: tokens its answer needs (RUN-5, RUN-13). `rescue`: the list field of which the whole
    items are kept when an answer is cut off (VAR-4); "" where a cut answer is of no use.
    """

    name: str
    answer: type[A]
    budget: int
    rescue: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A question and its right answer; sent as turns of a chat before the real question (model-notes)."""

    question: str
    answer: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is sent: a system message, turns that show how it is done, and the text it is about."""

    instructions: str
    text: str
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer(Generic[A]):
    """A value that the task's model and check accept.

    `requests`: how many answers were asked for, 0 for one that was kept from before. `rescued`: it was cut
    off and holds only the whole items of the task's list.
    """

    value: A
    requests: int = 1
    rescued: bool = False


class Rejected(Exception):
    """A check's refusal of an answer; `reason` goes back to the model, in the language of the question."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TaskFailed(DomainError):
    """No usable answer came of one question; the endpoint itself works, so other questions may go on."""
