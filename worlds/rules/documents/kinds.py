"""The table of document kinds: where each lives and what it is called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from formats.messages import gettext_noop as _
from worlds.rules.documents.lore import Lore, Plotline
from worlds.rules.documents.mechanics import Commands, Triggers, Variables
from worlds.rules.documents.people import Character, Faction, Relationships
from worlds.rules.documents.places import Item, Location
from worlds.rules.documents.shape import Document
from worlds.rules.documents.world import WorldFile


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of document: many in a `folder`, or one in a `file`.

    `title_field` names the field shown as a document's name ("" where a file holds a list, then `list_field`
    names the list). `singular` and `plural` are English labels marked for translation.
    """

    name: str
    model: type[Document]
    singular: str
    plural: str
    folder: str = ""
    file: str = ""
    title_field: str = "name"
    list_field: str = ""


_ALL = (
    Kind("world", WorldFile, _("World"), _("Worlds"), file="world.json"),
    Kind("character", Character, _("Character"), _("People"), folder="characters"),
    Kind("location", Location, _("Place"), _("Places"), folder="locations"),
    Kind("faction", Faction, _("Faction"), _("Factions"), folder="factions"),
    Kind("item", Item, _("Item"), _("Items"), folder="items"),
    Kind("lore", Lore, _("Lore entry"), _("Lore"), folder="lore", title_field="title"),
    Kind("plotline", Plotline, _("Plotline"), _("Plotlines"), folder="plotlines", title_field="title"),
    Kind(
        "relationships",
        Relationships,
        _("Relationship"),
        _("Relationships"),
        file="relationships.json",
        title_field="",
        list_field="relationships",
    ),
    Kind(
        "variables",
        Variables,
        _("Variable"),
        _("Variables"),
        file="variables.json",
        title_field="",
        list_field="variables",
    ),
    Kind(
        "commands",
        Commands,
        _("Command"),
        _("Commands"),
        file="commands.json",
        title_field="",
        list_field="commands",
    ),
    Kind(
        "triggers",
        Triggers,
        _("Trigger"),
        _("Triggers"),
        file="triggers.json",
        title_field="",
        list_field="triggers",
    ),
)

KINDS: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in _ALL})
"""Every kind by its singular name, in the order of the format."""

FOLDER_KINDS: Mapping[str, Kind] = MappingProxyType({kind.folder: kind for kind in _ALL if kind.folder})
FILE_KINDS: Mapping[str, Kind] = MappingProxyType({kind.file: kind for kind in _ALL if kind.file})

_BY_MODEL = {kind.model: kind for kind in _ALL}


def kind_of(document: Document) -> Kind:
    """The kind of a document."""
    return _BY_MODEL[type(document)]


def title_of(document: Document) -> str:
    """What a page calls the document; the file name's subject where it holds a list."""
    field = kind_of(document).title_field
    return str(getattr(document, field)) if field else ""
