"""What the usage of models calls a preset: its name, for whoever may open it."""

from __future__ import annotations

import pytest

from presets.models import Preset
from tests.support.model_calls import a_call
from tests.support.people import People, client_of, share

PAGE = "/settings/usage/?by=about"


@pytest.mark.django_db
def test_calls_about_a_preset_lead_to_it(people: People, harbour: Preset) -> None:
    share(people.ben, "preset", harbour.pk)
    for person in (people.ana, people.ben, people.cyd):
        a_call(person, about=f"preset:{harbour.pk}")
        a_call(person, about="preset:never-was")
    link = f'<a href="/presets/{harbour.pk}/report/"><bdi>Harbour</bdi></a>'
    pages = {
        person.username: client_of(person).get(PAGE).content.decode()
        for person in (people.ana, people.ben, people.cyd)
    }
    assert [name for name, page in pages.items() if link in page] == ["ana", "ben"]
    assert pages["ana"].count("Something that is gone or not open to you") == 1
    assert pages["cyd"].count("Something that is gone or not open to you") == 2
