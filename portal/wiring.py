"""What the portal puts into its own slots, and what it checks at start. Imported when the app is ready."""

from __future__ import annotations

from typing import Any

from channels.layers import get_channel_layer
from django.core.checks import CheckMessage, Error, register

from portal import slots
from portal.endpoints import testing
from portal.models import Job, Person
from portal.views.jobs import pill


def hears_person(person: Person, rest: str) -> bool:
    """Everybody hears their own group."""
    return rest == str(person.pk)


def hears_job(person: Person, rest: str) -> bool:
    """The owner of a job hears it."""
    return Job.objects.filter(pk=rest, owner=person).exists()


@register
def sockets_have_a_layer(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Without a channel layer every ring is lost and every socket fails."""
    if get_channel_layer() is not None:
        return []
    return [
        Error(
            "CHANNEL_LAYERS names no default channel layer, so open pages would never be told anything.",
            hint="Configure the in-memory layer for one process, or set REDIS_URL for several.",
            id="portal.E001",
        )
    ]


slots.register("bell.person", hears_person)
slots.register("bell.job", hears_job)
slots.register("shell.bar", pill)
slots.register("job.link", testing.link)
slots.register("job.outcome", testing.outcome_of)
