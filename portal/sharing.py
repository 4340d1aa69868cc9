"""Opening an item to another person here, the one way for every kind: worlds, lorebooks, presets."""

from __future__ import annotations

import logging
from typing import NoReturn, get_args

from django.core.cache import cache
from django.db import transaction
from django.db.models import QuerySet

from formats.errors import DomainError
from formats.messages import gettext_noop
from portal import bell
from portal.access import Level
from portal.models import Person, Share

log = logging.getLogger("portal.people")
MOST_PEOPLE = 200
TRIES_PER_HOUR = 60
_HOUR = 3600


def shares_of(kind: str, item_id: str) -> QuerySet[Share]:
    """To whom an item is open, by name."""
    return (
        Share.objects.filter(kind=kind, item_id=item_id).select_related("person").order_by("person__username")
    )


def share(*, actor: Person, owner: Person, kind: str, item_id: str, with_name: str, level: str) -> Share:
    """Open an item to somebody, or change what they may do with it.

    `with_name` is the person's name as it is written. The tries are counted, so that
    nobody finds out here who has an account.

    Raises:
        DomainError: `forbidden` unless the actor owns the item; `invalid` for a level or person that cannot
            be; `not-found` for a name nobody here has; `limited` after too many tries; `full`.
    """
    _refuse_unless_owner(actor, owner)
    if level not in get_args(Level):
        raise DomainError("invalid", "share.level", "level", gettext_noop("Choose reading or editing."))
    _count_try(actor)
    person = _person_called(with_name)
    if person.pk == owner.pk:
        raise DomainError(
            "invalid", "share.yourself", "name", gettext_noop("It is yours already. Nothing was changed.")
        )
    with transaction.atomic():
        there = shares_of(kind, item_id)
        if there.count() >= MOST_PEOPLE and not there.filter(person=person).exists():
            raise DomainError(
                "full",
                "share.too-many",
                "name",
                gettext_noop("This is shared with {count} people, the most there may be."),
                gettext_noop("Take somebody off the list first."),
                {"count": MOST_PEOPLE},
            )
        made, _new = Share.objects.update_or_create(
            kind=kind, item_id=item_id, person=person, defaults={"level": level}
        )
    log.info("%s %s shared with %s (%s) by %s", kind, item_id, person.handle, level, actor.handle)
    _tell(item_id, person)
    return made


def unshare(*, actor: Person, owner: Person, kind: str, item_id: str, person: Person) -> bool:
    """Close an item to somebody again; whether it was open. Its owner may, and who was given it.

    Raises:
        DomainError: `forbidden` for anybody else.
    """
    if actor.pk != person.pk:
        _refuse_unless_owner(actor, owner)
    gone, _by_model = Share.objects.filter(kind=kind, item_id=item_id, person=person).delete()
    if gone:
        log.info("%s %s no longer shared with %s by %s", kind, item_id, person.handle, actor.handle)
        _tell(item_id, person)
    return bool(gone)


def forget_shares(kind: str, item_id: str) -> None:
    """Drop every share of an item that is gone for good."""
    Share.objects.filter(kind=kind, item_id=item_id).delete()


def _person_called(name: str) -> Person:
    wanted = name.strip()
    person = Person.objects.filter(username=wanted, is_active=True).first()
    if person is None:
        raise DomainError(
            "not-found",
            "share.nobody",
            "name",
            gettext_noop("Nobody on this server is called “{name}”. Nothing was shared."),
            gettext_noop("Names are written as on the page of the account. Ask them for theirs."),
            {"name": wanted[:60]},
        )
    return person


def _count_try(actor: Person) -> None:
    key = f"share-tries.{actor.pk}"
    cache.add(key, 0, timeout=_HOUR)
    try:
        tries = cache.incr(key)
    except ValueError:  # its hour ended between the two calls
        return
    if tries > TRIES_PER_HOUR:
        raise DomainError(
            "limited",
            "share.too-often",
            "name",
            gettext_noop("That was a lot of sharing in one hour. Nothing was changed."),
            gettext_noop("Go on in an hour."),
        )


def _refuse_unless_owner(actor: Person, owner: Person) -> None:
    if actor.pk != owner.pk:
        _forbidden(owner)


def _forbidden(owner: Person) -> NoReturn:
    raise DomainError(
        "forbidden",
        "share.not-yours",
        "",
        gettext_noop("Only {owner}, who owns this, may share it. Nothing was changed."),
        args={"owner": str(owner)},
    )


def _tell(item_id: str, person: Person) -> None:
    bell.ring(f"item:{item_id}")
    bell.ring(f"person:{person.pk}")
