"""The room that items take, and what is said when there is none, or when an item went away meanwhile."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from formats.errors import DomainError
from portal.models import Person
from worlds.queries import quota_left


def refuse_over_quota(owner: Person, bytes_more: int) -> None:
    """Raise `full` when a person has no room for so much more."""
    if bytes_more > 0 and quota_left(owner) < bytes_more:
        raise DomainError(
            "full",
            "library.no-space",
            "",
            gettext_noop("There is no room left for this in the space of {owner}. Nothing was changed."),
            gettext_noop("Empty the trash, or ask the host for more space."),
            {"owner": str(owner)},
        )


def no_longer_there(name: str) -> DomainError:
    """The folder went away while somebody worked on it."""
    return DomainError(
        "not-found",
        "library.gone",
        "",
        gettext_noop("“{name}” is not on the shelf any more. What it held is in the trash."),
        gettext_noop("Its owner can restore it from the trash."),
        {"name": name},
    )
