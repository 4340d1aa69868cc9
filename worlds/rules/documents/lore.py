"""Lore entries and plotlines: what is known of a world and what may happen in it."""

from __future__ import annotations

from typing import Annotated, Literal

from formats.messages import gettext_noop as _
from worlds.rules.documents.shape import (
    ID,
    SCHEMA,
    SECRETS,
    SUMMARY,
    TITLE,
    Document,
    Named,
    Number,
    Part,
    shown,
)

LoreType = Literal[
    "history",
    "geography",
    "culture",
    "people",
    "religion",
    "law",
    "economy",
    "technology",
    "magic",
    "creature",
    "event",
    "language",
    "rule",
    "custom",
]


class Lore(Document):
    """`lore/<id>.json`.

    `scope` `listed` with an empty `known_by` is read by the game master and the world author alone (D31).
    `valid_from` and `valid_until` are numbers on the world's own calendar, open where null.
    """

    schema_: Annotated[Literal["roleplay-lore/v1"], SCHEMA] = "roleplay-lore/v1"
    id: Annotated[Named, ID]
    title: Annotated[Named, TITLE]
    type: Annotated[LoreType, shown(_("Type"), "", "choice")] = "custom"
    summary: Annotated[str, SUMMARY] = ""
    text: Annotated[str, shown(_("Text"), "", "long")] = ""
    keywords: Annotated[list[str], shown(_("Keywords"), _("One a line."), "lines")] = []
    scope: Annotated[
        Literal["everyone", "listed"],
        shown(_("Who knows it"), _("Everyone, or only those listed."), "choice"),
    ] = "everyone"
    known_by: Annotated[
        list[str],
        shown(
            _("Known by"),
            _("Characters and factions. Nobody listed: the game master alone."),
            "ref:character|faction",
        ),
    ] = []
    valid_from: Annotated[Number | None, shown(_("Holds from"), _("On the world's calendar."), "number")] = (
        None
    )
    valid_until: Annotated[
        Number | None, shown(_("Holds until"), _("On the world's calendar."), "number")
    ] = None
    about: Annotated[
        list[str],
        shown(_("About"), _("What it speaks of."), "ref:character|location|faction|item|lore|plotline"),
    ] = []


class Stage(Part):
    """A step of a plotline."""

    id: Annotated[Named, shown(_("Id"))]
    title: Annotated[str, TITLE] = ""
    text: Annotated[str, shown(_("Text"), "", "long")] = ""


class Plotline(Document):
    """`plotlines/<id>.json`."""

    schema_: Annotated[Literal["roleplay-plotline/v1"], SCHEMA] = "roleplay-plotline/v1"
    id: Annotated[Named, ID]
    title: Annotated[Named, TITLE]
    summary: Annotated[str, SUMMARY] = ""
    stages: Annotated[list[Stage], shown(_("Stages"), "", "parts")] = []
    involves: Annotated[
        list[str],
        shown(_("Involves"), _("Who and what it is about."), "ref:character|location|faction|item|lore"),
    ] = []
    secrets: Annotated[str, SECRETS] = ""
