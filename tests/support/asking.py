"""Narrow tasks answered by functions of the text that is asked about: no model, no order of calls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any, TypeVar

from pydantic import ValidationError

from llm.tasks import Answer, AnswerModel, Question, Rejected, Task, TaskFailed

A = TypeVar("A", bound=AnswerModel)
Reader = Callable[[str], Any]
ATTEMPTS = 3


class Readers:
    """`Asking` for tests. A reader, by the task's name, gets the text and gives the answer as JSON values.

    An answer that the task's model or check refuses is asked for again with the reason behind the text, as a
    model gets it, three times in all. `asked` holds (task, question) in the order of arrival; with a `chance`
    answers arrive in any order.
    """

    def __init__(self, readers: dict[str, Reader], chance: Random | None = None) -> None:
        self.readers = readers
        self.chance = chance
        self.asked: list[tuple[str, Question]] = []

    async def answer(
        self,
        task: Task[A],
        question: Question,
        check: Callable[[A], None] | None = None,
        *,
        title: str = "",
        about: str = "",
    ) -> Answer[A]:
        for _ in range(self.chance.randrange(6) if self.chance else 0):
            await asyncio.sleep(0)
        text = question.text
        for attempt in range(ATTEMPTS):
            self.asked.append((task.name, question))
            try:
                value = task.answer.model_validate(self.readers[task.name](text))
                if check is not None:
                    check(value)
                return Answer(value, attempt + 1)
            except ValidationError as error:
                reason = str(error)
            except Rejected as error:
                reason = error.reason
            text = f"{question.text}\n\n{reason}"
        raise TaskFailed(
            "invalid", "task.rejected", about, "No usable answer came: {reason}", args={"reason": reason}
        )
