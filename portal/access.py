"""Who may see and change what (D3). A stranger's answer is the same as for a thing that is not there."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, Literal, ParamSpec, cast

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase

from formats.errors import DomainError
from formats.messages import gettext_noop
from portal.models import Person, Share

Level = Literal["read", "edit"]
P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def nothing_here() -> DomainError:
    """The one answer for what does not exist and for what is somebody else's."""
    return DomainError(
        "not-found",
        "not-found",
        message=gettext_noop("There is nothing at this address, or it is not shared with you."),
        hint=gettext_noop("Check the address, or ask the person who sent it to share it with you."),
    )


def shared_with(person: Person, kind: str) -> QuerySet[Share]:
    """The shares by which things of one kind ("world", …) are open to a person; none once disabled."""
    shares = Share.objects.filter(person=person, kind=kind)
    return shares if person.is_active else shares.none()


def share_level(person: Person, kind: str, item_id: str) -> Level | None:
    """How one item of somebody else is open to a person: `read`, `edit` or not at all."""
    share = shared_with(person, kind).filter(item_id=item_id).first()
    return cast(Level, share.level) if share else None


def person_of(request: HttpRequest) -> Person:
    """The signed-in person. Pages are for signed-in people unless they say otherwise, so there is one.

    Raises:
        DomainError: `forbidden`, when a public page asks although nobody is signed in.
    """
    user = request.user
    if isinstance(user, Person) and user.is_active:
        return user
    raise DomainError(
        "forbidden",
        "signed-out",
        message=gettext_noop("You are signed out. Nothing was changed."),
        hint=gettext_noop("Sign in and try again."),
    )


def host_only(view: View[P]) -> View[P]:
    """A page of the host. For everybody else it does not exist."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not person_of(request).is_host:
            raise nothing_here()
        return view(request, *args, **kwargs)

    return cast(View[P], guarded)
