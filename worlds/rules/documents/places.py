"""Locations with their exits, and the things that lie or are carried about."""

from __future__ import annotations

from typing import Annotated, Literal

from formats.messages import gettext_noop as _
from worlds.rules.documents.shape import (
    ALIASES,
    DESCRIPTION,
    ID,
    NAME,
    SCHEMA,
    SECRETS,
    SUMMARY,
    Document,
    Named,
    Part,
    shown,
)


class Exit(Part):
    """A way out of a location. It can be walked back unless `one_way`."""

    id: Annotated[Named, shown(_("Id"), _("Unique among all ways of the world."))]
    to: Annotated[Named, shown(_("Leads to"), "", "ref:location")]
    name: Annotated[str, NAME] = ""
    description: Annotated[str, DESCRIPTION] = ""
    one_way: Annotated[bool, shown(_("One way only"), "", "flag")] = False
    hidden: Annotated[bool, shown(_("Hidden"), _("Found only in play."), "flag")] = False


class Location(Document):
    """`locations/<id>.json`."""

    schema_: Annotated[Literal["roleplay-location/v1"], SCHEMA] = "roleplay-location/v1"
    id: Annotated[Named, ID]
    name: Annotated[Named, NAME]
    aliases: Annotated[list[str], ALIASES] = []
    kind: Annotated[str, shown(_("Kind"), _("Such as city, inn or forest."))] = ""
    summary: Annotated[str, SUMMARY] = ""
    description: Annotated[str, DESCRIPTION] = ""
    parent: Annotated[
        str | None, shown(_("Part of"), _("The larger location it lies in."), "ref:location")
    ] = None
    exits: Annotated[list[Exit], shown(_("Ways out"), "", "parts")] = []
    picture: Annotated[str | None, shown(_("Picture"), "", "image")] = None
    secrets: Annotated[str, SECRETS] = ""


class Item(Document):
    """`items/<id>.json`. Held by someone or lying somewhere, never both."""

    schema_: Annotated[Literal["roleplay-item/v1"], SCHEMA] = "roleplay-item/v1"
    id: Annotated[Named, ID]
    name: Annotated[Named, NAME]
    aliases: Annotated[list[str], ALIASES] = []
    summary: Annotated[str, SUMMARY] = ""
    description: Annotated[str, DESCRIPTION] = ""
    held_by: Annotated[str | None, shown(_("Held by"), "", "ref:character")] = None
    location: Annotated[str | None, shown(_("Lies at"), "", "ref:location")] = None
    portable: Annotated[bool, shown(_("Can be carried"), "", "flag")] = True
    secrets: Annotated[str, SECRETS] = ""
