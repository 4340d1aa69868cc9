"""What every page of an item shares: finding the item, its header, tabs and breadcrumbs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, TypeAlias

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from portal.access import Level, person_of
from portal.models import Person
from portal.render import render_page
from worlds.library.access import Item
from worlds.library.whole import Library

Word: TypeAlias = Promise | str
Tab: TypeAlias = tuple[str, Word, str]
"""Name, label, and the name of the route, which takes the item's id."""


@dataclass(frozen=True, slots=True)
class FrameWords:
    """The sentences of a kind, whole so that they can be translated."""

    library: Word
    this: Word
    more: Word
    in_trash: str


@dataclass(frozen=True, slots=True)
class Frame(Generic[Item]):
    """The pages of one kind of item.

    `app` is the namespace of its addresses, `home` the tab an item opens with. Routes are named alike in
    every library: `library`, `duplicate`, `export`, and `trash_<kind>`. Templates see the item under the
    name of its kind, and as `item`, and this as `frame`.
    """

    library: Library[Item]
    app: str
    home: str
    tabs: tuple[Tab, ...]
    words: FrameWords

    @property
    def kind(self) -> str:
        """The kind of its items: of shares, codes and routes."""
        return self.library.model.kind

    def open(self, request: HttpRequest, item_id: str, level: Level = "read") -> tuple[Person, Item]:
        """The person and the item of a page; its row is brought up to date after an edit by hand.

        Raises:
            DomainError: `not-found` (for the owner with the way back when it is in the trash), `forbidden`.
        """
        person = person_of(request)
        try:
            return person, self.library.in_step(self.library.access.item_for(person, item_id, level))
        except DomainError as error:
            if error.kind == "not-found":
                self._refuse_trashed(person, item_id)
            raise

    def page(
        self,
        request: HttpRequest,
        person: Person,
        item: Item,
        tab: str,
        template: str,
        context: Mapping[str, Any],
        partial: str | None = None,
        *,
        status: int = 200,
    ) -> HttpResponse:
        """A page below the header of an item. `tab` is the tab it belongs to; `title` names what is no tab.

        `further` in the context adds breadcrumbs below the item's own.
        """
        standing = self.library.access.standing_of(person, item)
        crumbs = [(self.words.library, self.address("library"))]
        if tab != self.home or "title" in context:
            crumbs.append((item.name, self.home_of(item)))
        frame = {
            "title": item.name,
            "crumbs": [*crumbs, *context.get("further", ())],
            "item": item,
            self.kind: item,
            "frame": self,
            "home": self.home_of(item),
            "tab": tab,
            "tabs": self.tabs_of(item),
            "standing": standing,
            "editable": standing in ("owner", "edit"),
            "mine": standing == "owner",
            "menu_links": self.menu_links(item),
            "menu_posts": self.menu_posts(item) if standing == "owner" else [],
        }
        return render_page(request, template, {**frame, **context}, partial, status=status)

    def address(self, route: str, *args: str) -> str:
        """An address of this library."""
        return reverse(f"{self.app}:{route}", args=args)

    def home_of(self, item: Item) -> str:
        """The page an item opens with."""
        route = next(route for name, _label, route in self.tabs if name == self.home)
        return self.address(route, item.pk)

    def tabs_of(self, item: Item) -> list[tuple[str, Word, str]]:
        """Name, label and address of each tab."""
        return [(name, label, self.address(route, item.pk)) for name, label, route in self.tabs]

    def menu_links(self, item: Item) -> list[tuple[str, Word, str]]:
        """What the ⋯ of an item leads to: icon, label, address."""
        return [
            ("copy", _("Duplicate"), self.address("duplicate", item.pk)),
            ("download", _("Export"), self.address("export", item.pk)),
        ]

    def menu_posts(self, item: Item) -> list[tuple[str, Word, str]]:
        """What the owner can do at once from the ⋯ of an item."""
        return [("trash", _("Move to trash"), self.address(f"trash_{self.kind}", item.pk))]

    def _refuse_trashed(self, person: Person, item_id: str) -> None:
        for item in self.library.trashed(person):
            if item.item_id == item_id:
                day = item.at + timedelta(days=settings.TRASH_DAYS)
                raise DomainError(
                    "not-found",
                    f"{self.kind}.in-trash",
                    item_id,
                    gettext_noop("“{name}” is in the trash until {day}."),
                    self.words.in_trash,
                    {"name": item.name or item_id, "day": date_format(day, "DATE_FORMAT")},
                )
