"""Tracked variables, slash commands, and triggers with what sets them off and what they do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from formats.messages import gettext_noop as _
from worlds.rules.documents.shape import (
    DESCRIPTION,
    SCHEMA,
    Document,
    Named,
    Number,
    Part,
    PlainValue,
    shown,
)


class Band(Part):
    """A named stretch of a number: up to and including `up_to`."""

    up_to: Annotated[Number, shown(_("Up to"), "", "number")]
    label: Annotated[Named, shown(_("Label"))]


class VariableDeclaration(Part):
    """One tracked value. Which fields a kind uses is judged by `variable_problems`, not by the shape."""

    key: Annotated[Named, shown(_("Key"), _("Lower-case ASCII letters, digits and underscores."))]
    label: Annotated[str, shown(_("Label"))] = ""
    scope: Annotated[
        Literal["world", "character", "location", "item"], shown(_("Kept for"), "", "choice")
    ] = "world"
    applies_to: Annotated[
        list[str],
        shown(
            _("Only for"),
            _("Nobody listed: all of that kind."),
            "ref:@scope",
            emptied="lost",
        ),
    ] = []
    kind: Annotated[Literal["number", "flag", "choice"], shown(_("Kind"), "", "choice")]
    default: Annotated[PlainValue | None, shown(_("First value"), "", "value")] = None
    min: Annotated[Number | None, shown(_("Smallest"), "", "number")] = None
    max: Annotated[Number | None, shown(_("Largest"), "", "number")] = None
    step: Annotated[Number | None, shown(_("Step"), "", "number")] = None
    bands: Annotated[
        list[Band], shown(_("Bands"), _("Rising; the last one reaches the largest value."), "parts")
    ] = []
    options: Annotated[list[str], shown(_("Options"), _("Two or more, one a line."), "lines")] = []
    description: Annotated[str, shown(_("Description"), _("What it means."), "long")] = ""
    update_rule: Annotated[str, shown(_("Changes when"), "", "long")] = ""


class Variables(Document):
    """`variables.json`."""

    schema_: Annotated[Literal["roleplay-variables/v1"], SCHEMA] = "roleplay-variables/v1"
    variables: Annotated[list[VariableDeclaration], shown(_("Variables"), "", "parts")] = []


class Command(Part):
    """A slash word the player may type; `marker` is what a story carries where it was typed."""

    name: Annotated[Named, shown(_("Word"), _("Typed after a slash; no spaces."))]
    description: Annotated[str, DESCRIPTION] = ""
    marker: Annotated[str, shown(_("Marker"))] = ""


class Commands(Document):
    """`commands.json`."""

    schema_: Annotated[Literal["roleplay-commands/v1"], SCHEMA] = "roleplay-commands/v1"
    commands: Annotated[list[Command], shown(_("Commands"), "", "parts")] = []


class WhenCommand(Part):
    """A command was typed."""

    command: Annotated[Named, shown(_("Command"), "", "ref:command")]


class WhenEvent(Part):
    """An event happened: one statement in the past tense, judged by a model."""

    event: Annotated[Named, shown(_("Event"), _("One statement in the past tense."), "long")]


class WhenVariable(Part):
    """A tracked value compares as told."""

    variable: Annotated[Named, shown(_("Variable"), "", "ref:variable")]
    op: Annotated[Literal["==", "!=", "<", "<=", ">", ">="], shown(_("Compared"), "", "choice")]
    value: Annotated[PlainValue, shown(_("Value"), "", "value")]


class Dispatch(Part):
    """The world author makes someone or something: what is needed, and what may be drawn for it."""

    dispatch: Annotated[Literal["author"], shown(_("Sent to"), "", "choice")]
    need: Annotated[Named, shown(_("Need"), _("What the author shall make."), "long")]
    draw: Annotated[list[str], shown(_("Draw from"), _("One of these is drawn; one a line."), "lines")] = []


class SetValues(Part):
    """Tracked values change."""

    set: Annotated[
        dict[str, PlainValue], shown(_("Set"), _("Variable and new value."), "ref:variable", emptied="lost")
    ]


class Reveal(Part):
    """Lore becomes known."""

    reveal: Annotated[list[str], shown(_("Reveal"), _("Lore entries."), "ref:lore", emptied="lost")]


class Note(Part):
    """The game master is told something."""

    note: Annotated[Named, shown(_("Note"), _("Told to the game master."), "long")]


def _tag(keys: Mapping[str, type[Part]]) -> Any:
    """Choose a shape of a union by the one key that marks it. Tags are no possible keys (see `reader`)."""

    def choose(value: object) -> str | None:
        for key, shape in keys.items():
            if isinstance(value, shape) or (isinstance(value, dict) and key in value):
                return f"<{key}>"
        return None

    return Discriminator(
        choose,
        custom_error_type="shape_unknown",
        custom_error_message="one of the shapes",
        custom_error_context={"accepted": ", ".join(keys)},
    )


When = Annotated[
    Annotated[WhenCommand, Tag("<command>")]
    | Annotated[WhenEvent, Tag("<event>")]
    | Annotated[WhenVariable, Tag("<variable>")],
    _tag({"command": WhenCommand, "event": WhenEvent, "variable": WhenVariable}),
]
Effect = Annotated[
    Annotated[Dispatch, Tag("<dispatch>")]
    | Annotated[SetValues, Tag("<set>")]
    | Annotated[Reveal, Tag("<reveal>")]
    | Annotated[Note, Tag("<note>")],
    _tag({"dispatch": Dispatch, "set": SetValues, "reveal": Reveal, "note": Note}),
]


class Trigger(Part):
    """Something that happens by itself once its condition holds; `cooldown` counts turns."""

    id: Annotated[Named, shown(_("Id"))]
    description: Annotated[str, DESCRIPTION] = ""
    when: Annotated[When, shown(_("When"), "", "part")]
    effect: Annotated[Effect, shown(_("What happens"), "", "part")]
    once: Annotated[bool, shown(_("Only once"), "", "flag")] = False
    cooldown: Annotated[int, Field(ge=0), shown(_("Turns to wait"), "", "number")] = 0


class Triggers(Document):
    """`triggers.json`."""

    schema_: Annotated[Literal["roleplay-triggers/v1"], SCHEMA] = "roleplay-triggers/v1"
    triggers: Annotated[list[Trigger], shown(_("Triggers"), "", "parts")] = []
