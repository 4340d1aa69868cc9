"""Pages of model endpoints: what is written is kept, what is wrong is named, and no key ever comes back."""

from __future__ import annotations

import re
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core import serializers
from django.core.signals import got_request_exception
from django.http import HttpRequest
from django.test import Client
from django.urls import reverse
from django.views.debug import ExceptionReporter

from portal import first_run
from portal.endpoints import actions, queries
from portal.models import Job, ModelCall, ModelChoice, ModelEndpoint, Person, SiteSettings
from roleplay.config import Model
from tests.support.endpoints import KEY, PUBLIC, an_endpoint, list_address
from tests.support.page_forms import sent_by
from tests.support.people import PASSWORD, People, client_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_root")]
NEW = "/settings/models/new/"
INSTEAD = "Use this one instead"
FIRST = {
    "username": "林娜",
    "password": PASSWORD,
    "name": "雾都",
    "language": "zh-hans",
    "registration": "invite",
}


def said(**change: Any) -> dict[str, Any]:
    return {"service": "compatible", "name": "Fog", "base_url": PUBLIC, "key": KEY, **change}


def untouched(client: Client, row: ModelEndpoint) -> dict[str, Any]:
    """What a browser sends for the form of an endpoint when nothing in it is changed."""
    return sent_by(client.get(f"/settings/models/{row.pk}/").content.decode(), "endpoint")


def error_at(page: str, field: str) -> str:
    found = re.search(rf'id="id_{field}_error">(.*?)</p>', page, re.DOTALL)
    return re.sub(r"<[^>]+>", "", found[1]).strip() if found else ""


def test_a_new_endpoint_is_kept_and_leads_to_its_page(people: People) -> None:
    ana = client_of(people.ana)
    answer = ana.post(NEW, said(model="mist-7b", price_input="2.50", can_tools="no", currency="cny"))
    row = ModelEndpoint.objects.get()
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/settings/models/{row.pk}/")
    assert (row.owner, row.name, row.model, row.kind) == (people.ana, "Fog", "mist-7b", "openai")
    assert (row.price_input, row.currency, row.abilities.tools) == (Decimal("2.5"), "CNY", False)
    assert queries.endpoint_of(row).key == KEY
    assert not Job.objects.exists()
    assert ModelChoice.objects.get().endpoint == row, "the first one is the default"


def test_saving_can_go_on_to_the_test(people: People) -> None:
    client_of(people.ana).post(NEW, said(then="test"))
    row = ModelEndpoint.objects.get()
    assert Job.objects.get().subject == f"endpoint:{row.pk}"


@pytest.mark.parametrize(
    ("service", "kind", "address"),
    [
        ("compatible", "openai", "https://api.openai.com/v1"),
        ("anthropic", "anthropic", "https://api.anthropic.com"),
        ("gemini", "google", "https://generativelanguage.googleapis.com"),
        ("deepseek", "openai", "https://api.deepseek.com/v1"),
        ("openrouter", "openai", "https://openrouter.ai/api/v1"),
    ],
)
def test_a_service_fills_in_its_address(people: People, service: str, kind: str, address: str) -> None:
    client_of(people.ana).post(NEW, said(service=service, base_url="", name=""))
    row = ModelEndpoint.objects.get()
    assert (row.kind, row.base_url) == (kind, address)
    assert row.name


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"service": "pigeon"}, "service", "Select a valid choice"),
        ({"service": "ollama", "base_url": ""}, "base_url", "once the host of the server lists it"),
        ({"base_url": "https://192.168.0.5/v1"}, "base_url", "once the host of the server lists it"),
        ({"base_url": "http://models.example/v1"}, "base_url", "https address of the public internet"),
        ({"base_url": f"{PUBLIC}?x=1"}, "base_url", "nothing after a ? or #"),
        ({"key": "two words"}, "key", "cannot be a key"),
        ({"price_input": "-1"}, "price_input", ""),
        ({"context_length": "many"}, "context_length", ""),
        ({"currency": "€"}, "currency", "three letters"),
    ],
)
def test_what_cannot_be_used_is_named_at_its_field(
    people: People, change: dict[str, str], field: str, words: str
) -> None:
    answer = client_of(people.ana).post(NEW, said(**change))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert words in error_at(page, field)
    assert error_at(page, field)
    assert f'href="#id_{field}"' in page, "the summary leads to the field"
    assert KEY not in page
    assert change.get("key", KEY) not in page, "not even a key that was refused comes back"
    assert not ModelEndpoint.objects.exists()


