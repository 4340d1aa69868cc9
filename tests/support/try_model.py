"""`make try-model`: the import of invented cards by a real model at LLM_BASE_URL, told as a table.

Environment: LLM_BASE_URL, LLM_MODEL, LLM_API_KEY as for the server; TRY_SIZE (entries, 5), TRY_KINDS and
TRY_LANGUAGES (words, all). The model is asked exactly as an import asks it; answers are kept in memory.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import time
from dataclasses import dataclass, replace
from typing import get_args

from formats.card.choice import Language, default_choices
from formats.errors import DomainError
from importer.pipeline.build.run import build
from importer.pipeline.context import ImportContext
from importer.pipeline.finish import make_ready
from importer.pipeline.kept_answers import cost_of
from importer.pipeline.survey.run import survey
from llm.abilities import find_abilities
from llm.client import ModelClient
from llm.clients import Clients
from llm.endpoint import Endpoint
from llm.limits import Deadlines, Retries
from llm.tasks import Tasks, TaskSettings
from tests.support.contexts import PROMPTS
from tests.support.invented import KINDS, Kind, invented
from tests.support.kept import MemoryKept
from worlds.rules.check import can_start, check_world

AT = "2026-01-01T00:00:00Z"


@dataclass(slots=True)
class Told:
    """What came of one card."""

    card: str
    ended: str = ""
    survey_seconds: float = 0.0
    build_seconds: float = 0.0
    outcomes: str = ""
    errors: int = 0


async def try_card(
    client: ModelClient, endpoint: Endpoint, kind: Kind, size: int, language: Language
) -> Told:
    """One card the whole way; a halt is told, not raised."""
    kept, told = MemoryKept(), Told(f"{kind} {size} {language}")
    tasks = Tasks(
        lambda ask: client.reply(endpoint, ask),
        endpoint,
        TaskSettings(),
        kept,
        language=language,
        retries=Retries(chance=random.random),
    )
    card = invented(kind, size, language)
    choices = default_choices(card, language=language, way="model")
    context = ImportContext.of(card, choices, PROMPTS, tasks)
    began = time.monotonic()
    try:
        found = await survey(context)
        told.survey_seconds = time.monotonic() - began
        built = await build(context, found, picture=None, sha256="0" * 64, started_at=AT)
        told.build_seconds = time.monotonic() - began - told.survey_seconds
        ready = make_ready(built, [])
        problems = check_world(ready.loaded)
        told.errors = sum(problem.severity == "error" for problem in problems)
        told.ended = "a story can start" if can_start(problems) else "draft"
        told.outcomes = ", ".join(f"{count} {name}" for name, count in built.pieces.totals().items() if count)
    except DomainError as error:
        told.ended = f"halted: {error.code}"
    records = list(kept.records.values())
    used = cost_of(records)
    again = sum(record.requests - 1 for record in records)
    told.outcomes += f" | {len(records)} questions, {again} asked again, {len(used['failed'])} failed"
    told.outcomes += f" | {used['tokens_in']} tokens in, {used['tokens_out']} out"
    for one in used["failed"]:
        print(f"    {one['task']} {one['title']}: {one['code']} {one['args']}"[:200])
    return told


async def main() -> int:
    """Every card that was asked for, one after the other."""
    address, model = os.environ.get("LLM_BASE_URL", ""), os.environ.get("LLM_MODEL", "")
    if not address or not model:
        print("Set LLM_BASE_URL and LLM_MODEL, and LLM_API_KEY where the service wants one.")
        return 2
    size = int(os.environ.get("TRY_SIZE", "5"))
    kinds = [kind for kind in KINDS if kind in os.environ.get("TRY_KINDS", " ".join(KINDS)).split()]
    wanted = os.environ.get("TRY_LANGUAGES", "en zh-hans").split()
    client = Clients([address], deadlines=Deadlines(first=300, between=300, total=600)).here()
    endpoint = Endpoint("openai", address, model, os.environ.get("LLM_API_KEY", ""))
    found = await find_abilities(client, endpoint)
    endpoint = replace(endpoint, abilities=found.abilities)
    print(f"{model}: answers as {endpoint.abilities.answer_form}")
    for language in get_args(Language):
        for kind in kinds if language in wanted else ():
            told = await try_card(client, endpoint, kind, size, language)
            seconds = f"survey {told.survey_seconds:.0f} s, build {told.build_seconds:.0f} s"
            print(f"{told.card}: {told.ended} ({told.errors} errors); {seconds}; {told.outcomes}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
