"""How much a person may still bring: uploads that wait count like worlds."""

from __future__ import annotations

from django.db.models import Sum

from importer.models import Upload
from portal.models import Person
from worlds.queries import quota_left


def space_left(person: Person) -> int:
    """Bytes this person may still store. An upload counts until it is discarded, or is part of its world."""
    waiting = Upload.objects.filter(owner=person).exclude(state__in=Upload.ELSEWHERE)
    return max(0, quota_left(person) - (waiting.aggregate(all=Sum("size"))["all"] or 0))