def test_a_fold_with_something_to_correct_is_open(people: People) -> None:
    ana = client_of(people.ana)
    page = ana.post(NEW, said(price_input="-1")).content.decode()
    assert re.search(r'<details id="numbers"[^>]* open>', page)
    assert not re.search(r'<details id="abilities"[^>]* open>', page)


def test_an_untouched_form_changes_nothing(people: People) -> None:
    row = an_endpoint(
        people.ana,
        context_length=8192,
        price_input=Decimal("0.000001"),
        price_output=Decimal(1000),
        currency="EUR",
        abilities={"schema": True, "tools": False},
        strong=True,
    )
    before = ModelEndpoint.objects.filter(pk=row.pk).values()[0]
    ana = client_of(people.ana)
    assert ana.post(f"/settings/models/{row.pk}/", untouched(ana, row)).status_code == 303
    assert ModelEndpoint.objects.filter(pk=row.pk).values()[0] == before


def test_another_address_asks_for_the_key_again(people: People) -> None:
    row = an_endpoint(people.ana)
    ana = client_of(people.ana)
    sent = untouched(ana, row) | {"base_url": "https://other.example/v1"}
    answer = ana.post(f"/settings/models/{row.pk}/", sent)
    assert answer.status_code == 422
    assert "type the key again" in error_at(answer.content.decode(), "key")
    assert ana.post(f"/settings/models/{row.pk}/", sent | {"forget_key": "on"}).status_code == 303
    row.refresh_from_db()
    assert (row.base_url, row.sealed_key) == ("https://other.example/v1", "")
    assert "forget_key" not in untouched(ana, row)


def test_the_host_opens_an_endpoint_with_a_tick_and_members_cannot(people: People) -> None:
    client_of(people.hal).post(NEW, said(everyone="on"))
    row = ModelEndpoint.objects.get()
    assert row.for_everyone
    cyd = client_of(people.cyd).get("/settings/models/").content.decode()
    assert "opened to everyone by hal" in cyd
    assert row.base_url not in cyd
    assert row.key_hint not in cyd
    hal = client_of(people.hal)
    hal.post(f"/settings/models/{row.pk}/", {**untouched(hal, row), "everyone": ""})
    assert not ModelEndpoint.objects.get(pk=row.pk).for_everyone
    client_of(people.ana).post(NEW, said(everyone="on"))
    assert not ModelEndpoint.objects.get(owner=people.ana).for_everyone
    assert 'name="everyone"' not in client_of(people.ana).get(NEW).content.decode()


def test_where_members_add_none_there_is_no_way_to(people: People) -> None:
    actions.save_rules(actor=people.hal, members_add=False, addresses=[])
    ana = client_of(people.ana)
    assert ana.get(NEW).status_code == ana.post(NEW, said()).status_code == 404
    page = ana.get("/settings/models/").content.decode()
    assert "On this server only the host adds endpoints." in page
    assert NEW not in page
    assert client_of(people.hal).get(NEW).status_code == 200


def test_choosing_what_each_purpose_uses(people: People) -> None:
    first, second, hosts = an_endpoint(people.ana), an_endpoint(people.ana), an_endpoint(people.hal)
    ana = client_of(people.ana)
    ana.post("/settings/models/use/", {"use_": first.pk, "use_story": second.pk, "use_importing": ""})
    assert queries.choices_of(people.ana) == {"": first.pk, "story": second.pk}
    page = ana.get("/settings/models/").content.decode()
    assert f'<option value="{second.pk}" selected>' in page
    ana.post("/settings/models/use/", {"use_": "", "use_story": ""})
    assert queries.choices_of(people.ana) == {}
    assert "Not chosen: Fog" in ana.get("/settings/models/").content.decode()
    answer = ana.post("/settings/models/use/", {"use_": hosts.pk})
    assert answer.status_code == 422, "what is not open to her cannot be chosen"
    assert queries.choices_of(people.ana) == {}


