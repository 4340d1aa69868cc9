"""What reading an upload leads to: a list of cards is taken apart (card formats 3d), a language is kept."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse
from django.utils import translation

from importer.actions.uploads import settle_reading, take_apart
from importer.models import Upload
from importer.queries import choices_of, reading_of
from portal.jobs import run_here
from portal.models import Job
from tests.support.cards import chinese_card, english_card
from tests.support.importing import uploaded, was_read
from tests.support.people import People, client_of

pytestmark = [pytest.mark.usefixtures("data_root"), pytest.mark.django_db(transaction=True)]


def several() -> bytes:
    return json.dumps([english_card(), chinese_card(), "no card"], ensure_ascii=False).encode()


@pytest.mark.req("CARD-4")
def test_each_card_of_a_list_waits_as_its_own_upload_and_is_read(people: People) -> None:
    upload = was_read(uploaded(people.ana, several(), "shelf.json"))
    assert upload.state == Upload.State.SEVERAL
    parts = list(upload.parts().order_by("filename"))
    assert [part.filename for part in parts] == ["shelf 1.json", "shelf 2.json"]
    for part in parts:
        run_here(Job.objects.get(subject=part.pk))
        part.refresh_from_db()
    assert [part.state for part in parts] == [Upload.State.READY] * 2
    assert [part.name for part in parts] == [english_card()["data"]["name"], chinese_card()["data"]["name"]]
    page = client_of(people.ana).get(reverse("importer:show", args=[upload.pk]))
    assert "2 of them wait" in page.content.decode()
    assert reverse("importer:waiting") in page.content.decode()


def test_taken_apart_twice_is_taken_apart_once(people: People) -> None:
    upload = was_read(uploaded(people.ana, several(), "shelf.json"))
    take_apart(upload)
    settle_reading(upload_id=upload.pk, reading=reading_of(upload))
    assert upload.parts().count() == 2


def test_a_full_account_keeps_the_list_and_takes_what_fits(people: People) -> None:
    upload = uploaded(people.ana, several(), "shelf.json")
    people.ana.quota = upload.size + len(json.dumps(english_card(), ensure_ascii=False).encode()) + 100
    people.ana.save()
    settled = was_read(upload)
    assert settled.state == Upload.State.SEVERAL
    assert settled.parts().count() == 1


@pytest.mark.req("STRUCT-1")
def test_an_import_speaks_the_language_its_upload_was_made_in(people: People) -> None:
    with translation.override("zh-hans"):
        upload = uploaded(people.ana, json.dumps(chinese_card()).encode())
    with translation.override("en"):
        run_here(Job.objects.get(subject=upload.pk))
    assert choices_of(upload).language == "zh-hans"
