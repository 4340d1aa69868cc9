"""The space of an account: whatever is kept takes room, and only what is gone for good gives it back."""

from __future__ import annotations

from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from tests.support.people import People, client_of
from worlds import actions
from worlds.kinds import element_kind
from worlds.models import World
from worlds.queries import quota_left, shelf_of
from worlds.store.space import bytes_below


def test_the_trash_takes_room_until_it_is_emptied(people: People, saltmarsh: World) -> None:
    before, size = quota_left(people.ana), saltmarsh.size
    assert size == bytes_below(shelf_of(people.ana).folder(saltmarsh.pk).path)
    entry = actions.trash_world(actor=people.ana, world=saltmarsh)
    assert quota_left(people.ana) == before, "moving to the trash frees nothing"
    client_of(people.ana).post(reverse("worlds:restore_world", args=[entry]))
    assert quota_left(people.ana) == before
    entry = actions.trash_world(actor=people.ana, world=World.objects.get(pk=saltmarsh.pk))
    client_of(people.ana).post(reverse("worlds:empty_trash"), {"entry": [entry]})
    assert quota_left(people.ana) == before + size == people.ana.quota_bytes


def test_what_is_deleted_from_a_world_takes_room_until_its_days_are_over(
    people: People, fog_harbour: World
) -> None:
    before = quota_left(people.ana)
    actions.delete_element(actor=people.ana, world=fog_harbour, kind=element_kind("lore"), key="沉船")
    kept = quota_left(people.ana)
    assert kept < before, "the deleted document is kept, and the record of the change besides"
    actions.sweep(now=timezone.now() + timedelta(days=40))
    assert quota_left(people.ana) > before


def test_the_import_records_count(people: People, saltmarsh: World) -> None:
    with shelf_of(people.ana).folder(saltmarsh.pk).change(by="test", what="import", history=False) as change:
        change.write(".import/original", b"x" * 10_000)
    before = quota_left(people.ana)
    actions.index_world(owner=people.ana, world_id=saltmarsh.pk)
    assert quota_left(people.ana) == before - 10_000
