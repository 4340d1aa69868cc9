"""Every page of a world opens, for the owner and for readers, and no stranger sees one."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.support.people import People, client_of, share
from worlds.models import Element, World

PAGES = ["overview", "elements", "images", "files", "history", "rename", "duplicate", "export"]


@pytest.mark.parametrize("page", PAGES)
def test_owner_opens_every_page(people: People, fog_harbour: World, page: str) -> None:
    answer = client_of(people.ana).get(reverse(f"worlds:{page}", args=[fog_harbour.pk]), follow=True)
    assert answer.status_code == 200


@pytest.mark.parametrize("page", PAGES)
def test_a_stranger_finds_nothing(people: People, fog_harbour: World, page: str) -> None:
    answer = client_of(people.cyd).get(reverse(f"worlds:{page}", args=[fog_harbour.pk]), follow=True)
    assert answer.status_code == 404
    assert fog_harbour.description not in answer.content.decode()


def test_every_element_opens_as_form_and_source(people: People, fog_harbour: World) -> None:
    client = client_of(people.ana)
    slugs = {
        "character": "characters",
        "location": "locations",
        "faction": "factions",
        "item": "items",
        "lore": "lore",
        "plotline": "plotlines",
        "relationship": "relationships",
        "variable": "variables",
        "trigger": "triggers",
        "command": "commands",
        "prompt": "prompts",
    }
    rows = Element.objects.filter(world=fog_harbour).exclude(kind="exit")
    assert {row.kind for row in rows} == set(slugs)
    for row in rows:
        form = client.get(reverse("worlds:element", args=[fog_harbour.pk, slugs[row.kind], row.key]))
        assert form.status_code == 200, row
        source = client.get(reverse("worlds:source", args=[fog_harbour.pk, slugs[row.kind], row.key]))
        assert source.status_code == 200, row


def test_a_reader_opens_pages_and_gets_no_way_to_save(people: People, fog_harbour: World) -> None:
    share(people.ben, "world", fog_harbour.pk, "read")
    client = client_of(people.ben)
    page = client.get(reverse("worlds:element", args=[fog_harbour.pk, "characters", "沈青"]))
    assert page.status_code == 200
    assert "data-busy" not in page.content.decode()
    assert client.get(reverse("worlds:edit", args=[fog_harbour.pk, "about"])).status_code == 403
