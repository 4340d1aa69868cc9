"""Settings of a preset, the worlds that play with it, and the people it is opened to."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from portal.models import Share
from presets import actions, queries
from presets.models import Preset, PresetUse
from tests.flow.presets.conftest import MakePreset
from tests.support.people import People, client_of, share
from tests.support.presets import chinese_preset
from worlds import actions as worlds
from worlds.models import World
from worlds.queries import folder_of as world_folder

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana(people: People) -> Client:
    return client_of(people.ana)


@pytest.fixture
def marsh(people: People, data_root: object) -> World:
    return worlds.create_world(actor=people.ana, name="Saltmarsh", language="en")


def at(name: str, preset: Preset) -> str:
    return reverse(f"presets:{name}", args=[preset.pk])


def named_in(world: World) -> str | None:
    value: str | None = json.loads(world_folder(world).read("world.json")).get("preset")
    return value


def test_name_and_tags_are_saved(ana: Client, harbour: Preset) -> None:
    sent = {"name": "Quay", "tags": "海, calm，calm"}
    assert ana.post(at("settings", harbour), sent).status_code == 303
    harbour.refresh_from_db()
    assert (harbour.name, queries.item_of(harbour).tags) == ("Quay", ("海", "calm"))
    bad = ana.post(at("settings", harbour), {"name": "", "tags": ""})
    assert bad.status_code == 422
    too_long = ana.post(at("settings", harbour), {"name": "Quay", "tags": "x" * 81})
    assert "A tag has at most 80 characters." in too_long.content.decode()
    assert "海, calm" in ana.get("/presets/").content.decode()


def test_a_world_plays_with_one_preset_at_most(
    ana: Client, harbour: Preset, marsh: World, make_preset: MakePreset
) -> None:
    other = make_preset(chinese_preset(), name="另一个")
    attach = {"preset": harbour.pk, "world": marsh.pk}
    page = ana.post(reverse("presets:attach"), attach, follow=True).content.decode()
    assert "“Saltmarsh” now plays with “Harbour”." in page
    assert named_in(marsh) == harbour.pk
    assert "1 world" in ana.get("/presets/", {"q": "Harbour"}).content.decode()
    assert "Saltmarsh · in place of another preset" in ana.get(at("settings", other)).content.decode()
    again = {"preset": other.pk, "world": marsh.pk, "back": "world"}
    page = ana.post(reverse("presets:attach"), again, follow=True).content.decode()
    assert "Before, it was “Harbour”." in page
    assert "另一个" in page
    assert named_in(marsh) == other.pk
    ana.post(reverse("presets:detach"), {"preset": harbour.pk, "world": marsh.pk})
    assert named_in(marsh) == other.pk  # it does not name that one any more
    ana.post(reverse("presets:detach"), {"preset": other.pk, "world": marsh.pk, "back": "world"})
    assert named_in(marsh) is None
    assert not PresetUse.objects.exists()


def test_the_worlds_page_shows_its_preset_to_those_who_may_open_it(
    people: People, ana: Client, harbour: Preset, marsh: World
) -> None:
    overview = reverse("worlds:overview", args=[marsh.pk])
    assert "Stories of this world are told without a preset." in ana.get(overview).content.decode()
    actions.attach_preset(actor=people.ana, preset=harbour, world=marsh)
    share(people.ben, "world", marsh.pk, "read")
    page = client_of(people.ben).get(overview).content.decode()
    assert "A preset that you cannot open" in page
    assert "Harbour" not in page
    entry = actions.trash_preset(actor=people.ana, preset=harbour)
    page = ana.get(overview).content.decode()
    assert "A preset that you cannot open" in page
    ana.post(reverse("presets:detach"), {"preset": harbour.pk, "world": marsh.pk, "back": "world"})
    assert named_in(marsh) is None
    assert entry


def test_others_attach_nothing_of_mine_and_nothing_to_my_world(
    people: People, harbour: Preset, marsh: World
) -> None:
    attach = {"preset": harbour.pk, "world": marsh.pk}
    assert client_of(people.cyd).post(reverse("presets:attach"), attach).status_code == 404
    share(people.ben, "world", marsh.pk, "read")
    share(people.ben, "preset", harbour.pk)
    assert client_of(people.ben).post(reverse("presets:attach"), attach).status_code == 403
    assert client_of(people.ben).post(reverse("presets:detach"), attach).status_code == 403
    assert named_in(marsh) is None


def test_trashing_says_how_many_worlds_go_without_it(
    people: People, ana: Client, harbour: Preset, marsh: World
) -> None:
    actions.attach_preset(actor=people.ana, preset=harbour, world=marsh)
    page = ana.post(at("trash_preset", harbour), follow=True).content.decode()
    assert "1 world goes without it meanwhile." in page
    assert named_in(marsh) == harbour.pk  # restoring it brings all back


def test_people_are_let_in_and_out(people: People, ana: Client, harbour: Preset) -> None:
    ana.post(at("share", harbour), {"name": "ben", "level": "edit"})
    assert Share.objects.get(kind="preset").level == "edit"
    wrong = ana.post(at("share", harbour), {"name": "nobody", "level": "read"})
    assert wrong.status_code == 422
    assert ana.get(at("share", harbour)).status_code == 302  # loaded again, it leads to the settings
    ben = client_of(people.ben)
    assert "shared by ana" in ben.get(at("settings", harbour)).content.decode()
    assert ben.post(at("settings", harbour), {"name": "Ben's", "tags": ""}).status_code == 303
    ben.post(at("unshare", harbour), {"person": "ben"})
    assert ben.get(at("settings", harbour)).status_code == 404


def test_a_reader_sees_the_settings_without_a_form(people: People, harbour: Preset) -> None:
    share(people.ben, "preset", harbour.pk)
    page = client_of(people.ben).get(at("settings", harbour)).content.decode()
    assert "It has no tags." in page
    assert "Take it off my list" in page
    assert 'name="tags"' not in page
