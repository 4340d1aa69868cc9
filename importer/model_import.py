"""An import with a model, joined to people: whose endpoint is asked, and where its turn is kept."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, cast

from django.conf import settings

from formats.card.choice import Choices
from formats.errors import DomainError
from formats.messages import gettext_noop
from importer.pipeline.context import ImportContext, Limits
from importer.pipeline.kept_answers import KeptAnswers
from importer.pipeline.model_steps import ModelImport
from importer.pipeline.record import ImportRecord
from llm.decide import DecisionService
from llm.endpoint import Endpoint
from llm.limits import Retries
from llm.prompts import PromptLibrary
from llm.tasks import TaskRecord, Tasks, TaskSettings
from llm.tasks.settings import Reasoning
from portal.database import in_database
from portal.endpoints import calling
from portal.endpoints.access import endpoint_for
from portal.endpoints.queries import endpoint_of, for_purpose
from portal.models import ModelEndpoint, Person, Purpose
from worlds.authoring import rows
from worlds.authoring.commands import command_in
from worlds.models import Conversation, World
from worlds.queries import folder_of

PROMPTS = PromptLibrary(Path(settings.BASE_DIR) / "prompts")
ENDED: Mapping[str, str] = {
    "finished": gettext_noop("The import is finished. Every piece of the card is accounted for."),
    "stopped": gettext_noop("The import was stopped. What is finished is kept."),
}
NO_ENDPOINT = gettext_noop("There is no model to read the card with. Nothing was changed.")
NO_ENDPOINT_HINT = gettext_noop("Add a model in the settings, or import without one.")


def endpoint_to_use(person: Person, choices: Choices) -> ModelEndpoint:
    """The endpoint of an import: the one chosen, else the person's for importing.

    Raises:
        DomainError: `invalid`, there is none; `not-found`, the chosen one is not open to them any more.
    """
    if choices.endpoint:
        return endpoint_for(person, choices.endpoint)
    found = for_purpose(person, Purpose.IMPORTING)
    if found is None:
        raise DomainError("invalid", "import.no-endpoint", "endpoint", NO_ENDPOINT, NO_ENDPOINT_HINT)
    return found


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """`importer.pipeline.model_steps.Turn` over the rows of a conversation."""

    conversation: Conversation

    async def call(self, tool: str) -> None:
        await in_database(rows.begin_call, self.conversation, tool)

    async def result(self, tool: str, told: Mapping[str, Any]) -> None:
        await in_database(rows.end_call, self.conversation, tool, told)

    async def end(self, how: str, error: DomainError | None = None) -> None:
        if error is None:
            await in_database(rows.end_turn, self.conversation, ENDED[how])
        else:
            await in_database(rows.end_turn, self.conversation, error.message, error.values)


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a worker needs before it begins: the turn, and which endpoints it asks in whose name."""

    turn: StoredTurn
    endpoint: Endpoint
    caller: calling.Caller
    deciding: calling.Caller | None


def prepare(world: World, choices: Choices, group: str) -> Prepared:
    """Look up what the import works with; `group` names its calls in the record of usage.

    Raises:
        DomainError: as `endpoint_to_use`; `conflict` where no turn asks for an import (RUN-12).
    """
    conversation = rows.conversations_of(world).filter(turn_open=True).first()
    command = command_in(rows.person_said(conversation)) if conversation else None
    if conversation is None or command is None or command.name != "import-st":
        raise DomainError(
            "conflict",
            "import.no-turn",
            world.pk,
            gettext_noop("Nobody asked for this import. Nothing was changed."),
            gettext_noop("Open the import and press Go on."),
        )
    row = endpoint_to_use(world.owner, choices)
    made = partial(calling.Caller, world.owner_id, about=f"world:{world.pk}", group=group)
    deciding = None
    if settings.IMPORTS.decisions == "decision":
        chosen = for_purpose(world.owner, Purpose.DECIDING)
        deciding = made(endpoint_id=chosen.pk, purpose=Purpose.DECIDING) if chosen else None
    caller = made(endpoint_id=row.pk, purpose=Purpose.IMPORTING)
    return Prepared(StoredTurn(conversation), endpoint_of(row), caller, deciding)


def steps_of(
    world: World, prepared: Prepared, on_kept: Callable[[TaskRecord], Awaitable[None]]
) -> ModelImport:
    """The import of a world as one worker does it."""
    record, limits = ImportRecord(folder_of(world)), settings.IMPORTS

    def context_of(kept: KeptAnswers) -> ImportContext:
        choices = record.choices()
        tasks = Tasks(
            partial(calling.reply, prepared.caller),
            prepared.endpoint,
            TaskSettings(
                limits.concurrency,
                limits.max_tokens,
                cast(Reasoning, limits.reasoning),
                limits.temperature,
            ),
            kept,
            language=choices.language,
            retries=Retries(chance=random.random),
        )
        deciding = DecisionService(partial(calling.reply, prepared.deciding)) if prepared.deciding else None
        told = Limits(limits.decisions, limits.confidence, limits.variables_per_request)
        return ImportContext.of(record.card(), choices, PROMPTS, tasks, deciding, told)

    return ModelImport(
        record,
        prepared.turn,
        context_of,
        seconds=limits.timeout_minutes * 60.0,
        on_kept=on_kept,
        by=world.owner.handle,
        now=lambda: datetime.now(UTC),
    )
