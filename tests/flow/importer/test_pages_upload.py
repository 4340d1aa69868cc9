"""Taking files in: the list, refusals, the faces of a file that is being read or is no card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from importer.models import Upload
from importer.samples import SAMPLES
from importer.views.uploads import stage
from portal.models import Job
from tests.support.cards import english_card, json_bytes, png_card, sillytavern_book, v3
from tests.support.importing import imported, ran, ready, started, uploaded, was_read
from tests.support.people import People, client_of
from worlds.data import data_folder
from worlds.models import World
from worlds.store.staging import Staging

pytestmark = pytest.mark.usefixtures("data_root")
FRAGMENT = {"HX-Request": "true"}


@pytest.fixture
def ana(people: People) -> Client:
    return client_of(people.ana)


@pytest.mark.req("CARD-4")
def test_a_card_is_staged_and_nothing_of_a_world_is_made(ana: Client, people: People) -> None:
    answer = ana.post("/import/", {"file": SimpleUploadedFile("mira.png", png_card(english_card()))})
    upload = Upload.objects.get()
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/import/{upload.pk}/")
    assert (upload.owner, upload.filename, upload.state) == (people.ana, "mira.png", "reading")
    assert Job.objects.filter(kind="read-upload", subject=upload.pk).count() == 1
    was_read(upload)
    page = ana.get(f"/import/{upload.pk}/").content.decode()
    assert "Nothing is written yet" in page
    assert "Mira Oakes" in page
    assert World.objects.count() == 0
    assert not list((data_folder().root / "users").rglob("world.json"))


@pytest.mark.req("CARD-3")
def test_a_file_over_the_limit_is_named_with_both_sizes(ana: Client, settings: Settings) -> None:
    settings.IMPORTS = replace(settings.IMPORTS, max_upload_bytes=3 * 1024 * 1024)
    file = SimpleUploadedFile("big.png", b"\x89PNG" + b"\0" * (4 * 1024 * 1024))
    answer = ana.post("/import/", {"file": file})
    assert answer.status_code == 413
    assert "This file is 4.0 MB; this server takes 3.0 MB." in answer.content.decode()
    assert Upload.objects.count() == 0
    assert Staging(data_folder()).ids() == []


@pytest.mark.req("CARD-3")
def test_a_file_is_never_read_whole(people: People) -> None:
    class Streamed(SimpleUploadedFile):
        """A file that only gives chunks."""

        def read(self, size: int | None = None) -> bytes:
            raise AssertionError("somebody reads the whole file")

        def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
            data = json_bytes(english_card())
            yield from (data[at : at + 1000] for at in range(0, len(data), 1000))

    upload = stage(people.ana, Streamed("mira.json", b""))
    assert was_read(upload).state == "ready"


def test_one_refused_file_does_not_take_the_others_with_it(ana: Client, settings: Settings) -> None:
    settings.IMPORTS = replace(settings.IMPORTS, max_upload_bytes=1024 * 1024)
    files = [
        SimpleUploadedFile("mira.json", json_bytes(english_card())),
        SimpleUploadedFile("big.png", b"\0" * (2 * 1024 * 1024)),
        SimpleUploadedFile("book.json", json_bytes(sillytavern_book())),
    ]
    answer = ana.post("/import/", {"file": files}, follow=True)
    assert answer.redirect_chain == [("/import/waiting/", 303)]
    page = answer.content.decode()
    assert "big.png: This file is 2.0 MB; this server takes 1.0 MB." in page
    assert sorted(Upload.objects.values_list("filename", flat=True)) == ["book.json", "mira.json"]


def test_a_form_without_a_file_is_told_so(ana: Client) -> None:
    answer = ana.post("/import/")
    assert answer.status_code == 422
    assert "No file came with this" in answer.content.decode()


def test_reading_looks_again_until_there_is_a_verdict(ana: Client, people: People) -> None:
    upload = uploaded(people.ana, json_bytes(english_card()))
    here = f"/import/{upload.pk}/"
    page = ana.get(here)
    assert "Reading the file" in page.content.decode()
    seen = page.context["seen"]
    assert ana.get(f"{here}?seen={seen}", headers=FRAGMENT).status_code == 204
    job = Job.objects.get(subject=upload.pk)
    Job.objects.filter(pk=job.pk).update(
        state="failed", version=9, error="The disk is {how}.", error_args={"how": "full"}
    )
    again = ana.get(f"{here}?seen={seen}", headers=FRAGMENT).content.decode()
    assert "The disk is full." in again
    assert f"/jobs/{job.pk}/retry/" in again
    was_read(upload)
    moved = ana.get(f"{here}?seen={seen}", headers=FRAGMENT)
    assert (moved.status_code, moved.headers["HX-Redirect"]) == (204, here)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (
            json_bytes(sillytavern_book()),
            ["This is a lorebook, not a character", "to the library"],
        ),
        (b"\0\1\2" * 50, ["This is not a character card", "cannot hold a character card"]),
        (json_bytes([v3(), v3(name="Two")]), ["more than one card", "The file holds 2 cards."]),
        (b'{"name": ', ["cannot be read as a card"]),
    ],
)
def test_what_is_no_card_says_why_and_gives_the_file_back(
    ana: Client, people: People, data: bytes, words: list[str]
) -> None:
    upload = was_read(uploaded(people.ana, data, "thing.json"))
    page = ana.get(f"/import/{upload.pk}/").content.decode()
    for expected in [*words, "Nothing was written", f"/import/{upload.pk}/original/"]:
        assert expected in page
    back: Any = ana.get(f"/import/{upload.pk}/original/")
    assert b"".join(back.streaming_content) == data
    assert back.headers["Content-Disposition"] == 'attachment; filename="thing.json"'
    assert back.headers["Content-Type"] == "application/octet-stream"
    assert back.headers["Content-Length"] == str(len(data))
    assert "sandbox" in back.headers["Content-Security-Policy"]


def test_the_original_is_there_before_and_after_the_start(ana: Client, people: People) -> None:
    data = png_card(english_card())
    upload = ready(people.ana, data, "米拉.png")
    before: Any = ana.get(f"/import/{upload.pk}/original/")
    world = ran(started(upload))
    after: Any = ana.get(f"/import/{world.pk}/original/")
    assert b"".join(before.streaming_content) == b"".join(after.streaming_content) == data
    assert "filename*=utf-8''" in after.headers["Content-Disposition"]


def test_a_picture_is_shown_as_a_picture_only(ana: Client, people: People) -> None:
    upload = ready(people.ana, png_card(english_card()))
    picture = ana.get(f"/import/{upload.pk}/picture/")
    assert picture.headers["Content-Type"] == "image/png"
    assert picture.headers["X-Content-Type-Options"] == "nosniff"
    plain = ready(people.ana, english_card())
    assert ana.get(f"/import/{plain.pk}/picture/").status_code == 404


def test_a_discarded_file_is_gone(ana: Client, people: People) -> None:
    upload = ready(people.ana, english_card())
    answer = ana.post(f"/import/{upload.pk}/discard/", follow=True)
    assert "was discarded" in answer.content.decode()
    assert ana.get(f"/import/{upload.pk}/").status_code == 404
    assert Staging(data_folder()).ids() == []


def test_the_list_knows_what_became_of_each(ana: Client, people: People) -> None:
    world = imported(people.ana, english_card())
    ready(people.ana, v3(name="Waits"))
    was_read(uploaded(people.ana, json_bytes(sillytavern_book()), "book.json"))
    page = ana.get("/import/").content.decode()
    for words in ("Imported", "Ready to import", "Not a card", "Waits", "book.json"):
        assert words in page
    upload = Upload.objects.get(world=world.pk)
    answer = ana.get(f"/import/{upload.pk}/")
    assert answer.headers["Location"] == reverse("importer:result", args=[world.pk])


def test_an_import_whose_world_is_in_the_trash_says_so(ana: Client, people: People) -> None:
    world = imported(people.ana, english_card())
    ana.post(f"/w/{world.pk}/trash/")
    upload = Upload.objects.get(world=world.pk)
    answer = ana.get(f"/import/{upload.pk}/")
    assert answer.status_code == 404
    assert "is not on the shelf any more" in answer.content.decode()


def test_several_files_wait_in_a_list_and_start_together(ana: Client, people: People) -> None:
    one, two = ready(people.ana, v3(name="One")), ready(people.ana, v3(name="Two"))
    other = was_read(uploaded(people.ana, json_bytes(sillytavern_book()), "book.json"))
    page = ana.get("/import/waiting/").content.decode()
    assert "Start all 2 that are ready" in page
    asked = {"upload": [one.pk, two.pk, other.pk, "unknown"]}
    answer = ana.post("/import/waiting/start/", asked, follow=True)
    assert "2 imports have started." in answer.content.decode()
    assert sorted(World.objects.values_list("name", flat=True)) == ["One", "Two"]
    left = ana.get("/import/waiting/").content.decode()
    assert "book.json" in left
    assert "Start" not in left.partition('id="uploads"')[2]


def test_the_waiting_list_answers_only_what_is_new(ana: Client, people: People) -> None:
    upload = uploaded(people.ana, json_bytes(v3(name="One")))
    page = ana.get("/import/waiting/")
    query = {"seen": page.context["seen"]}
    assert ana.get("/import/waiting/", query, headers=FRAGMENT).status_code == 204
    was_read(upload)
    assert ana.get("/import/waiting/", query, headers=FRAGMENT).status_code == 200


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.language)
def test_a_sample_becomes_a_whole_world(ana: Client, people: People, sample: object) -> None:
    language = getattr(sample, "language", "")
    answer = ana.post(f"/import/sample/{language}/")
    upload = was_read(Upload.objects.get())
    assert answer.headers["Location"] == f"/import/{upload.pk}/"
    assert upload.state == "ready"
    world = ran(started(upload))
    assert (world.stage, world.draft) == ("done", False)
    assert world.cover
    assert world.counts["lore"] >= 8
    assert world.counts["variables"] == 4
    assert ana.get(f"/import/{world.pk}/result/").status_code == 200


def test_there_is_no_sample_in_another_language(ana: Client) -> None:
    assert ana.post("/import/sample/xx/").status_code == 404


def test_samples_hold_the_very_texts_that_stand_beside_them() -> None:
    import importer.samples
    from formats.card import read_card

    here = Path(importer.samples.__file__).parent
    for sample in SAMPLES:
        packed = read_card(sample.read())
        written = read_card((here / f"{sample.language}.json").read_bytes())
        assert packed.card.to_v3() == written.card.to_v3()
        assert packed.findings == []
        assert packed.picture is not None


def test_all_that_waits_is_discarded_at_once(ana: Client, people: People) -> None:
    first, second = ready(people.ana, english_card()), ready(people.ana, v3(name="Two"))
    world = started(ready(people.ana, v3(name="Three")))
    page = ana.get("/import/")
    assert "All 2 files that wait are removed for good." in page.content.decode()
    assert "This cannot be undone." in page.content.decode()
    late = ready(people.ana, v3(name="Late"))
    other = ready(people.ben, english_card())
    answer = ana.post("/import/waiting/discard/", {"until": page.context["until"]}, follow=True)
    assert "2 files were discarded." in answer.content.decode()
    states = dict(Upload.objects.values_list("pk", "state"))
    assert {states[first.pk], states[second.pk]} == {"discarded"}
    assert (states[late.pk], states[other.pk]) == ("ready", "ready")
    assert World.objects.filter(pk=world.pk).exists()
    for until in ("", "x", "2026-11-30", "2026-13-40T00:00:00Z"):
        ana.post("/import/waiting/discard/", {"until": until})
    assert Upload.objects.get(pk=late.pk).state == "ready"


def test_recent_imports_are_paged(ana: Client, people: People) -> None:
    for number in range(23):
        Upload.objects.create(owner=people.ana, filename=f"card {number}.png", state="ready")
    first, second = (ana.get("/import/", {"page": page}).content.decode() for page in (1, 2))
    assert (first.count("</small></div></li>"), "Page 1 of 2" in first) == (20, True)
    assert "card 0.png" in second
    assert 'hx-get="/import/?page=2"' in second
