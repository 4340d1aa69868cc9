"""Why a question has no usable answer: one sentence each, and what can be done (reliability part 6)."""

from __future__ import annotations

from collections.abc import Mapping

from formats.errors import DomainError
from formats.messages import gettext_noop
from llm.faults import ModelFault
from llm.tasks.kept import TaskRecord
from llm.tasks.task import TaskFailed
from llm.usage import Outcome

ANOTHER = gettext_noop("Ask again, or choose another model.")

MESSAGES: Mapping[str, tuple[str, str]] = {
    "task.rejected": (gettext_noop("The model's answer could not be used: {reason}"), ANOTHER),
    "task.prose": (
        gettext_noop("The model wrote at length instead of giving the answer it was asked for."),
        gettext_noop("Choose another model, or one that can call tools or keep to a schema."),
    ),
    "task.cut": (
        gettext_noop("The answer ended at the limit of its length, before it was whole."),
        gettext_noop("Ask again, choose another model, or let the host raise IMPORT_MAX_TOKENS."),
    ),
    "task.filtered": (gettext_noop("The service held the answer back."), ANOTHER),
    "task.empty": (gettext_noop("The model answered nothing."), ANOTHER),
    "task.too-large": (gettext_noop("The answer was longer than is read, and was ended."), ANOTHER),
    "task.too-long": (
        gettext_noop("The question is longer than the model can take."),
        gettext_noop("Choose a model with a longer context."),
    ),
    "task.hopeless": (
        gettext_noop(
            "{count} questions in a row got no answer that could be used, so no more were asked."
            " What was finished is kept."
        ),
        gettext_noop("Choose another model and go on."),
    ),
}
OF_OUTCOME: Mapping[Outcome, str] = {
    "empty": "task.empty",
    "too-large": "task.too-large",
    "too-long": "task.too-long",
    "filtered": "task.filtered",
}
"""Faults that say something of one question; every other one would meet the next question too."""


def failed(code: str, about: str, **args: object) -> TaskFailed:
    """The failure of one question."""
    message, hint = MESSAGES[code]
    return TaskFailed("unavailable", code, about, message, hint, args)


def failed_before(record: TaskRecord) -> TaskFailed:
    """The failure that was kept."""
    return TaskFailed("unavailable", record.code, record.about, record.message, record.hint, record.args)


def hopeless(count: int) -> DomainError:
    """A model that does not manage: going on would only cost."""
    message, hint = MESSAGES["task.hopeless"]
    return DomainError("unavailable", "task.hopeless", "", message, hint, {"count": count})


def failure_of(fault: ModelFault, about: str) -> TaskFailed | None:
    """What a fault means for one question; None where it is about the endpoint."""
    code = OF_OUTCOME.get(fault.outcome)
    return failed(code, about) if code else None
