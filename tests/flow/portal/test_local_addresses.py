"""A model on this machine: the host lists its address in the form where it is typed (D43)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from formats.errors import DomainError
from portal import first_run
from portal.endpoints import actions
from portal.endpoints.fields import EndpointFields
from portal.models import ModelEndpoint, Person, SiteSettings
from tests.support.endpoints import KEY, PUBLIC
from tests.support.people import PASSWORD, People, client_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_root")]
NEW = "/settings/models/new/"
FIRST = {
    "username": "林娜",
    "password": PASSWORD,
    "name": "雾都",
    "language": "zh-hans",
    "registration": "invite",
}


def said(**change: Any) -> dict[str, Any]:
    return {"service": "compatible", "name": "Fog", "base_url": PUBLIC, "key": KEY, **change}


def local(**change: Any) -> dict[str, Any]:
    return {
        "use_model": "yes",
        "service": "ollama",
        "base_url": "",
        "list_address": "on",
        "model": "m",
        **change,
    }


def test_the_first_run_lists_a_local_address_that_its_owner_types(client: Client) -> None:
    page = client.get(f"/setup/?token={first_run.setup_token()}").content.decode()
    assert re.search(r'name="list_address"[^>]* checked', page), "whoever makes the first account is the host"
    answer = client.post(f"/setup/?token={first_run.setup_token()}", FIRST | local())
    assert answer.headers["Location"] == "/welcome/"
    assert ModelEndpoint.objects.get().base_url == "http://127.0.0.1:11434/v1"
    assert SiteSettings.current().model_addresses == "http://127.0.0.1:11434"
    assert SiteSettings.current().name == "雾都", "the site's own settings stay"


def test_a_refused_first_run_keeps_what_was_written_but_secrets_and_says_so(client: Client) -> None:
    wrong = local(base_url="http://me:pw@127.0.0.1:1/v1", key=KEY)
    answer = client.post(f"/setup/?token={first_run.setup_token()}", FIRST | wrong)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Type the password again, and the key" in page
    assert "No account was made" in page
    assert 'value="林娜"' in page
    assert 'value="http://me:pw@127.0.0.1:1/v1"' in page
    assert re.search(r'<option value="ollama" selected', page)
    assert PASSWORD not in page
    assert KEY not in page
    assert not Person.objects.exists()
    assert not SiteSettings.current().model_addresses


def test_a_host_lists_a_local_address_in_the_form_itself(people: People) -> None:
    hal = client_of(people.hal)
    refused = hal.post(NEW, said(base_url="http://127.0.0.1:11434/v1"))
    assert refused.status_code == 422
    assert "the box below the address lists it" in refused.content.decode()
    assert hal.post(NEW, said(base_url="http://127.0.0.1:11434/v1", list_address="on")).status_code == 303
    assert SiteSettings.current().model_addresses == "http://127.0.0.1:11434"
    assert hal.post(NEW, said(list_address="on")).status_code == 303
    assert SiteSettings.current().model_addresses == "http://127.0.0.1:11434", "a public one needs no line"


def test_a_refused_endpoint_lists_no_address(people: People) -> None:
    wrong = said(base_url="http://127.0.0.1:11434/v1?x=1", list_address="on")
    assert client_of(people.hal).post(NEW, wrong).status_code == 422
    assert SiteSettings.current().model_addresses == ""


def test_a_member_lists_no_address(people: People) -> None:
    ana = client_of(people.ana)
    assert "list_address" not in ana.get(NEW).content.decode()
    assert ana.post(NEW, said(base_url="http://127.0.0.1:11434/v1", list_address="on")).status_code == 422
    with pytest.raises(DomainError, match="nothing at this address"):
        actions.save_endpoint(actor=people.ana, fields=EndpointFields("Fog"), list_address=True)
    assert SiteSettings.current().model_addresses == ""
