"""The choices of a world's page: which books it could attach."""

from __future__ import annotations

from lorebooks.access import lorebooks_for
from lorebooks.models import Lorebook, LorebookUse
from portal.models import Person
from worlds.library.choices import told_apart
from worlds.library.pages.uses import OFFERED
from worlds.models import World


def books_without(person: Person, world: World) -> list[tuple[Lorebook, str]]:
    """The books this person may read that a world does not attach yet, those used last first, with labels."""
    used = LorebookUse.objects.filter(world=world).values("lorebook_id")
    found = (
        lorebooks_for(person).exclude(pk__in=used).only("id", "name", "created_at").order_by("-used_at", "pk")
    )
    return told_apart(found[:OFFERED])
