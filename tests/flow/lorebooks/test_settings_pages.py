"""Settings of a book, the worlds that use it, and the people it is opened to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from lorebooks import actions, queries
from lorebooks.models import Lorebook, LorebookUse
from portal.models import Share
from tests.support.cards import png_card, v3
from tests.support.lorebooks import harbour_book
from tests.support.people import People, client_of, share
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


def at(name: str, lorebook: Lorebook) -> str:
    return reverse(f"lorebooks:{name}", args=[lorebook.pk])


def form_of(client: Client, lorebook: Lorebook) -> dict[str, str]:
    page = client.get(at("settings", lorebook))
    etag = re.search(r'name="etag" value="([^"]+)"', page.content.decode())
    assert etag
    shown = {
        name: "" if value is None else str(value) for name, value in page.context["form"].initial.items()
    }
    return {**shown, "etag": etag[1]}


def test_settings_are_saved_and_an_empty_number_says_nothing(ana: Client, fog: Lorebook) -> None:
    form = form_of(ana, fog)
    sent = {**form, "name": "Mists", "scan_depth": "6", "recursive_scanning": "off", "tags": "海, fog，fog"}
    assert ana.post(at("settings", fog), sent).status_code == 303
    fields = queries.settings_of(fog).fields
    assert (fields["name"], fields["scan_depth"], fields["token_budget"]) == ("Mists", 6, None)
    assert (fields["recursive_scanning"], fields["tags"]) == (False, ["海", "fog"])
    bad = ana.post(at("settings", fog), {**form_of(ana, fog), "scan_depth": "-1"})
    assert bad.status_code == 422
    assert queries.settings_of(fog).fields["scan_depth"] == 6


def test_a_save_over_somebody_elses_shows_both_and_can_be_forced(
    people: People, ana: Client, fog: Lorebook
) -> None:
    share(people.ben, "lorebook", fog.pk, "edit")
    ben = client_of(people.ben)
    mine, theirs = form_of(ana, fog), form_of(ben, fog)
    ben.post(at("settings", fog), {**theirs, "scan_depth": "9"})
    answer = ana.post(at("settings", fog), {**mine, "scan_depth": "2"})
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "<dd><bdi>9</bdi></dd>" in page
    assert queries.settings_of(fog).fields["scan_depth"] == 9
    etag = re.search(r'name="etag" value="([^"]+)"', page)
    assert etag
    ana.post(at("settings", fog), {**mine, "scan_depth": "2", "etag": etag[1]})
    assert queries.settings_of(fog).fields["scan_depth"] == 2


def test_a_language_without_a_name_here_is_kept(ana: Client, fog: Lorebook) -> None:
    etag = queries.settings_of(fog).etag
    actions.edit_settings(actor=fog.owner, lorebook=fog, fields={"language": "nan-Hant"}, if_match=etag)
    assert "nan-Hant" in ana.get("/lore/").content.decode()
    assert ana.post(at("settings", fog), {**form_of(ana, fog), "token_budget": "900"}).status_code == 303
    fields = queries.settings_of(fog).fields
    assert (fields["language"], fields["token_budget"]) == ("nan-Hant", 900)
    refused = ana.post(at("settings", fog), {**form_of(ana, fog), "language": "xx-unheard"})
    assert refused.status_code == 422


def test_a_reader_sees_the_settings_without_a_form(people: People, fog: Lorebook) -> None:
    share(people.ben, "lorebook", fog.pk)
    page = client_of(people.ben).get(at("settings", fog)).content.decode()
    assert 'name="etag"' not in page
    assert reverse("lorebooks:share", args=[fog.pk]) not in page
    assert "As the world says" in page


# --- worlds ---------------------------------------------------------------------------------------------


def test_a_book_is_put_on_a_world_and_taken_off_from_either_page(
    people: People, ana: Client, fog: Lorebook, marsh: World
) -> None:
    assert "Saltmarsh" in ana.get(at("settings", fog)).content.decode()
    both = {"lorebook": fog.pk, "world": marsh.pk}
    answer = ana.post(reverse("lorebooks:attach"), both)
    assert answer.headers["Location"].startswith(at("settings", fog))
    assert LorebookUse.objects.filter(world=marsh, lorebook_id=fog.pk).exists()
    overview = ana.get(reverse("worlds:overview", args=[marsh.pk])).content.decode()
    assert at("editor", fog) in overview
    assert "1 world" in ana.get("/lore/").content.decode()
    answer = ana.post(reverse("lorebooks:detach"), {**both, "back": "world"})
    assert answer.headers["Location"] == reverse("worlds:overview", args=[marsh.pk])
    assert not LorebookUse.objects.exists()


def test_who_may_attach_what(people: People, fog: Lorebook, marsh: World) -> None:
    both = {"lorebook": fog.pk, "world": marsh.pk}
    attach = reverse("lorebooks:attach")
    ben = client_of(people.ben)
    assert ben.post(attach, both).status_code == 404
    share(people.ben, "lorebook", fog.pk)
    assert ben.post(attach, both).status_code == 404  # the world is still closed to him
    share(people.ben, "world", marsh.pk, "read")
    assert ben.post(attach, both).status_code == 403
    Share.objects.filter(kind="world").update(level="edit")
    assert ben.post(attach, both).status_code == 303


def test_a_book_in_the_trash_keeps_its_place_on_the_world(
    people: People, ana: Client, fog: Lorebook, marsh: World
) -> None:
    both = {"lorebook": fog.pk, "world": marsh.pk}
    ana.post(reverse("lorebooks:attach"), both)
    gone = ana.post(at("trash_lorebook", fog), follow=True).content.decode()
    assert "1 world goes without it" in gone
    overview = ana.get(reverse("worlds:overview", args=[marsh.pk])).content.decode()
    assert "A lorebook that you cannot open" in overview
    assert ana.post(reverse("lorebooks:detach"), {**both, "back": "world"}).status_code == 303


def test_a_reader_of_the_world_learns_no_more_than_that_there_is_a_book(
    people: People, ana: Client, fog: Lorebook, marsh: World
) -> None:
    ana.post(reverse("lorebooks:attach"), {"lorebook": fog.pk, "world": marsh.pk})
    share(people.ben, "world", marsh.pk, "edit")
    ben = client_of(people.ben)
    overview = ben.get(reverse("worlds:overview", args=[marsh.pk])).content.decode()
    assert overview.count("A lorebook that you cannot open") == 2  # in the list, and for who takes it off
    [change] = [one for one in world_folder(marsh).history(5) if one.what == "lorebooks"]
    for name, parts in (("overview", []), ("history", []), ("change", [change.id])):
        page = ben.get(reverse(f"worlds:{name}", args=[marsh.pk, *parts])).content.decode()
        assert fog.name not in page
    assert ben.get(at("editor", fog)).status_code == 404


# --- people ---------------------------------------------------------------------------------------------


def test_sharing_is_given_changed_and_taken_back(people: People, ana: Client, fog: Lorebook) -> None:
    ben = client_of(people.ben)
    assert ana.post(at("share", fog), {"name": "ben", "level": "read"}).status_code == 303
    assert ben.get(at("editor", fog)).status_code == 200
    ana.post(at("share", fog), {"name": "ben", "level": "edit"})
    assert Share.objects.get().level == "edit"
    ana.post(at("unshare", fog), {"person": people.ben.handle})
    assert ben.get(at("editor", fog)).status_code == 404


def test_a_name_nobody_has_is_said_beside_the_field(ana: Client, fog: Lorebook) -> None:
    answer = ana.post(at("share", fog), {"name": "nobody", "level": "read"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Nobody on this server is called “nobody”" in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids)), "the book's name and the person's are two fields"
    again = ana.get(at("share", fog))
    assert (again.status_code, again.headers["Location"]) == (302, f"{at('settings', fog)}#people")


def test_who_was_given_a_book_can_give_it_up_but_not_for_others(people: People, fog: Lorebook) -> None:
    share(people.ben, "lorebook", fog.pk)
    share(people.cyd, "lorebook", fog.pk)
    ben = client_of(people.ben)
    assert ben.post(at("unshare", fog), {"person": people.cyd.handle}).status_code == 404
    assert ben.post(at("unshare", fog), {"person": people.ben.handle}).headers["Location"] == "/lore/"
    assert list(Share.objects.values_list("person__username", flat=True)) == ["cyd"]


def test_a_book_out_of_a_card_is_not_called_a_file_byte_for_byte(people: People, data_root: Path) -> None:
    data = png_card(v3(name="Lin", character_book=harbour_book()))
    book = actions.upload_lorebook(actor=people.ana, data=data, filename="lin.png").lorebook
    assert book is not None
    client = client_of(people.ana)
    for name in ("export", "report"):
        page = client.get(reverse(f"lorebooks:{name}", args=[book.pk])).content.decode()
        assert "The book as it stood in the card" in page
        assert "Byte for byte" not in page
        assert "as it came" not in page
