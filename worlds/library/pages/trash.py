"""Moving an item to the trash, looking into the trash, bringing back, emptying."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Any, Generic

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.access import person_of
from portal.models import Person
from portal.render import render_page
from worlds.library.access import Item
from worlds.library.pages.frame import Frame, Word
from worlds.store.shelf import TrashedItem
from worlds.views.frame import see_other


@dataclass(frozen=True, slots=True)
class TrashWords:
    """The sentences of a kind: `one` takes `%(name)s`; `several` and `gone` count (`ngettext_lazy`, `n`)."""

    title: Word
    stay: Word
    one: Word
    several: Word
    gone: Word


@dataclass(frozen=True, slots=True)
class Trash(Generic[Item]):
    """The trash of one kind. Routes: `trash`, `empty_trash`, `restore_<kind>`.

    `worlds` says how many worlds, among those a person may read, use an item.
    """

    frame: Frame[Item]
    words: TrashWords
    worlds: Callable[[Person, Item], int]

    def move(self, request: HttpRequest, item_id: str) -> HttpResponse:
        """To the trash at once; the notice offers the way back, and names the worlds that will miss it."""
        person = person_of(request)
        item = self.frame.library.access.own_item_for(person, item_id)
        worlds = self.worlds(person, item)
        entry_id = self.frame.library.trash(person, item)
        text = _("“%(name)s” is in the trash for 30 days.") % {"name": item.name}
        if worlds:
            missing = ngettext(
                "%(n)s world goes without it meanwhile.", "%(n)s worlds go without it meanwhile.", worlds
            )
            text = f"{text} {missing % {'n': worlds}}"
        undo = self.frame.address(f"restore_{self.frame.kind}", entry_id)
        messages.success(request, text, extra_tags=f"undo:{undo}")
        return see_other(self.frame.address("library"))

    def show(self, request: HttpRequest) -> HttpResponse:
        """What is in my trash, newest first."""
        items = self.frame.library.trashed(person_of(request))
        context: dict[str, Any] = {
            "title": self.words.title,
            "crumbs": [(self.frame.words.library, self.frame.address("library"))],
            "words": self.words,
            "items": [self._row(item) for item in items],
            "all": str(self.words.several % {"n": len(items)}) if items else "",
            "empty": self.frame.address("empty_trash"),
            "oldest": items[-1].at if items else None,
        }
        return render_page(request, "library/trash.html", context)

    def restore(self, request: HttpRequest, entry_id: str) -> HttpResponse:
        """Back to the shelf; also the Undo of moving an item to the trash."""
        item = self.frame.library.restore(person_of(request), entry_id)
        messages.success(request, _("“%(name)s” is back.") % {"name": item.name})
        return see_other(self.frame.home_of(item))

    def empty(self, request: HttpRequest) -> HttpResponse:
        """Remove one item, or all that the page showed, for good. The page has asked."""
        person = person_of(request)
        asked = set(request.POST.getlist("entry"))
        library = self.frame.library
        there = [item.entry_id for item in library.trashed(person) if item.entry_id in asked]
        gone = library.empty(person, there)
        messages.success(request, self.words.gone % {"n": gone})
        return see_other(self.frame.address("trash"))

    def _row(self, item: TrashedItem) -> dict[str, Any]:
        name = item.name or item.item_id
        end = item.at + timedelta(days=settings.TRASH_DAYS)
        return {
            "name": name,
            "entry_id": item.entry_id,
            "at": item.at,
            "days": max(0, ceil((end - timezone.now()) / timedelta(days=1))),
            "gone": str(self.words.one) % {"name": name},
            "restore": self.frame.address(f"restore_{self.frame.kind}", item.entry_id),
        }
