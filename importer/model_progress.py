"""How an import with a model is going, from the answers that are kept: stored first, then shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from formats.errors import DomainError
from importer.pipeline.kept_answers import cost_of, kept_records
from importer.pipeline.record import ImportRecord
from llm.tasks import TaskRecord
from portal.say import sentence
from worlds.models import World
from worlds.queries import folder_of

SHOWN = 8
TASKS: dict[str, Promise] = {
    "classify": pgettext_lazy("question to a model", "Sorted"),
    "roster": pgettext_lazy("question to a model", "Names put together"),
    "character": pgettext_lazy("question to a model", "Person"),
    "location": pgettext_lazy("question to a model", "Place"),
    "faction": pgettext_lazy("question to a model", "Group"),
    "item": pgettext_lazy("question to a model", "Thing"),
    "lore": pgettext_lazy("question to a model", "Lore"),
    "generator": pgettext_lazy("question to a model", "Searched for rules"),
    "casting": pgettext_lazy("question to a model", "Making of people"),
    "variables": pgettext_lazy("question to a model", "Tracked values"),
    "style": pgettext_lazy("question to a model", "Narration style"),
    "world": pgettext_lazy("question to a model", "About the world"),
    "routes": pgettext_lazy("question to a model", "Ways"),
}
"""What each kind of question is for, as its line on a page says it."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A question without a usable answer: what it was about and why."""

    word: Promise | str
    title: str
    reason: str
    hint: str


@dataclass(frozen=True, slots=True)
class ModelProgress:
    """What the answers so far say. `last`: (kind, title), the newest first. `cost` as the report has it."""

    answered: int
    sorted: int
    last: list[tuple[Promise | str, str]]
    failures: list[Failure]
    cost: dict[str, Any]

    @classmethod
    def of(cls, world: World) -> ModelProgress | None:
        """None for an import without a model, or whose record cannot be read."""
        record = ImportRecord(folder_of(world))
        try:
            if record.choices().way != "model":
                return None
        except (DomainError, ValueError):
            return None
        records = kept_records(record)
        good = [kept for kept in records if kept.state == "answered"]
        counts = Counter(kept.task for kept in good)
        return cls(
            answered=len(good),
            sorted=counts["classify"],
            last=[(word_of(kept.task), kept.title) for kept in reversed(good[-SHOWN:])],
            failures=[failure_of(kept) for kept in records if kept.state == "failed"],
            cost=cost_of(records),
        )


def word_of(task: str) -> Promise | str:
    """What a kind of question is for; its name where it is none of ours."""
    return TASKS.get(task, task)


def failure_of(kept: TaskRecord) -> Failure:
    reason, hint = sentence(kept.message, kept.args), sentence(kept.hint, kept.args)
    return Failure(word_of(kept.task), kept.title, reason, hint)


def told_failures(failed: list[dict[str, Any]]) -> list[Failure]:
    """The failures that a report holds."""
    return [
        Failure(
            word_of(str(one.get("task", ""))),
            str(one.get("title", "")),
            sentence(str(one.get("message", "")), one.get("args", {})),
            sentence(str(one.get("hint", "")), one.get("args", {})),
        )
        for one in failed
        if isinstance(one, dict)
    ]
