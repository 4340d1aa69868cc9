"""A scripted model that reads invented cards, as a server of the real protocol."""

from __future__ import annotations

from typing import Any

from formats.card.choice import Language
from importer import actions
from importer.pipeline.record import ImportRecord
from llm.scripted import Line, Rule, Script
from llm.scripted.script import Asked
from portal.models import Person
from tests.support.cards import json_bytes
from tests.support.endpoints import an_endpoint, list_address
from tests.support.importing import ready
from tests.support.invented import Kind, Reader, invented
from worlds.models import World
from worlds.queries import folder_of


def reading_script(language: Language, *rules: Rule) -> Script:
    """Answers from the text of each question; `rules` come first."""
    reader = Reader(language)

    def read(asked: Asked) -> Line | None:
        if asked.task not in reader.readers():
            return None
        return Line(answer=reader.answer(asked.task, str(asked.body["messages"][-1]["content"])))

    return Script(rules, reader=read)


def model_world(
    owner: Person,
    address: str,
    *,
    kind: Kind = "several",
    size: int = 6,
    language: Language = "en",
    **said: Any,
) -> World:
    """A started import of an invented card, whose model is at this address."""
    list_address(address)
    endpoint = an_endpoint(owner, address, abilities={"schema": True, "streaming": True}, **said)
    card = invented(kind, size, language)
    upload = ready(owner, json_bytes(card.to_v3()))
    actions.choose(actor=owner, upload=upload, way="model", language=language, endpoint=endpoint.pk)
    return actions.start_structure(actor=owner, upload=upload)


def record_of(world: World) -> ImportRecord:
    """The import folder of a world."""
    return ImportRecord(folder_of(world))
