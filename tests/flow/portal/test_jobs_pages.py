"""`/jobs/`, the pill and `/healthz`."""

import json
import re
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from portal import slots
from portal.jobs import engine, ledger
from portal.jobs.engine import EngineState
from portal.models import Job
from tests.support.jobs import stored_job
from tests.support.people import People, client_of

pytestmark = pytest.mark.django_db
FRAGMENT = {"HX-Request": "true"}


def page(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers=headers)
    assert response.status_code == 200, response.content
    return response.content.decode()


def test_the_list_shows_my_jobs_and_nobody_elses(people: People) -> None:
    stored_job(
        people.ana,
        title="Fog <b>",
        state="running",
        done=3,
        total=9,
        message="Piece {n}",
        message_args={"n": 3},
    )
    stored_job(people.ben, title="Ben’s import")
    html = page(client_of(people.ana), "/jobs/")
    assert "Fog &lt;b&gt;" in html
    assert "Piece 3" in html
    assert 'max="9" value="3"' in html
    assert "Ben’s import" not in html


def test_live_jobs_come_first(people: People) -> None:
    for state in ("queued", "running", "done"):
        stored_job(people.ana, title=f"the {state} one", state=state)
    html = page(client_of(people.ana), "/jobs/")
    assert html.index("the running one") < html.index("the queued one") < html.index("the done one")


def test_an_empty_list_says_what_it_is_for(people: People) -> None:
    assert "Nothing has been asked for yet" in page(client_of(people.ana), "/jobs/")


def test_a_failed_job_tells_what_happened_what_to_do_and_where(people: People) -> None:
    stored_job(
        people.ana,
        state="failed",
        error="No room for {name}.",
        error_hint="Free {mb} MB.",
        error_args={"name": "<Fog>", "mb": 3},
        error_code="quota",
        error_where="worlds/fog",
    )
    html = page(client_of(people.ana), "/jobs/")
    for words in ("No room for &lt;Fog&gt;.", "Free 3 MB.", "quota", "worlds/fog", "Try again"):
        assert words in html


def refreshing(html: str, element: str) -> str:
    """The address a fragment refreshes itself from."""
    tag = re.search(rf'<[a-z]+ id="{element}"[^>]*>', html, re.S)
    assert tag is not None
    address = re.search(r'hx-get="([^"]+)"', tag[0])
    assert address is not None
    return address[1].replace("&amp;", "&")


@pytest.mark.parametrize(
    ("start", "element"), [("/jobs/", "jobs"), ("/jobs/{pk}/", "job"), ("/jobs/pill/", "jobs-pill")]
)
def test_a_fragment_that_shows_the_stored_version_is_left_alone(
    people: People, start: str, element: str
) -> None:
    job = stored_job(people.ana, subject="fog")
    client = client_of(people.ana)
    html = page(client, start.format(pk=job.pk))
    address = refreshing(html, element)
    address = f"/jobs/{address}" if address.startswith("?") else address
    assert client.get(address, headers=FRAGMENT).status_code == 204
    claim = ledger.claim("us", 20)
    assert claim is not None
    ledger.save_progress(claim, {"done": 1})
    fresh = client.get(address, headers=FRAGMENT)
    assert fresh.status_code == 200
    assert b"<html" not in fresh.content
    assert f'id="{element}"'.encode() in fresh.content
    assert client.get(address).status_code == 200, "without htmx the address is a page"


def test_the_finished_fragment_asks_no_more(people: People) -> None:
    job = stored_job(people.ana, state="running")
    client = client_of(people.ana)
    assert "every 2s" in page(client, f"/jobs/{job.pk}/", **FRAGMENT)
    Job.objects.update(state="done", version=9)
    ended = page(client, f"/jobs/{job.pk}/", **FRAGMENT)
    assert "hx-get" not in ended
    assert "every 2s" not in page(client, "/jobs/", **FRAGMENT)


def test_stop_and_go_on_by_plain_forms(people: People) -> None:
    job, client = stored_job(people.ana), client_of(people.ana)
    assert f"/jobs/{job.pk}/stop/" in page(client, "/jobs/")
    response = client.post(f"/jobs/{job.pk}/stop/")
    assert (response.status_code, response["Location"]) == (303, "/jobs/")
    assert f"/jobs/{job.pk}/retry/" in page(client, "/jobs/")
    assert client.post(f"/jobs/{job.pk}/retry/").status_code == 303
    job.refresh_from_db()
    assert job.state == "queued"


def test_nothing_changes_by_get(people: People) -> None:
    job, client = stored_job(people.ana), client_of(people.ana)
    for what in ("stop", "retry"):
        assert client.get(f"/jobs/{job.pk}/{what}/").status_code == 405
    job.refresh_from_db()
    assert job.state == "queued"


@pytest.mark.parametrize("who", ["ben", "cyd", "hal"])
def test_for_others_a_job_is_not_there(people: People, who: str) -> None:
    job, client = stored_job(people.ana), client_of(getattr(people, who))
    missing = "a" * 20
    for kind in ("", "stop/", "retry/"):
        send = client.post if kind else client.get
        theirs, nobodys = send(f"/jobs/{job.pk}/{kind}"), send(f"/jobs/{missing}/{kind}")
        assert theirs.status_code == nobodys.status_code == 404
    job.refresh_from_db()
    assert job.state == "queued"


def test_signed_out_people_are_sent_to_the_door(people: People) -> None:
    job = stored_job(people.ana)
    for address in ("/jobs/", "/jobs/pill/", f"/jobs/{job.pk}/"):
        response = Client().get(address)
        assert response.status_code == 302
        assert response["Location"].startswith("/signin/")


def test_the_pill_counts_what_runs_and_what_waits(people: People) -> None:
    client = client_of(people.ana)
    assert "every" not in page(client, "/jobs/pill/")
    stored_job(people.ana)
    assert "1 job waits" in page(client, "/jobs/pill/")
    for _ in range(2):
        stored_job(people.ana, state="running")
    stored_job(people.ben, state="running")
    html = page(client, "/jobs/pill/")
    assert "2 jobs run" in html
    assert "every 2s" in html


def test_the_pill_stands_on_every_page(people: People) -> None:
    assert 'id="jobs-pill"' in page(client_of(people.ana), "/help/")


def test_a_room_tells_where_the_item_of_a_job_is(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    stored_job(people.ana, subject="fog")
    monkeypatch.setattr(
        slots, "filled", lambda name: (lambda job: f"/w/{job.subject}/",) if name == "job.link" else ()
    )
    assert 'href="/w/fog/"' in page(client_of(people.ana), "/jobs/", **FRAGMENT)


def test_health_without_an_engine_and_without_a_login(db: None) -> None:
    response = Client().get("/healthz")
    told = json.loads(response.content)
    assert response.status_code == 200
    assert told["worker"] == {"running": False, "jobs": 0, "limit": 0}
    assert told["queue"] == {"queued": 0, "running": 0, "oldestQueuedSeconds": 0}
    assert told["version"]


def test_health_tells_of_the_engine_and_of_a_silent_database(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Working:
        def state(self) -> EngineState:
            return EngineState(running=True, jobs=2, limit=4)

    def silent() -> dict[str, Any]:
        raise OperationalError("no answer")

    monkeypatch.setattr(engine, "installed", Working)
    assert json.loads(Client().get("/healthz").content)["worker"] == {"running": True, "jobs": 2, "limit": 4}
    monkeypatch.setattr(ledger, "counts", silent)
    assert Client().get("/healthz").status_code == 503
