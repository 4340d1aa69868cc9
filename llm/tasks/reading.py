"""From the text of an answer to its value, a cut one included (VAR-4)."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import from_json

from formats.finding import fill
from llm.tasks.task import AnswerModel, Rejected, Task
from llm.tasks.words import TaskWords

A = TypeVar("A", bound=AnswerModel)
MOST_REASONS = 5


def read_answer(task: Task[A], text: str, words: TaskWords) -> A:
    """The value of a whole answer.

    Raises:
        Rejected: it is no JSON object of the task's shape; the reason names the fields.
    """
    try:
        value = from_json(text)
    except ValueError:
        raise Rejected(words.no_json) from None
    return _validated(task, value, words)


def read_kept(task: Task[A], value: Any, words: TaskWords) -> A:
    """The value of an answer that was kept.

    Raises:
        Rejected: the task's shape is another by now.
    """
    return _validated(task, value, words)


def rescued_answer(task: Task[A], text: str, words: TaskWords) -> A | None:
    """What a cut answer holds whole: the items of the task's list but for the last; None where that is
    nothing."""
    if not task.rescue:
        return None
    try:
        value = from_json(text, allow_partial=True)
    except ValueError:
        return None
    items = value.get(task.rescue) if isinstance(value, dict) else None
    if not isinstance(items, list) or len(items) < 2:
        return None
    try:
        return _validated(task, {**value, task.rescue: items[:-1]}, words)
    except Rejected:
        return None


def _validated(task: Task[A], value: Any, words: TaskWords) -> A:
    if not isinstance(value, dict):
        raise Rejected(words.no_json)
    try:
        return task.answer.model_validate(value)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)[:MOST_REASONS]
        reasons = (
            fill(words.wrong_field, {"where": ".".join(map(str, one["loc"])), "reason": one["msg"]})
            for one in found
        )
        raise Rejected(" ".join(reasons)) from None
