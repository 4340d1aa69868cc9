"""Presets that come where cards come: they lead to their library instead of a refusal."""

from __future__ import annotations

import pytest
from django.urls import reverse

from importer.models import Upload
from presets.models import Preset
from tests.support.cards import english_card, png_card
from tests.support.importing import ready, uploaded, was_read
from tests.support.people import People, client_of
from tests.support.presets import as_file, harbour_preset

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_root")]


def take(import_id: str) -> str:
    return reverse("importer:take_preset", args=[import_id])


@pytest.mark.req("PRE-1")
def test_a_preset_that_was_dropped_as_a_card_goes_to_the_library(people: People) -> None:
    ana = client_of(people.ana)
    upload = was_read(uploaded(people.ana, as_file(harbour_preset()), "harbour.json"))
    page = ana.get(f"/import/{upload.pk}/").content.decode()
    assert "This is a preset, not a character card" in page
    assert take(upload.pk) in page
    answer = ana.post(take(upload.pk))
    preset = Preset.objects.get(owner=people.ana)
    assert answer.headers["Location"] == reverse("presets:report", args=[preset.pk])
    upload.refresh_from_db()
    assert upload.state == Upload.State.DISCARDED  # nothing waits twice


def test_one_that_is_not_for_chat_completion_is_refused_and_waits_on(people: People) -> None:
    ana = client_of(people.ana)
    sampler = b'{"temp": 1, "rep_pen": 1.1, "top_p": 0.9, "repetition_penalty": 1.1}'
    upload = was_read(uploaded(people.ana, sampler, "sampler.json"))
    assert upload.kind == "preset"
    answer = ana.post(take(upload.pk))
    assert answer.status_code == 415
    assert "text completion" in answer.content.decode()
    upload.refresh_from_db()
    assert upload.state == Upload.State.OTHER


def test_a_card_is_no_preset(people: People) -> None:
    ana = client_of(people.ana)
    upload = ready(people.ana, png_card(english_card()), "mira.png")
    assert take(upload.pk) not in ana.get(f"/import/{upload.pk}/").content.decode()
    assert ana.post(take(upload.pk)).status_code == 404
