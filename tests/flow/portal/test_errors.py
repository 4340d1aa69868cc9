"""Refusals and failures: page, fragment or JSON, the right status, three lines and a number."""

from __future__ import annotations

import json
import logging
from typing import get_args

import pytest
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path

from formats.errors import DomainError, ErrorKind
from portal.views.errors import STATUS
from tests.support.people import People, client_of

FRAGMENT = {"HX-Request": "true"}


@login_not_required
def refuse(request: HttpRequest, kind: ErrorKind) -> HttpResponse:
    raise DomainError(
        kind,
        "code-of-it",
        "data.name",
        "“{name}” cannot be used. Nothing was changed.",
        "Choose another.",
        {"name": "<b>"},
    )


@login_not_required
def fail(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("secret detail")


@login_not_required
def forbid(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied


@login_not_required
def suspect(request: HttpRequest) -> HttpResponse:
    raise SuspiciousOperation("secret detail")


urlpatterns = [
    path("refuse/<str:kind>/", refuse),
    path("roleplay-api/refuse/<str:kind>/", refuse),
    path("roleplay-api/fail/", fail),
    path("roleplay-api/closed/", lambda request: HttpResponse("open")),
    path("fail/", fail),
    path("forbid/", forbid),
    path("suspect/", suspect),
    path("", include("roleplay.urls")),
]
handler400 = "portal.views.errors.bad_request"
handler403 = "portal.views.errors.forbidden"
handler404 = "portal.views.errors.not_found"
handler500 = "portal.views.errors.server_error"
pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]


def test_every_kind_has_a_status_of_its_own() -> None:
    assert set(STATUS) == set(get_args(ErrorKind))
    assert len(set(STATUS.values())) == len(STATUS)


@pytest.mark.parametrize(("kind", "status"), STATUS.items())
def test_a_refusal_as_page_fragment_and_json(client: Client, kind: str, status: int) -> None:
    page = client.get(f"/refuse/{kind}/")
    text = page.content.decode()
    assert page.status_code == status
    assert "“&lt;b&gt;” cannot be used. Nothing was changed." in text
    assert "Choose another." in text
    for detail in ("code-of-it", "data.name", f"/refuse/{kind}/", page.headers["X-Request-ID"], "<html"):
        assert detail in text

    fragment = client.get(f"/refuse/{kind}/", headers=FRAGMENT)
    assert fragment.status_code == status
    assert fragment.headers["HX-Retarget"] == "#notices"
    assert "cannot be used" in fragment.content.decode()
    assert "<html" not in fragment.content.decode()

    program = client.get(f"/roleplay-api/refuse/{kind}/")
    assert program.status_code == status
    message = "“<b>” cannot be used. Nothing was changed. Choose another."
    assert json.loads(program.content) == {
        "error": {"code": "code-of-it", "message": message, "where": "data.name"}
    }


def test_a_boosted_request_gets_the_whole_page(client: Client) -> None:
    response = client.get("/refuse/invalid/", headers=FRAGMENT | {"HX-Boosted": "true"})
    assert "<html" in response.content.decode()
    assert "HX-Retarget" not in response.headers


def test_too_many_tries_say_when_to_come_back(client: Client) -> None:
    assert client.get("/refuse/limited/").headers["Retry-After"] == "300"


def test_a_refusal_is_logged_with_the_number_of_the_request(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="portal.refusals")
    client.get("/refuse/forbidden/")
    assert "GET /refuse/forbidden/: code-of-it data.name" in caplog.text


@pytest.mark.parametrize(
    ("where", "status", "text"),
    [
        ("/nothing/", 404, "There is nothing at this address"),
        ("/forbid/", 403, "Your account may not do this"),
        ("/suspect/", 400, "could not read this request"),
        ("/fail/", 500, "Our fault"),
    ],
)
@pytest.mark.parametrize("headers", [{}, FRAGMENT], ids=["page", "fragment"])
def test_djangos_own_errors_wear_our_shell(
    where: str, status: int, text: str, headers: dict[str, str], people: People
) -> None:
    client = client_of(people.ana)
    client.raise_request_exception = False
    response = client.get(where, headers=headers)
    assert response.status_code == status
    page = response.content.decode()
    assert text in page
    assert response.headers["X-Request-ID"] in page
    assert "secret detail" not in page
    assert ("<html" in page) is (not headers)


def test_a_program_gets_json_for_everything(client: Client) -> None:
    client.raise_request_exception = False
    for where, status in (
        ("/roleplay-api/fail/", 500),
        ("/roleplay-api/nothing/", 404),
        ("/roleplay-api/closed/", 401),
    ):
        response = client.get(where)
        assert response.status_code == status
        assert set(json.loads(response.content)["error"]) == {"code", "message", "where"}


def test_a_missing_mark_is_explained(people: People) -> None:
    client = Client(enforce_csrf_checks=True)
    page = client.post("/signin/", {"login": "ana", "password": "x"})
    assert page.status_code == 403
    assert "could not be sure that this came from its own page" in page.content.decode()


def test_a_wrong_host_is_refused(client: Client) -> None:
    response = client.get("/help/", headers={"Host": "evil.example"})
    assert response.status_code == 400
    assert "evil.example" not in response.content.decode()


def test_errors_are_shown_in_the_readers_language_while_the_database_is_away(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page for our own failures asks nothing that may be what failed."""
    from portal.models import SiteSettings

    def away() -> SiteSettings:
        raise RuntimeError("no database")

    monkeypatch.setattr(SiteSettings, "current", away)
    client.raise_request_exception = False
    response = client.get("/signin/")
    assert response.status_code == 500
    assert "Our fault" in response.content.decode()
