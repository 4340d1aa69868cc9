"""Invitation links: made by the host, good for one account, kept only as a hash."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.contrib.sessions.backends.base import SessionBase
from django.utils import timezone

from formats.errors import DomainError
from formats.messages import gettext_noop
from portal.models import Invitation, Person

DAYS = 7
IN_SESSION = "invitation"  # the session key under which an opened invitation waits for the sign-up form


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def make_invitation(*, actor: Person, note: str) -> tuple[Invitation, str]:
    """A new invitation and its token. The token is known here only; the table keeps its hash."""
    token = secrets.token_urlsafe(24)
    invitation = Invitation.objects.create(
        token_hash=hash_of(token),
        note=note,
        invited_by=actor,
        expires=timezone.now() + timedelta(days=DAYS),
    )
    return invitation, token


def open_invitation(token: str) -> Invitation | None:
    """The invitation behind a link, if it still opens anything: not used, revoked, expired, or of a
    person who is no longer host."""
    found = Invitation.objects.filter(token_hash=hash_of(token)).select_related("invited_by").first()
    return found if found and found.state == "open" and found.invited_by.is_host else None


def invitation_in(session: SessionBase) -> Invitation | None:
    """The invitation this browser opened, if it is still good."""
    token = session.get(IN_SESSION)
    return open_invitation(token) if isinstance(token, str) else None


def redeem(session: SessionBase, person: Person) -> None:
    """Use up the invitation of this browser for a new account; at most one account wins.

    Raises:
        DomainError: `conflict`, somebody else used or the host revoked it in between.
    """
    invitation = invitation_in(session)
    won = invitation is not None and Invitation.objects.filter(
        pk=invitation.pk, used__isnull=True, revoked__isnull=True
    ).update(used=timezone.now(), used_by=person)
    if not won:
        raise DomainError(
            "conflict",
            "invitation-gone",
            message=gettext_noop(
                "This invitation was used or withdrawn in the meantime. No account was made."
            ),
            hint=gettext_noop("Ask the host for a new invitation."),
        )
    session.pop(IN_SESSION, None)
