"""The pages of an import with a model."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from importer import actions
from llm.scripted import Line, Rule
from portal.jobs import run_here
from portal.models import Job
from tests.support.cards import json_bytes
from tests.support.endpoints import an_endpoint, scripted_beside
from tests.support.import_model import model_world, reading_script, record_of
from tests.support.importing import ready
from tests.support.invented import invented
from tests.support.people import People, client_of, share
from worlds.authoring.rows import conversations_of
from worlds.models import World

pytestmark = [pytest.mark.usefixtures("data_root"), pytest.mark.django_db(transaction=True)]


def shown(client: Client, where: str, **more: Any) -> str:
    answer = client.get(where, **more)
    assert answer.status_code == 200, where
    return answer.content.decode()


def waiting(people: People) -> str:
    upload = ready(people.ana, json_bytes(invented("several", 8, "en").to_v3()))
    return f"/import/{upload.pk}/"


def test_without_a_model_the_page_says_what_one_would_do(people: People) -> None:
    page = shown(client_of(people.ana), waiting(people))
    assert 'name="way"' not in page
    assert "Add a model, or import without one" in page


def test_the_way_and_its_estimate_are_offered_and_kept(people: People) -> None:
    row = an_endpoint(people.ana)
    where, client = waiting(people), client_of(people.ana)
    page = shown(client, where)
    assert "requests" in page
    assert "price not known" in page
    data = {"name": "Odran", "opening": "greeting:1", "shown": "", "way": "model", "endpoint": row.pk}
    assert client.post(f"{where}choices/", data).status_code == 303
    kept = actions.choose(actor=people.ana, upload=_upload(where))
    assert (kept.way, kept.endpoint, kept.opening) == ("model", row.pk, "greeting:1")
    assert client.post(f"{where}choices/", {**data, "endpoint": "other"}).status_code == 422


def _upload(where: str) -> Any:
    from importer.models import Upload

    return Upload.objects.get(pk=where.split("/")[2])


def halted(people: People, address: str) -> World:
    world = model_world(people.ana, address)
    job = Job.objects.get(subject=world.pk, kind="import-structure")
    assert run_here(job).state == "failed"
    world.refresh_from_db()
    return world


def test_a_halt_says_why_what_failed_and_how_to_go_on(people: People) -> None:
    broken = Rule((Line(answer={"roles": "none"}),), task="classify")
    with scripted_beside(reading_script("en", broken)) as model:
        world = halted(people, model.address)
    client = client_of(people.ana)
    page = shown(client, f"/import/{world.pk}/run/")
    for words in (
        "It did not get to the end",
        "questions in a row got no answer that could be used",
        "Without a usable answer",
        "Retry what failed",
        "Change model and continue",
        "Find values to track",
        "The conversation of this import",
    ):
        assert words in page, words
    assert client.post(f"/import/{world.pk}/run/retry/").status_code == 303
    assert Job.objects.filter(subject=world.pk, state="queued").exists()
    other = an_endpoint(people.ana, name="Other")
    assert client.post(f"/import/{world.pk}/run/model/", {"endpoint": other.pk}).status_code == 422


def test_another_model_goes_on(people: People) -> None:
    with scripted_beside(reading_script("en", Rule((Line(fault="401"),), task="roster"))) as model:
        world = halted(people, model.address)
    client, other = client_of(people.ana), an_endpoint(people.ana, name="Other")
    page = shown(client, f"/import/{world.pk}/run/")
    assert "pieces sorted" in page
    assert "Sorted" in page
    assert client.post(f"/import/{world.pk}/run/model/", {"endpoint": other.pk}).status_code == 303
    assert record_of(world).choices().endpoint == other.pk


@pytest.mark.req("RUN-1", "OUT-2")
def test_the_result_tells_the_cost_and_the_conversation_can_be_read(people: People) -> None:
    with scripted_beside(reading_script("en")) as model:
        world = model_world(people.ana, model.address)
        run_here(Job.objects.get(subject=world.pk, kind="import-structure"))
    client = client_of(people.ana)
    page = shown(client, f"/import/{world.pk}/result/")
    assert "What the model did" in page
    assert "tokens in" in page
    held = conversations_of(world).get()
    where = f"/w/{world.pk}/chat/{held.pk}/"
    page = shown(client, where)
    for words in ("/import-st .import/card.json", "import_survey", "import_build", "import_finish"):
        assert words in page
    assert "The import is finished." in page
    assert "Not finished yet." not in page
    seen = page.split(f"{where}?seen=")[1].split('"')[0]
    assert client.get(f"{where}?seen={seen}", headers={"HX-Request": "true"}).status_code == 204
    share(people.ben, "world", world.pk, "read")
    assert client_of(people.ben).get(where).status_code == 403
    assert client_of(people.cyd).get(where).status_code == 404
    assert client.get(f"/w/{world.pk}/chat/other/").status_code == 404
