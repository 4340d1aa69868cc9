"""The room that items take, and what is said when there is none, or when an item went away meanwhile."""

from __future__ import annotations

from django.conf import settings
from django.core.cache import cache
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from portal.models import Person
from worlds.queries import quota_left
from worlds.store.change import Change
from worlds.store.etags import ANY

AN_HOUR = 60 * 60


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


def write_within_quota(owner: Person, change: Change, path: str, data: bytes, if_match: str = ANY) -> None:
    """Stage a file, unless its owner has no room for what it has more than before (then `full`)."""
    there = len(change.read(path)) if change.has(path) else 0
    refuse_over_quota(owner, len(data) - there)
    change.write(path, data, if_match)


def count_file(actor: Person) -> None:
    """Count a file that somebody sends to a library: each is read in a process of its own.

    Raises:
        DomainError: `limited`, as many as one person may send within an hour (`IMPORT_UPLOADS_PER_HOUR`).
    """
    key, limit = f"library-files.{actor.pk}", settings.IMPORTS.uploads_per_hour
    cache.add(key, 0, timeout=AN_HOUR)
    try:
        files = cache.incr(key)
    except ValueError:  # its hour ended between the two calls
        return
    if files > limit:
        raise DomainError(
            "limited",
            "library.too-many-files",
            "file",
            gettext_noop("You have sent {limit} files within an hour. This one was not taken."),
            gettext_noop("Wait an hour, then send it again. What was taken before is safe."),
            {"limit": limit},
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
