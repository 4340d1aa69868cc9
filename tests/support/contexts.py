"""The context of an import with a model, over functions instead of a model."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from formats.card import Card
from formats.card.choice import Choices, Language
from importer.pipeline.context import Deciding, ImportContext, Limits
from llm.prompts import PromptLibrary
from tests.support.asking import Reader, Readers

PROMPTS = PromptLibrary(Path(__file__).parents[2] / "prompts")
PASSAGE = re.compile(r'<passage id="([^"]*)" title="([^"]*)">\n(.*?)\n</passage>', re.DOTALL)


def context_of(
    card: Card,
    readers: dict[str, Reader],
    *,
    language: Language = "en",
    deciding: Deciding | None = None,
    limits: Limits | None = None,
    **choices: Any,
) -> ImportContext:
    """A context whose questions the readers answer; `context.tasks.asked` holds them."""
    chosen = Choices(name="World", language=language, way="model", **choices)
    return ImportContext.of(card, chosen, PROMPTS, Readers(readers), deciding, limits)


def asked_of(context: ImportContext, task: str) -> list[str]:
    """The texts asked about in a task."""
    assert isinstance(context.tasks, Readers)
    return [question.text for name, question in context.tasks.asked if name == task]


def passage_ids(text: str) -> list[str]:
    """The ids of the passages in a question."""
    return [match[1] for match in PASSAGE.finditer(text)]


def classified(*roles: str, about: str = "it", **names: str) -> dict[str, Any]:
    """An answer of `classify`. Names by keyword: `Odran="character"`, only mentioned with a `?` behind."""
    return {
        "about": about,
        "roles": list(roles),
        "names": [
            {"name": name.replace("_", " "), "kind": kind.rstrip("?"), "about": not kind.endswith("?")}
            for name, kind in names.items()
        ],
    }


NO_MERGE: dict[str, Any] = {"same": [], "nothing": []}