def test_one_that_works_is_offered_when_the_default_does_not(people: People) -> None:
    first, second = an_endpoint(people.ana, name="Fog"), an_endpoint(people.ana, name="Mist")
    actions.choose(actor=people.ana, purpose="story", endpoint=first)
    ModelEndpoint.objects.filter(pk=second.pk).update(test_outcome="ok", test_ms=40)
    ana = client_of(people.ana)
    assert INSTEAD not in ana.get("/settings/models/").content.decode(), "nobody knows yet that Fog fails"
    ModelEndpoint.objects.filter(pk=first.pk).update(test_outcome="unreachable")
    page = ana.get("/settings/models/").content.decode()
    assert re.search(r"Fog</bdi>.*Not reachable.*>Default<.*Mist</bdi>.*Works, 40 ms", page, re.DOTALL)
    assert page.count(INSTEAD) == 1
    offered = re.search(r'name="use_" value="([^"]+)">Use this one', page)
    assert offered
    assert offered[1] == second.pk
    ana.post("/settings/models/use/", {"use_": offered[1]})
    assert queries.choices_of(people.ana) == {"": second.pk, "story": first.pk}, "other purposes stay"
    assert INSTEAD not in ana.get("/settings/models/").content.decode()


def test_the_host_takes_back_and_lists_addresses(people: People) -> None:
    row = an_endpoint(people.hal, everyone=True)
    hal = client_of(people.hal)
    assert f"/manage/models/{row.pk}/close/" in hal.get("/manage/models/").content.decode()
    hal.post(f"/manage/models/{row.pk}/close/")
    row.refresh_from_db()
    assert not row.for_everyone
    hal.post("/manage/models/", {"members_add": "on", "model_addresses": "http://127.0.0.1:11434/v1\r\n"})
    assert SiteSettings.current().model_addresses == "http://127.0.0.1:11434"
    answer = hal.post("/manage/models/", {"model_addresses": "localhost"})
    assert answer.status_code == 422
    assert "localhost" in error_at(answer.content.decode(), "model_addresses")
    assert SiteSettings.current().members_add_endpoints


def test_deleting_keeps_the_record(people: People) -> None:
    row = an_endpoint(people.ana)
    ModelCall.objects.create(
        owner=people.ana, endpoint=row, endpoint_name="Fog", purpose="story", outcome="ok", seconds=1
    )
    answer = client_of(people.ana).post(f"/settings/models/{row.pk}/delete/", follow=True)
    assert "“Fog” is deleted, with its key." in answer.content.decode()
    kept = ModelCall.objects.get()
    assert (kept.endpoint, kept.endpoint_name) == (None, "Fog")


def test_a_part_that_is_shown_already_is_not_sent_again(people: People) -> None:
    list_address("http://127.0.0.1:9")
    row = an_endpoint(people.ana, "http://127.0.0.1:9/v1")
    job = actions.test_endpoint(actor=people.ana, endpoint=row)
    ana = client_of(people.ana)
    part = {"HTTP_HX_REQUEST": "true"}
    fresh = ana.get(f"/settings/models/{row.pk}/", **part).content.decode()  # type: ignore[arg-type]
    assert "<html" not in fresh
    seen = f"{job.pk}.{job.version}"
    assert f"seen={seen}" in fresh
    assert ana.get(f"/settings/models/{row.pk}/?seen={seen}", **part).status_code == 204  # type: ignore[arg-type]


# --- the key is nowhere --------------------------------------------------------------------------------


