"""Refusals and failures: page, fragment or JSON, the right status, three lines and a number."""

from __future__ import annotations

import json
import logging
from typing import get_args

import pytest
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from pytest_django import Settings

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


@login_not_required
@csrf_exempt
@require_POST
def read_body(request: HttpRequest) -> HttpResponse:
    return HttpResponse(request.body)


@login_not_required
@require_POST
def take_files(request: HttpRequest) -> HttpResponse:
    return HttpResponse(len(request.FILES))


urlpatterns = [
    path("roleplay-api/body/", read_body),
    path("body/", read_body),
    path("roleplay-api/files/", take_files),
    path("files/", take_files),
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


@pytest.mark.parametrize("method", ["get", "put", "patch", "delete", "options"])
def test_a_program_is_told_which_methods_an_address_takes(client: Client, method: str) -> None:
    response = getattr(client, method)("/roleplay-api/body/")
    assert (response.status_code, response.headers["Allow"]) == (405, "POST")
    told = json.loads(response.content)["error"]
    assert (told["code"], told["where"]) == ("method-not-allowed", "/roleplay-api/body/")
    assert (
        told["message"] == f"This address does not take {method.upper()}. Nothing was changed. It takes POST."
    )


@pytest.mark.parametrize("where", ["/roleplay-api/body/", "/body/"])
def test_a_body_too_large_is_413_and_no_alarm(
    client: Client, settings: Settings, caplog: pytest.LogCaptureFixture, where: str
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    assert client.post(where, "x" * 1000, content_type="application/json").status_code == 200
    response = client.post(where, "x" * 1001, content_type="application/json")
    assert response.status_code == 413
    if "api" in where:
        assert json.loads(response.content)["error"]["code"] == "body-too-large"
    else:
        assert "too large to be read" in response.content.decode()
    assert [record for record in caplog.records if record.exc_info] == []
    assert [record for record in caplog.records if record.name.startswith("django.security")] == []


@pytest.mark.parametrize("where", ["/roleplay-api/files/", "/files/"])
def test_too_many_files_are_told_with_their_number(client: Client, settings: Settings, where: str) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2
    files = [SimpleUploadedFile(f"{number}.png", b"x") for number in range(3)]
    response = client.post(where, {"file": files})
    assert response.status_code == 400
    assert "More than 2 files came at once" in response.content.decode()
    if "api" in where:
        assert json.loads(response.content)["error"]["code"] == "too-many-files"


def test_a_form_that_cannot_be_read_is_400_in_json(client: Client) -> None:
    kind = "multipart/form-data; boundary=" + "x" * 300
    response = client.post("/roleplay-api/files/", b"--nothing", content_type=kind)
    assert response.status_code == 400
    assert json.loads(response.content)["error"]["code"] == "bad-request"


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
