"""The commands of an authoring conversation: one parser for all of them (RUN-12)."""

from __future__ import annotations

import pytest

from formats.card.choice import default_choices
from importer.pipeline.record import Reading
from importer.pipeline.start_message import COMMAND, start_message
from tests.support.plain_cards import full_card
from worlds.authoring.commands import COMMANDS, Command, command_in


@pytest.mark.req("RUN-12")
@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/import-st .import/card.json", Command("import-st", (".import/card.json",))),
        ("  /check\nand more", Command("check")),
        ("/check-card deep  now", Command("check-card", ("deep", "now"))),
        ("/check-all", Command("check-all")),
        ("/checks", None),
        ("please /check", None),
        ("/", None),
        ("", None),
        ("/IMPORT-ST x", None),
    ],
)
def test_a_command_begins_its_message(text: str, command: Command | None) -> None:
    assert command_in(text) == command


@pytest.mark.req("RUN-12")
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_known(name: str) -> None:
    assert command_in(f"/{name}") == Command(name)


@pytest.mark.req("RUN-1", "OUT-2")
@pytest.mark.parametrize(("language", "said"), [("en", "Not carried over: "), ("zh-hans", "不会带入：")])
def test_the_message_of_an_import_names_the_card_and_what_is_not_carried(language: str, said: str) -> None:
    card = full_card()
    card.data["description"] = "<panel>{{weather}}</panel> <% if (x) { %>rain<% } %>"
    choices = default_choices(card, language=language)  # type: ignore[arg-type]
    text = start_message(card, Reading(verdict="card", container="png:tEXt:ccv3", spec="V3"), choices)
    first, second, third = text.split("\n")
    assert first == COMMAND
    assert command_in(text) == Command("import-st", (".import/card.json",))
    assert all(word in second for word in ("Lina", "V3", "PNG", "3"))
    assert third.startswith(said)
