"""Reading people: lists and names that several pages show."""

from __future__ import annotations

from django.db.models import Count, Max, Q, QuerySet

from portal.models import Invitation, Person


def host_name() -> str:
    """The name of the first host, whom people ask for help; empty while there is none."""
    host = Person.objects.filter(is_superuser=True, is_active=True).order_by("date_joined", "pk").first()
    return host.username if host else ""


def everybody(words: str = "") -> QuerySet[Person]:
    """All accounts, by name, with `last_seen`; `words` narrows by name, e-mail or folder name."""
    found = Person.objects.annotate(last_seen=Max("usersession__last_seen_at")).order_by("username")
    if words:
        found = found.filter(
            Q(username__icontains=words) | Q(email__icontains=words) | Q(handle__icontains=words)
        )
    return found


def invitations() -> QuerySet[Invitation]:
    """All invitations, newest first, with who made and who used them."""
    return Invitation.objects.select_related("invited_by", "used_by")


def how_many() -> dict[str, int]:
    """Counts for the head of the host's page: `all`, `disabled`."""
    return Person.objects.aggregate(all=Count("pk"), disabled=Count("pk", filter=Q(is_active=False)))
