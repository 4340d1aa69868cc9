"""`world.json`: what a world is called, how a story in it opens, and where it came from."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import JsonValue

from formats.messages import gettext_noop as _
from worlds.rules.documents.shape import DESCRIPTION, NAME, SCHEMA, TAGS, Document, Named, Part, shown

WORLD_INFO_FIELDS = (
    "description",
    "tags",
    "author",
    "language",
    "opening",
    "alternate_openings",
    "cover",
    "starting_location",
)
"""What the assistant may change by `edit_world_info`: not name, preset, lorebooks, sampling or tools."""


class Opening(Part):
    """One further way to begin."""

    label: Annotated[str, shown(_("Label"), _("How this opening is named in the list."))] = ""
    text: Annotated[str, shown(_("Text"), "", "long")]


class Source(Part):
    """Where a world comes from; further keys depend on `kind` (a card's name, a copy's origin)."""

    open_ended: ClassVar[bool] = True

    kind: Annotated[
        Literal["card", "lorebook", "catalogue", "copy", "blank"],
        shown(_("Made from"), "", "choice"),
    ]


class WorldFile(Document):
    """`world.json`. Times are ISO 8601 in UTC."""

    schema_: Annotated[Literal["roleplay-world/v1"], SCHEMA] = "roleplay-world/v1"
    name: Annotated[Named, NAME]
    description: Annotated[str, DESCRIPTION] = ""
    tags: Annotated[list[str], TAGS] = []
    author: Annotated[str, shown(_("Author"))] = ""
    language: Annotated[str, shown(_("Language"), _("The language its texts are written in."))] = ""
    opening: Annotated[
        str, shown(_("Opening"), _("The first text of a story. A story cannot start without one."), "long")
    ] = ""
    alternate_openings: Annotated[
        list[Opening], shown(_("Other openings"), _("Can be chosen when a story starts."), "parts")
    ] = []
    cover: Annotated[str | None, shown(_("Cover"), "", "image")] = None
    starting_location: Annotated[
        str | None, shown(_("Starting location"), _("Where a story begins."), "ref:location")
    ] = None
    preset: Annotated[str | None, shown(_("Preset"), "", "fixed")] = None
    lorebooks: Annotated[list[str], shown(_("Lorebooks"), "", "fixed")] = []
    sampling: Annotated[dict[str, JsonValue], shown(_("Sampling"), "", "map")] = {}
    tools: Annotated[dict[str, JsonValue], shown(_("Tools"), "", "map")] = {}
    source: Annotated[Source | None, shown(_("Origin"), "", "fixed")] = None
    created_at: Annotated[str, shown(_("Created"), "", "fixed")] = ""
    updated_at: Annotated[str, shown(_("Changed"), "", "fixed")] = ""
