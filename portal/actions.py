"""Everything that changes people, invitations and the site. Pages, admin and commands call these."""

from __future__ import annotations

import logging

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from formats.errors import DomainError
from formats.messages import gettext_noop
from portal.models import Invitation, Person, SiteSettings

log = logging.getLogger("portal.people")


def make_owner(*, name: str, password: str, site_name: str, language: str, registration: str) -> Person:
    """The first account and the site's settings, in one transaction. Its token is forgotten by the caller,
    once nothing can take the account back any more.

    Raises:
        DomainError: `conflict`, there is an account already.
    """
    with transaction.atomic():
        SiteSettings.objects.get_or_create(pk=1)
        # The row is the lock: two people with the same token make one owner.
        site = SiteSettings.objects.select_for_update().get(pk=1)
        if Person.objects.exists():
            raise DomainError(
                "conflict",
                "already-set-up",
                message=gettext_noop("This server has an owner already. No account was made."),
                hint=gettext_noop("Sign in, or ask the owner for an invitation."),
            )
        site.name, site.language, site.registration = site_name, language, registration
        site.save()
        owner = Person.objects.create_superuser(name, password=password, language=language)
    log.info("first account made: %s", owner.handle)
    return owner


def save_site(*, actor: Person, name: str, language: str, registration: str) -> SiteSettings:
    """The host's settings for the whole server."""
    site, _ = SiteSettings.objects.update_or_create(
        pk=1, defaults={"name": name, "language": language, "registration": registration}
    )
    log.info("site settings saved by %s", actor.handle)
    return site


def revoke_invitation(*, actor: Person, invitation: Invitation) -> None:
    """The link stops working. An account already made with it stays."""
    Invitation.objects.filter(pk=invitation.pk, used__isnull=True, revoked__isnull=True).update(
        revoked=timezone.now()
    )
    log.info("invitation %s withdrawn by %s", invitation.pk, actor.handle)


def disable_person(*, actor: Person, person: Person) -> None:
    """Shut an account: it cannot sign in, its sessions end, its things stay.

    Raises:
        DomainError: `invalid`, nobody disables their own account, so there is always a host left.
    """
    if person.pk == actor.pk:
        raise DomainError(
            "invalid",
            "own-account",
            message=gettext_noop("You cannot disable your own account. Nothing was changed."),
            hint=gettext_noop("Another host can do it."),
        )
    with transaction.atomic():
        Person.objects.filter(pk=person.pk).update(is_active=False)
        end_sessions(person)
    log.warning("account %s disabled by %s", person.handle, actor.handle)


def enable_person(*, actor: Person, person: Person) -> None:
    """Open a disabled account again; its owner signs in anew."""
    Person.objects.filter(pk=person.pk).update(is_active=True)
    log.warning("account %s enabled by %s", person.handle, actor.handle)


def end_sessions(person: Person) -> int:
    """Sign a person out everywhere; how many sessions ended. Open sockets notice by themselves."""
    sessions = list(UserSession.objects.filter(user=person))
    for session in sessions:
        session.end()
    return len(sessions)


def password_link(*, actor: Person, person: Person) -> str:
    """The path of a link with which the person sets a new password: once, for three days.

    For servers that send no letters: the host hands it over. An old link dies with the password it replaces.
    """
    key = default_token_generator.make_token(person)
    log.warning("password link for %s made by %s", person.handle, actor.handle)
    return reverse(
        "account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(person), "key": key}
    )


def change_email(*, person: Person, address: str) -> None:
    """The address with which the person may sign in besides their name; empty for none."""
    with transaction.atomic():
        EmailAddress.objects.filter(user=person).delete()
        if address:
            EmailAddress.objects.create(user=person, email=address, primary=True, verified=False)
        Person.objects.filter(pk=person.pk).update(email=address)
    log.info("e-mail address changed: %s", person.handle)