def test_no_page_no_log_and_no_export_holds_the_key(people: People, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    hal = client_of(people.hal)
    hal.post(NEW, said(everyone="on"), follow=True)
    row = ModelEndpoint.objects.get()
    hal.post(f"/settings/models/{row.pk}/", said(base_url="https://192.168.0.5/v1"))
    pages = [
        "/settings/models/",
        f"/settings/models/{row.pk}/",
        "/manage/models/",
        "/admin/portal/modelendpoint/",
        f"/admin/portal/modelendpoint/{row.pk}/change/",
        f"/admin/portal/modelendpoint/{row.pk}/delete/",
        f"/admin/portal/modelendpoint/{row.pk}/history/",
        "/admin/portal/modelcall/",
    ]
    for person in (people.hal, people.cyd):
        for address in pages:
            assert KEY not in client_of(person).get(address, follow=True).content.decode(), address
    assert KEY not in caplog.text
    assert KEY not in serializers.serialize("json", ModelEndpoint.objects.all())
    for sessions in (hal.session.items(),):
        assert KEY not in str(list(sessions))


def test_a_report_about_a_failure_of_ours_hides_the_key(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a report holds what was sent and what every function held."""
    reports: list[str] = []

    def told(request: HttpRequest, **named: Any) -> None:
        reporter = ExceptionReporter(request, *sys.exc_info())
        reports.extend((reporter.get_traceback_html(), reporter.get_traceback_text()))

    def fails(row: ModelEndpoint) -> None:
        raise RuntimeError("the ink has run out")

    monkeypatch.setattr(actions, "_tell", fails)
    got_request_exception.connect(told)
    try:
        hal = client_of(people.hal)
        hal.raise_request_exception = False
        answer = hal.post(NEW, said())
    finally:
        got_request_exception.disconnect(told)
    assert answer.status_code == 500
    assert len(reports) == 2
    assert all("the ink has run out" in report and "Fog" in report for report in reports)
    assert not any(KEY in report for report in [*reports, answer.content.decode()])


def test_the_admin_shows_endpoints_and_calls_and_changes_none(people: People) -> None:
    row = an_endpoint(people.ana)
    call = ModelCall.objects.create(
        owner=people.ana, endpoint=row, endpoint_name="Fog", purpose="story", outcome="ok", seconds=1
    )
    hal = client_of(people.hal)
    for model, pk in (("modelendpoint", row.pk), ("modelcall", call.pk)):
        page = hal.get(f"/admin/portal/{model}/{pk}/change/")
        assert page.status_code == 200
        assert "gAAAA" not in page.content.decode(), "not even what is encrypted"
        assert hal.get(f"/admin/portal/{model}/add/").status_code == 403
        assert hal.post(f"/admin/portal/{model}/{pk}/change/", {"name": "x"}).status_code == 403
    assert hal.post(f"/admin/portal/modelcall/{call.pk}/delete/", {"post": "yes"}).status_code == 403


# --- the first run -----------------------------------------------------------------------------------


def test_the_first_run_can_make_a_model(client: Client) -> None:
    token = first_run.setup_token()
    model = {"use_model": "yes", "service": "compatible", "base_url": PUBLIC, "key": KEY, "model": "mist-7b"}
    answer = client.post(f"/setup/?token={token}", FIRST | model)
    assert answer.headers["Location"] == "/welcome/"
    row = ModelEndpoint.objects.get()
    assert (row.owner, row.name, row.for_everyone) == (Person.objects.get(), "mist-7b", False)
    assert queries.endpoint_of(row).key == KEY
    page = client.get("/welcome/").content.decode()
    assert reverse("portal:model", args=[row.pk]) in page
    assert KEY not in page


@pytest.mark.parametrize(
    ("model", "field"),
    [
        ({"use_model": "yes", "base_url": "http://127.0.0.1:1/v1"}, "base_url"),
        ({"use_model": "yes", "key": "two words"}, "key"),
        ({"use_model": "no", "key": KEY}, "use_model"),
    ],
)
def test_a_model_that_cannot_be_used_makes_no_account(
    client: Client, data_root: Path, model: dict[str, str], field: str
) -> None:
    token = first_run.setup_token()
    answer = client.post(f"/setup/?token={token}", FIRST | model)
    assert answer.status_code == 422
    assert error_at(answer.content.decode(), field)
    assert KEY not in answer.content.decode()
    assert not Person.objects.exists()
    assert not ModelEndpoint.objects.exists()
    assert first_run.setup_token() == token, "the address still works"
    assert (data_root / first_run.FILE_NAME).exists()


def test_a_model_of_the_environment_is_named_instead(client: Client, settings: object) -> None:
    settings.MODEL = Model("https://models.example/v1", KEY, "mist-7b")  # type: ignore[attr-defined]
    page = client.get(f"/setup/?token={first_run.setup_token()}").content.decode()
    assert "names one already: mist-7b" in page
    assert 'name="use_model"' not in page
    assert KEY not in page
