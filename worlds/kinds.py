"""The kinds of element the pages show: documents of a folder, entries of a list file, prompts.

One table for addresses, lists, forms and the index. `worlds.rules.KINDS` says how a file is read; this says
how a page goes about what is in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from django.utils.translation import gettext_lazy as _

from formats.errors import DomainError
from formats.messages import gettext_noop
from worlds.rules.documents import (
    KINDS,
    Command,
    Part,
    Relationship,
    Trigger,
    VariableDeclaration,
)


@dataclass(frozen=True, slots=True)
class ElementKind:
    """One kind of element.

    `slug` stands in addresses (`/elements/characters/`), `name` in the index and in references. Documents
    have a `folder`; entries have a `file` and the `list_field` in it; prompts have neither. `id_field` names
    the entry's own id, "" where it has none (a relationship is found by its content). `empty` is what a page
    says where a world has none.
    """

    slug: str
    name: str
    document: str
    model: type[Part] | None
    singular: object
    plural: object
    empty: object
    folder: str = ""
    file: str = ""
    list_field: str = ""
    id_field: str = "id"
    title_field: str = "name"

    @property
    def holds(self) -> Literal["documents", "entries", "prompts"]:
        """How elements of this kind are stored."""
        return "documents" if self.folder else "entries" if self.file else "prompts"


def _documents(name: str, singular: object, plural: object, empty: object) -> ElementKind:
    kind = KINDS[name]
    return ElementKind(
        slug=kind.folder,
        name=name,
        document=name,
        model=kind.model,
        singular=singular,
        plural=plural,
        empty=empty,
        folder=kind.folder,
        title_field=kind.title_field,
    )


def _entries(
    name: str, document: str, model: type[Part], id_field: str, title_field: str, *words: object
) -> ElementKind:
    kind = KINDS[document]
    singular, plural, empty = words
    return ElementKind(
        slug=kind.name,
        name=name,
        document=document,
        model=model,
        singular=singular,
        plural=plural,
        empty=empty,
        file=kind.file,
        list_field=kind.list_field,
        id_field=id_field,
        title_field=title_field,
    )


_ALL = (
    _documents("character", _("person"), _("People"), _("No people. A world can be played without any.")),
    _documents(
        "location", _("place"), _("Places"), _("No places. A story then happens nowhere in particular.")
    ),
    _documents("faction", _("faction"), _("Factions"), _("No factions. Cards often have none.")),
    _documents("item", _("item"), _("Items"), _("No items.")),
    _documents("lore", _("lore entry"), _("Lore"), _("No lore.")),
    _documents("plotline", _("plotline"), _("Plotlines"), _("No plotlines. Stories find their own way.")),
    _entries(
        "relationship",
        "relationships",
        Relationship,
        "",
        "",
        _("relation"),
        _("Relations"),
        _("No relations. Where none stands, two people do not know of each other."),
    ),
    _entries(
        "variable",
        "variables",
        VariableDeclaration,
        "key",
        "label",
        _("variable"),
        _("Variables"),
        _("No variables. Nothing is tracked besides what the story tells."),
    ),
    _entries(
        "trigger",
        "triggers",
        Trigger,
        "id",
        "description",
        _("trigger"),
        _("Triggers"),
        _("No triggers. Nothing happens by itself."),
    ),
    _entries(
        "command",
        "commands",
        Command,
        "name",
        "name",
        _("command"),
        _("Commands"),
        _("No commands. Players write freely."),
    ),
    ElementKind(
        slug="prompts",
        name="prompt",
        document="",
        model=None,
        singular=_("prompt"),
        plural=_("Prompts"),
        empty=_("No prompts of its own. The narrator uses the server's."),
    ),
)

ELEMENT_KINDS: Mapping[str, ElementKind] = MappingProxyType({kind.slug: kind for kind in _ALL})
"""Every kind by its slug, in the order of the pages."""

BY_NAME: Mapping[str, ElementKind] = MappingProxyType({kind.name: kind for kind in _ALL})
BY_DOCUMENT: Mapping[str, ElementKind] = MappingProxyType({k.document: k for k in _ALL if k.document})


def element_kind(slug: str) -> ElementKind:
    """The kind of a slug.

    Raises:
        DomainError: `not-found` for any other word.
    """
    kind = ELEMENT_KINDS.get(slug)
    if kind is None:
        raise DomainError(
            "not-found",
            "no-such-kind",
            message=gettext_noop("A world has no elements of this kind."),
            hint=gettext_noop("Choose one of the kinds above the list."),
        )
    return kind
