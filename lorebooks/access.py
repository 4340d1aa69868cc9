"""Who may see or edit which lorebook (D3). A stranger is told that there is no such book."""

from __future__ import annotations

from typing import Literal

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from lorebooks.models import Lorebook
from portal.access import Level, share_level, shared_with
from portal.models import Person

KIND = "lorebook"
Standing = Literal["owner", "edit", "read"]


def lorebooks_for(person: Person) -> QuerySet[Lorebook]:
    """The books a person may at least read: their own, and those shared with them."""
    # Asked first: without shares the database can walk an index in the order of the list.
    shared = list(shared_with(person, KIND).values_list("item_id", flat=True))
    mine = Q(owner=person)
    return Lorebook.objects.filter(mine | Q(id__in=shared) if shared else mine)


def standing_of(person: Person, lorebook: Lorebook) -> Standing | None:
    """How a person stands to a book; `None` for a stranger."""
    if not person.is_active:
        return None
    return "owner" if lorebook.owner_id == person.pk else share_level(person, KIND, lorebook.id)


def lorebook_for(person: Person, lorebook_id: str, level: Level = "read") -> Lorebook:
    """The book, if this person may read (or edit) it.

    Raises:
        DomainError: `not-found` for a stranger or an unknown id; `forbidden` for a reader who wants to edit.
    """
    lorebook = Lorebook.objects.select_related("owner").filter(pk=lorebook_id).first()
    standing = standing_of(person, lorebook) if lorebook else None
    if lorebook is None or standing is None:
        raise no_such_lorebook(lorebook_id)
    if level == "edit" and standing == "read":
        raise DomainError(
            "forbidden",
            "lorebook.read-only",
            lorebook_id,
            gettext_noop("This lorebook is shared with you for reading. Nothing was changed."),
            gettext_noop("Ask {owner}, who owns it, to let you edit it, or duplicate it into your own."),
            {"owner": str(lorebook.owner)},
        )
    return lorebook


def own_lorebook_for(person: Person, lorebook_id: str) -> Lorebook:
    """The book, if this person owns it: sharing it and moving it to the trash are the owner's alone.

    Raises:
        DomainError: `not-found` for a stranger; `forbidden` for somebody it is shared with.
    """
    lorebook = lorebook_for(person, lorebook_id)
    refuse_unless_owner(person, lorebook)
    return lorebook


def refuse_unless_owner(person: Person, lorebook: Lorebook) -> None:
    """Raise `forbidden` for everybody but the owner."""
    if lorebook.owner_id != person.pk:
        raise DomainError(
            "forbidden",
            "lorebook.not-yours",
            lorebook.id,
            gettext_noop("Only {owner}, who owns this lorebook, may do this. Nothing was changed."),
            gettext_noop("You can duplicate it into your own lorebooks."),
            {"owner": str(lorebook.owner)},
        )


def no_such_lorebook(lorebook_id: str) -> DomainError:
    """The answer to a stranger, the same as for an id nobody has."""
    return DomainError(
        "not-found",
        "lorebook.not-found",
        lorebook_id[:200],
        gettext_noop("There is no lorebook here that you can open."),
        gettext_noop("Look in your list of lorebooks, or ask the person who sent you the address."),
    )
