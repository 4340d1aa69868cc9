"""Who may see or edit which item of a library (D3). A stranger is told that there is no such item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from django.db.models import Q, QuerySet

from formats.errors import DomainError
from portal.access import Level, share_level, shared_with
from portal.models import Person
from worlds.library.models import LibraryItem

Standing = Literal["owner", "edit", "read"]
Item = TypeVar("Item", bound=LibraryItem)


@dataclass(frozen=True, slots=True)
class AccessWords:
    """The sentences of a kind, whole so that they can be translated; `{owner}` is its owner's name."""

    read_only: str
    ask_owner: str
    not_yours: str
    duplicate: str
    not_found: str
    look_in_list: str


@dataclass(frozen=True, slots=True)
class Access(Generic[Item]):
    """The rules for one kind of item."""

    model: type[Item]
    words: AccessWords

    def readable(self, person: Person) -> QuerySet[Item]:
        """The items a person may at least read: their own, and those shared with them."""
        # Asked first: without shares the database can walk an index in the order of the list.
        shared = list(shared_with(person, self.model.kind).values_list("item_id", flat=True))
        mine = Q(owner=person)
        return self.model._default_manager.filter(mine | Q(id__in=shared) if shared else mine)

    def standing_of(self, person: Person, item: Item) -> Standing | None:
        """How a person stands to an item; `None` for a stranger."""
        if not person.is_active:
            return None
        return "owner" if item.owner_id == person.pk else share_level(person, self.model.kind, item.pk)

    def item_for(self, person: Person, item_id: str, level: Level = "read") -> Item:
        """The item, if this person may read (or edit) it.

        Raises:
            DomainError: `not-found` for a stranger or an unknown id; `forbidden` for a mere reader.
        """
        item = self.model._default_manager.select_related("owner").filter(pk=item_id).first()
        standing = self.standing_of(person, item) if item else None
        if item is None or standing is None:
            raise self.no_such(item_id)
        if level == "edit" and standing == "read":
            raise self._read_only(item)
        return item

    def own_item_for(self, person: Person, item_id: str) -> Item:
        """The item, if this person owns it: sharing it and moving it to the trash are the owner's alone.

        Raises:
            DomainError: `not-found` for a stranger; `forbidden` for somebody it is shared with.
        """
        item = self.item_for(person, item_id)
        self.refuse_unless_owner(person, item)
        return item

    def refuse_unless_reader(self, person: Person, item: Item) -> None:
        """What an action asks first that reads an item for somebody. Raises `not-found` for a stranger."""
        if self.standing_of(person, item) is None:
            raise self.no_such(item.pk)

    def refuse_unless_editor(self, person: Person, item: Item) -> None:
        """What every write asks first; of the owner nothing is looked up.

        Raises:
            DomainError: `not-found` for a stranger; `forbidden` for a mere reader.
        """
        standing = self.standing_of(person, item)
        if standing is None:
            raise self.no_such(item.pk)
        if standing == "read":
            raise self._read_only(item)

    def refuse_unless_owner(self, person: Person, item: Item) -> None:
        """Raise `forbidden` for everybody but the owner."""
        if item.owner_id != person.pk:
            raise self._forbidden("not-yours", item, self.words.not_yours, self.words.duplicate)

    def no_such(self, item_id: str) -> DomainError:
        """The answer to a stranger, the same as for an id nobody has."""
        code = f"{self.model.kind}.not-found"
        return DomainError("not-found", code, item_id[:200], self.words.not_found, self.words.look_in_list)

    def hears(self, person: Person, item_id: str) -> bool:
        """Slot `bell.item`: whoever may read an item hears it."""
        item = self.model._default_manager.filter(pk=item_id).first()
        return item is not None and self.standing_of(person, item) is not None

    def _read_only(self, item: Item) -> DomainError:
        return self._forbidden("read-only", item, self.words.read_only, self.words.ask_owner)

    def _forbidden(self, code: str, item: Item, message: str, hint: str) -> DomainError:
        args = {"owner": str(item.owner)}
        return DomainError("forbidden", f"{self.model.kind}.{code}", item.pk, message, hint, args)
