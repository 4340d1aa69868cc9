"""What reading an upload leads to: a list of cards is taken apart (card formats 3d), a language is kept."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse
from django.utils import translation

from importer.actions.uploads import settle_reading, take_apart
from importer.models import Upload
from importer.pipeline.record import CardFiles
from importer.queries import choices_of, reading_of
from portal.jobs import run_here
from portal.models import Job
from tests.support.cards import chinese_card, english_card
from tests.support.importing import uploaded, was_read
from tests.support.people import People, client_of
from worlds.data import data_folder
from worlds.store.staging import Staging

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


def test_what_is_only_called_alike_was_not_taken_out(people: People) -> None:
    beside = uploaded(people.ana, json.dumps(english_card()).encode(), "shelf 1.json")
    first, second = (was_read(uploaded(people.ana, several(), "shelf.json")) for _ in range(2))
    later = uploaded(people.ana, json.dumps(english_card()).encode(), "shelf 2024.json")
    taken = [set(upload.parts().values_list("pk", "number")) for upload in (first, second)]
    assert [sorted(number for _pk, number in parts) for parts in taken] == [[1, 2], [1, 2]]
    assert not taken[0] & taken[1]
    assert {beside.pk, later.pk}.isdisjoint(pk for parts in taken for pk, _number in parts)
    assert not beside.parts().exists()


def test_where_a_card_was_taken_from_is_kept_beside_it(people: People) -> None:
    upload = was_read(uploaded(people.ana, several(), "shelf.json"))
    for part in upload.parts():
        info = CardFiles(Staging(data_folder()).folder(part.pk)).upload()
        assert (info.taken_from, info.number) == (upload.pk, part.number)


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
