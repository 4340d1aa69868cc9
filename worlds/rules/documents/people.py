"""Characters, factions, and how people stand to each other."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from formats.messages import gettext_noop as _
from worlds.rules.documents.shape import (
    ALIASES,
    DESCRIPTION,
    ID,
    NAME,
    SCHEMA,
    SECRETS,
    SUMMARY,
    TAGS,
    Document,
    Named,
    Part,
    shown,
)

PLAIN_RELATION = "acquaintance"
"""The type of an edge that says no more than that one knows of the other."""


class Speech(Part):
    """How someone talks."""

    style: Annotated[str, shown(_("Way of speaking"), "", "long")] = ""
    examples: Annotated[list[str], shown(_("Examples"), _("Lines of dialogue."), "lines")] = []


class Knowledge(Part):
    """What a character knows of when a story starts."""

    locations: Annotated[list[str], shown(_("Known locations"), "", "ref:location")] = []
    items: Annotated[list[str], shown(_("Known items"), "", "ref:item")] = []
    exits: Annotated[list[str], shown(_("Known ways"), "", "ref:exit")] = []
    lore: Annotated[list[str], shown(_("Known lore"), "", "ref:lore")] = []
    characters: Annotated[list[str], shown(_("Known characters"), "", "ref:character")] = []


class Portrait(Part):
    """The reference picture of a character; `file` is a path in the world folder."""

    file: Annotated[Named, shown(_("Picture"), "", "image")]
    source: Annotated[
        Literal["uploaded", "downloaded", "generated"], shown(_("Picture from"), "", "choice")
    ] = "uploaded"
    original_name: Annotated[str, shown(_("Original file name"), "", "fixed")] = ""


class Character(Document):
    """`characters/<id>.json`. Mood is built into play and is no field."""

    schema_: Annotated[Literal["roleplay-character/v1"], SCHEMA] = "roleplay-character/v1"
    id: Annotated[Named, ID]
    name: Annotated[Named, NAME]
    aliases: Annotated[list[str], ALIASES] = []
    playable: Annotated[bool, shown(_("Can be played"), _("Offered as the player's character."), "flag")] = (
        False
    )
    summary: Annotated[str, SUMMARY] = ""
    description: Annotated[str, DESCRIPTION] = ""
    appearance: Annotated[str, shown(_("Appearance"), "", "long")] = ""
    personality: Annotated[str, shown(_("Personality"), "", "long")] = ""
    background: Annotated[str, shown(_("Background"), "", "long")] = ""
    goals: Annotated[list[str], shown(_("Goals"), _("One a line."), "lines")] = []
    speech: Annotated[Speech, shown(_("Speech"), "", "part")] = Speech()
    starting_location: Annotated[str | None, shown(_("Starting location"), "", "ref:location")] = None
    knowledge: Annotated[Knowledge, shown(_("Knowledge"), "", "part")] = Knowledge()
    secrets: Annotated[str, SECRETS] = ""
    portrait: Annotated[Portrait | None, shown(_("Portrait"), "", "part")] = None
    tags: Annotated[list[str], TAGS] = []


class Member(Part):
    """Someone who belongs to a faction."""

    character: Annotated[Named, shown(_("Character"), "", "ref:character")]
    role: Annotated[str, shown(_("Role"))] = ""


class Stance(Part):
    """How a faction stands to another."""

    faction: Annotated[Named, shown(_("Faction"), "", "ref:faction")]
    stance: Annotated[str, shown(_("Stance"))] = ""


class Faction(Document):
    """`factions/<id>.json`."""

    schema_: Annotated[Literal["roleplay-faction/v1"], SCHEMA] = "roleplay-faction/v1"
    id: Annotated[Named, ID]
    name: Annotated[Named, NAME]
    aliases: Annotated[list[str], ALIASES] = []
    summary: Annotated[str, SUMMARY] = ""
    description: Annotated[str, DESCRIPTION] = ""
    goals: Annotated[list[str], shown(_("Goals"), _("One a line."), "lines")] = []
    members: Annotated[list[Member], shown(_("Members"), "", "parts")] = []
    relations: Annotated[list[Stance], shown(_("Relations"), "", "parts")] = []
    base: Annotated[str | None, shown(_("Base"), _("The location it acts from."), "ref:location")] = None
    secrets: Annotated[str, SECRETS] = ""


class Relationship(Part):
    """An edge from one character to another; `mutual` makes it hold both ways."""

    source: Annotated[Named, Field(alias="from"), shown(_("From"), "", "ref:character")]
    target: Annotated[Named, Field(alias="to"), shown(_("To"), "", "ref:character")]
    type: Annotated[str, shown(_("Type"), _("In your own words, such as sister or rival."))] = PLAIN_RELATION
    description: Annotated[str, DESCRIPTION] = ""
    mutual: Annotated[bool, shown(_("Both ways"), "", "flag")] = False


class Relationships(Document):
    """`relationships.json`. Worlds are closed: where no edge stands, the two do not know of each other."""

    schema_: Annotated[Literal["roleplay-relationships/v1"], SCHEMA] = "roleplay-relationships/v1"
    relationships: Annotated[list[Relationship], shown(_("Relationships"), "", "parts")] = []
