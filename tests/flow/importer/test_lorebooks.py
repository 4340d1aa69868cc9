"""Lorebooks that come where cards come: they lead to the library instead of a refusal."""

from __future__ import annotations

import pytest
from django.urls import reverse

from importer.models import Upload
from lorebooks import queries
from lorebooks.models import Lorebook
from tests.support.cards import english_card, png_card, v3
from tests.support.importing import imported, ready, uploaded, was_read
from tests.support.lorebooks import as_file, fog_book, harbour_book
from tests.support.people import People, client_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_root")]


def take(import_id: str) -> str:
    return reverse("importer:take_lorebook", args=[import_id])


@pytest.mark.req("LORE-1")
def test_a_lorebook_that_was_dropped_as_a_card_goes_to_the_library(people: People) -> None:
    ana = client_of(people.ana)
    upload = was_read(uploaded(people.ana, as_file(fog_book()), "fog.json"))
    page = ana.get(f"/import/{upload.pk}/").content.decode()
    assert take(upload.pk) in page
    answer = ana.post(take(upload.pk))
    book = Lorebook.objects.get(owner=people.ana)
    assert answer.headers["Location"] == reverse("lorebooks:report", args=[book.pk])
    assert (book.name, book.entries_total) == ("Fog lore", 4)
    upload.refresh_from_db()
    assert upload.state == Upload.State.DISCARDED  # nothing waits twice


@pytest.mark.req("LORE-1")
def test_of_a_card_its_book_is_taken_before_and_after_the_start(people: People) -> None:
    ana = client_of(people.ana)
    card = v3(**{**english_card()["data"], "character_book": harbour_book()})
    upload = ready(people.ana, png_card(card), "mira.png")
    assert take(upload.pk) in ana.get(f"/import/{upload.pk}/").content.decode()
    ana.post(take(upload.pk))
    book = Lorebook.objects.get(owner=people.ana)
    assert (book.name, book.source_kind, book.language) == ("雾港志", "card", "zh-hans")
    report = queries.import_report(book)
    assert report is not None
    assert report.from_card == english_card()["data"]["name"]
    upload.refresh_from_db()
    assert upload.state == Upload.State.READY  # the card still waits for its own import

    world = imported(people.ana, card)
    assert take(world.pk) in ana.get(reverse("importer:result", args=[world.pk])).content.decode()
    again = ana.post(take(world.pk))
    assert "/lore/import/waiting/" in again.headers["Location"]  # the same content: it asks first
    assert Lorebook.objects.count() == 1


def test_a_card_without_a_book_offers_none_and_gives_none(people: People) -> None:
    ana = client_of(people.ana)
    upload = ready(people.ana, png_card(v3()), "bare.png")
    assert take(upload.pk) not in ana.get(f"/import/{upload.pk}/").content.decode()
    assert ana.post(take(upload.pk)).status_code == 404
    assert not Lorebook.objects.exists()
