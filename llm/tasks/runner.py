"""Narrow questions answered by a model: forms, repairs, bounds, kept answers (RUN-4 to RUN-6, RUN-9)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial
from typing import Any, TypeVar

from llm.asking import Ask, Message, Reply
from llm.endpoint import Endpoint
from llm.faults import ModelFault
from llm.limits import Retries
from llm.tasks.failures import failed, failed_before, failure_of, hopeless
from llm.tasks.forms import FORMS, Form, schema_of
from llm.tasks.kept import Kept, TaskRecord, key_of
from llm.tasks.reading import read_answer, read_kept, rescued_answer
from llm.tasks.settings import TaskSettings
from llm.tasks.task import Answer, AnswerModel, Question, Rejected, Task, TaskFailed
from llm.tasks.words import TASK_WORDS
from llm.usage import Usage

A = TypeVar("A", bound=AnswerModel)
Call = Callable[[Ask], Awaitable[Reply]]
Check = Callable[[A], None]
MOST_FAILURES = 5
"""So many questions without a usable answer, and not one with, show that a model does not manage."""
NOT_THIS_WAY = ("refused", "broken", "not-found")


@dataclass(slots=True)
class _Count:
    """What one question used so far."""

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: Decimal | None = Decimal(0)
    currency: str = ""
    began: float = field(default_factory=time.monotonic)

    def add(self, usage: Usage | None) -> None:
        if usage is None:
            return
        if usage.tokens is not None:
            self.tokens_in += usage.tokens.input
            self.tokens_out += usage.tokens.output
        self.cost = None if usage.cost is None or self.cost is None else self.cost + usage.cost
        self.currency = usage.currency


@dataclass(frozen=True, slots=True)
class _Asked:
    """One question on its way."""

    task: Task[Any]
    question: Question
    title: str
    about: str
    count: _Count


class Tasks:
    """The narrow tasks of one import or one other piece of work; used on one event loop.

    Args:
        call: makes one request of the model and stores what it cost; it asks anew who may.
        endpoint: what the model can do and take; its key is not needed here.
        kept: where answers are kept.
        language: in which reasons go back to the model.
        retries: how often a request is made again when the service fails in passing.
    """

    def __init__(
        self,
        call: Call,
        endpoint: Endpoint,
        settings: TaskSettings,
        kept: Kept,
        *,
        language: str,
        retries: Retries,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._call = call
        self._endpoint = endpoint
        self._settings = settings
        self._kept = kept
        self._words = TASK_WORDS[language]
        self._retries = retries
        self._now = now
        self._places = asyncio.Semaphore(settings.at_once)
        self._form = FORMS.index(endpoint.abilities.answer_form)
        self._failures = 0
        self._asking: dict[str, asyncio.Lock] = {}

    async def answer(
        self,
        task: Task[A],
        question: Question,
        check: Check[A] | None = None,
        *,
        title: str = "",
        about: str = "",
    ) -> Answer[A]:
        """A value that the task's model and `check` accept; kept before it is given.

        `check` raises `Rejected` with a reason that goes back to the model.

        Raises:
            TaskFailed: no usable answer came of this question; that is kept too.
            ModelFault, DomainError: the endpoint cannot be asked for now, or the model does not manage.
        """
        key = key_of(question, schema_of(task.answer))
        async with self._one_at_a_time(key):
            record = await self._kept.get(key)
            if record is not None and record.state == "failed":
                raise failed_before(record)
            if record is not None and (value := self._still_good(task, record, check)) is not None:
                return Answer(value, 0, record.rescued)
            asked = _Asked(task, question, title, about, _Count())
            try:
                answer = await self._answered(asked, check)
            except TaskFailed as failure:
                await self._kept.put(key, self._failed_record(asked, failure))
                self._failures += 1
                if self._failures >= MOST_FAILURES:
                    raise hopeless(self._failures) from failure
                raise
            await self._kept.put(key, self._answered_record(asked, answer))
            self._failures = 0
            return answer

    @asynccontextmanager
    async def _one_at_a_time(self, key: str) -> AsyncIterator[None]:
        """The same question asked twice at once is asked once: the second finds what the first kept."""
        lock = self._asking.setdefault(key, asyncio.Lock())
        async with lock:
            yield

    def _still_good(self, task: Task[A], record: TaskRecord, check: Check[A] | None) -> A | None:
        try:
            value = read_kept(task, record.value, self._words)
            if check is not None:
                check(value)
        except Rejected:
            return None
        return value

    async def _answered(self, asked: _Asked, check: Check[Any] | None) -> Answer[Any]:
        """Ask, and ask again with the reason, until an answer is good or enough were asked for."""
        form = self._form_for(asked.task)
        messages = form.messages(asked.question)
        reason, before = "", ""
        for _ in range(self._settings.answers):
            reply = await self._reply(asked, form, messages)
            if FORMS[self._form] != form.name:  # the form was refused; what follows is asked in the next one
                form = self._form_for(asked.task)
                messages = form.messages(asked.question)
            try:
                return self._read(asked, form, reply, check)
            except Rejected as rejected:
                reason = rejected.reason
            said = form.said(reply).json_text
            if said and said == before:  # it will say the same again
                break
            before = said
            messages = [*messages, *form.back(reply, reason)]
        raise failed("task.rejected", asked.about, reason=reason)

    def _form_for(self, task: Task[Any]) -> Form:
        return Form(FORMS[self._form], task, self._words, self._endpoint)

    def _read(self, asked: _Asked, form: Form, reply: Reply, check: Check[Any] | None) -> Answer[Any]:
        """The answer in a reply.

        Raises:
            Rejected: it can be asked for again.
            TaskFailed: asking again would end the same way (RUN-6).
        """
        if reply.finish == "filtered":
            raise failed("task.filtered", asked.about)
        said = form.said(reply)
        if reply.finish == "length":
            if said.prose:
                raise failed("task.prose", asked.about)
            value = rescued_answer(asked.task, said.json_text, self._words)
            if value is None:
                raise failed("task.cut", asked.about)
        elif said.prose and form.name == "tool":
            words = self._words.other_tool if said.other_tool else self._words.no_call
            raise Rejected(words.replace("{name}", asked.task.name))
        else:
            value = read_answer(asked.task, said.json_text, self._words)
        if check is not None:
            check(value)
        return Answer(value, asked.count.requests, reply.finish == "length")

    async def _reply(self, asked: _Asked, form: Form, messages: list[Message]) -> Reply:
        """One answer, in the next form where the service refuses this one.

        Raises:
            TaskFailed, ModelFault, DomainError: as `answer`.
        """
        while True:
            try:
                return await self._retries.run(partial(self._request, asked, form, messages))
            except ModelFault as fault:
                if failure := failure_of(fault, asked.about):
                    raise failure from fault
                if not self._next_form(form, fault):
                    raise
            form = self._form_for(asked.task)
            messages = form.messages(asked.question)

    def _next_form(self, form: Form, fault: ModelFault) -> bool:
        """Whether the question can be put in another form; what was refused once is not tried again."""
        if FORMS[self._form] != form.name:
            return True  # another question has found that out meanwhile
        refused = fault.outcome in NOT_THIS_WAY or fault.status == 500
        if not refused or self._form + 1 == len(FORMS):
            return False
        self._form += 1
        return True

    async def _request(self, asked: _Asked, form: Form, messages: list[Message]) -> Reply:
        async with self._places:
            asked.count.requests += 1
            try:
                reply = await self._call(form.ask(messages, self._sent_settings(asked.task)))
            except ModelFault as fault:
                asked.count.add(fault.usage)
                raise
            asked.count.add(reply.usage)
            return reply

    def _sent_settings(self, task: Task[Any]) -> dict[str, Any]:
        """What goes with a request; how long to think is sent only where the host has chosen it."""
        settings: dict[str, Any] = {
            "max_tokens": self._settings.tokens_for(task.budget, self._endpoint),
            "temperature": self._settings.temperature,
        }
        if self._settings.reasoning != "off":
            settings["reasoning_effort"] = self._settings.reasoning
        return settings

    def _answered_record(self, asked: _Asked, answer: Answer[Any]) -> TaskRecord:
        value = answer.value.model_dump(mode="json")
        return TaskRecord(state="answered", value=value, rescued=answer.rescued, **self._told(asked))

    def _failed_record(self, asked: _Asked, failure: TaskFailed) -> TaskRecord:
        return TaskRecord(
            state="failed",
            code=failure.code,
            message=failure.message,
            hint=failure.hint,
            args=failure.values,
            **self._told(asked),
        )

    def _told(self, asked: _Asked) -> dict[str, Any]:
        count = asked.count
        return {
            "task": asked.task.name,
            "title": asked.title,
            "about": asked.about,
            "requests": count.requests,
            "tokens_in": count.tokens_in,
            "tokens_out": count.tokens_out,
            "cost": None if count.cost is None else str(count.cost),
            "currency": count.currency,
            "seconds": round(time.monotonic() - count.began, 3),
            "at": self._now().isoformat(),
        }
