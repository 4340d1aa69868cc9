"""What stands beside an element's form: who mentions it, a trigger as a sentence, what was changed since."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests.support.cards import english_card
from tests.support.importing import imported
from tests.support.people import People, client_of, share
from worlds.actions import save_element
from worlds.kinds import element_kind
from worlds.mentions import mentions_of
from worlds.models import Element, World
from worlds.stored import stored_element
from worlds.trigger_sentence import sentence_of

FRAGMENT = {"HX-Request": "true"}


@pytest.fixture
def ana(people: People) -> Client:
    return client_of(people.ana)


def test_everything_that_names_an_element_is_told_once(fog_harbour: World, ana: Client) -> None:
    people = element_kind("characters")
    relation = Element.objects.filter(world=fog_harbour, kind="relationship").first()
    assert relation is not None
    stored = stored_element(fog_harbour, element_kind("relationships"), relation.key)
    assert stored.value is not None
    named = stored.value["from"]
    found = mentions_of(fog_harbour, people, named)
    assert relation.title in [mention.title for mention in found]
    assert len({mention.address for mention in found}) == len(found)
    here = reverse("worlds:element", args=[fog_harbour.pk, "characters", named])
    assert f'hx-get="{here}mentions/"' in ana.get(here).content.decode()
    part = ana.get(f"{here}mentions/", headers=FRAGMENT).content.decode()
    assert "<html" not in part
    for mention in found:
        assert f'href="{mention.address}"' in part
        assert ana.get(mention.address).status_code == 200
    assert "<html" in ana.get(f"{here}mentions/").content.decode()


def test_what_nobody_names_says_so(people: People, ana: Client) -> None:
    world = imported(people.ana, english_card())
    lore = Element.objects.filter(world=world, kind="lore").first()
    assert lore is not None
    page = ana.get(f"/w/{world.pk}/elements/lore/{lore.key}/mentions/").content.decode()
    assert "Nothing else in this world names it." in page


@pytest.mark.parametrize(
    ("when", "effect", "rest", "told"),
    [
        ({"command": "ring"}, {"note": "It is late."}, {}, "When a player types /ring → the game master is"),
        ({"event": "The tide turned"}, {"dispatch": "author", "need": "a guest"}, {}, "brings “a guest”."),
        (
            {"event": "x"},
            {"dispatch": "author", "need": "a guest", "draw": ["a monk", "a thief"]},
            {},
            "drawn from: a monk, a thief.",
        ),
        (
            {"variable": "oil", "op": "<=", "value": 3},
            {"set": {"lit": False}},
            {},
            "When oil is at most 3 → lit",
        ),
        ({"command": "x"}, {"reveal": ["old"]}, {"once": True}, "this becomes known: old. Only once."),
        ({"command": "x"}, {"note": "y"}, {"cooldown": 2}, "Then not for 2 turns."),
    ],
)
def test_a_trigger_reads_back_as_a_sentence(
    fog_harbour: World, when: object, effect: object, rest: dict[str, object], told: str
) -> None:
    value = {"id": "t", "when": when, "effect": effect, **rest}
    with translation.override("en"):
        assert told in sentence_of(fog_harbour, value)


def test_names_stand_in_the_sentence_and_what_is_no_trigger_has_none(fog_harbour: World, ana: Client) -> None:
    variable = Element.objects.filter(world=fog_harbour, kind="variable").exclude(title="").first()
    assert variable is not None
    when = {"variable": variable.key, "op": "==", "value": True}
    sentence = sentence_of(fog_harbour, {"id": "t", "when": when, "effect": {"note": "n"}})
    assert variable.title in sentence
    assert sentence_of(fog_harbour, {"id": "t"}) == ""
    trigger = Element.objects.filter(world=fog_harbour, kind="trigger").first()
    assert trigger is not None
    page = ana.get(f"/w/{fog_harbour.pk}/elements/triggers/{trigger.key}/").content.decode()
    assert '<p class="read">' in page


def test_the_list_can_show_what_was_changed_since_the_import(people: People, ana: Client) -> None:
    world = imported(people.ana, english_card())
    kind = element_kind("lore")
    keys = list(Element.objects.filter(world=world, kind="lore").values_list("key", flat=True))
    here = f"/w/{world.pk}/elements/lore/"
    assert "changed since the import" in ana.get(here).content.decode()
    assert ana.get(here, {"changed": "1"}).context["page"].paginator.count == 0
    stored = stored_element(world, kind, keys[0])
    assert stored.value is not None
    changed = {**stored.value, "title": "Another name"}
    save_element(actor=people.ana, world=world, kind=kind, key=keys[0], value=changed, etag=stored.etag)
    [row] = ana.get(here, {"changed": "1"}).context["page"].object_list
    assert row.key == keys[0]
    share(people.ben, "world", world.pk, "read")
    page = client_of(people.ben).get(here, {"changed": "1"})
    assert "changed since the import" not in page.content.decode()
    assert page.context["page"].paginator.count == len(keys)


def test_a_world_from_nothing_has_no_such_filter(fog_harbour: World, ana: Client) -> None:
    page = ana.get(f"/w/{fog_harbour.pk}/elements/lore/", {"changed": "1"})
    assert "changed since the import" not in page.content.decode()
    assert page.context["page"].paginator.count > 0
