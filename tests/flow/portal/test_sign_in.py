"""Signing in and out (`portal.md` 3.1): one text for everything that is wrong, limits, no way round them."""

from __future__ import annotations

import logging

import pytest
from django.test import Client

from portal import actions
from tests.support.people import PASSWORD, People

pytestmark = pytest.mark.django_db
WRONG = "Name or password is not right."


def sign_in(client: Client, name: str, password: str = PASSWORD, **more: str) -> str:
    """Try; the page that comes back, or the address one is led to."""
    response = client.post("/signin/", {"login": name, "password": password, **more})
    return response.headers.get("Location") or response.content.decode()


def test_by_name(client: Client, people: People) -> None:
    assert sign_in(client, "ana") == "/"
    assert client.get("/settings/look/").status_code == 200


def test_by_address(client: Client, people: People) -> None:
    actions.change_email(person=people.ana, address="ana@example.org")
    assert sign_in(client, "ana@example.org") == "/"


def test_a_wrong_name_and_a_wrong_password_read_the_same(client: Client, people: People) -> None:
    pages = [sign_in(client, "ana", "wrong"), sign_in(client, "nobody"), sign_in(client, "no@example.org")]
    assert all(WRONG in page for page in pages)


def test_a_disabled_person_learns_it_with_the_right_password_only(client: Client, people: People) -> None:
    actions.disable_person(actor=people.hal, person=people.cyd)
    assert WRONG in sign_in(client, "cyd", "wrong")
    assert sign_in(client, "cyd") == "/signin/inactive/"
    assert client.get("/settings/look/").status_code == 302


def test_too_many_tries_lock_even_the_right_password(client: Client, people: People) -> None:
    for _ in range(5):
        assert WRONG in sign_in(client, "ana", "wrong")
    locked = sign_in(client, "ana")
    assert "Too many tries. Wait 5 minutes or ask the host (hal)." in locked
    assert sign_in(client, "ben") == "/", "others are not locked out"


def test_one_address_that_tries_many_names_is_locked(client: Client, people: People) -> None:
    for number in range(20):
        sign_in(client, f"guess-{number}", "wrong")
    assert "Too many tries" in sign_in(client, "ana")


def test_a_foreign_next_address_is_not_followed(client: Client, people: People) -> None:
    assert sign_in(client, "ana", next="https://evil.example/") == "/"
    client.logout()
    assert sign_in(client, "ana", next="/settings/look/") == "/settings/look/"


def test_the_session_gets_a_new_key(client: Client, people: People) -> None:
    client.get("/signin/")
    session = client.session
    session["mark"] = 1
    session.save()
    before = session.session_key
    sign_in(client, "ana")
    assert client.session.session_key != before


def test_signing_out_ends_the_session(client: Client, people: People) -> None:
    sign_in(client, "ana")
    key = client.cookies["sessionid"].value
    client.post("/signout/")
    thief = Client()
    thief.cookies["sessionid"] = key
    assert thief.get("/settings/look/").status_code == 302


def test_signing_in_is_logged_without_the_password(
    client: Client, people: People, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="portal.access")
    sign_in(client, "ana\r\nforged line", "secret-word")
    sign_in(client, "ana")
    client.post("/signout/")
    text = caplog.text
    assert "sign-in refused" in text
    assert "signed in: ana" in text
    assert "signed out: ana" in text
    assert "secret-word" not in text
    assert PASSWORD not in text


def test_a_fragment_leads_the_whole_page_to_sign_in(client: Client) -> None:
    response = client.get("/settings/look/", headers={"HX-Request": "true"})
    assert response.status_code == 204
    assert response.headers["HX-Redirect"].startswith("/signin/")


def test_without_mail_a_forgotten_password_is_for_the_host(client: Client, people: People) -> None:
    assert "Ask the host (hal)" in client.get("/password/reset/").content.decode()


def test_with_mail_a_letter_goes_out(
    client: Client, people: People, settings: object, mailoutbox: list[object]
) -> None:
    settings.MAIL_CONFIGURED = True  # type: ignore[attr-defined]
    actions.change_email(person=people.ana, address="ana@example.org")
    known = client.post("/password/reset/", {"email": "ana@example.org"})
    unknown = client.post("/password/reset/", {"email": "no@example.org"})
    assert (known.status_code, known.headers["Location"]) == (
        unknown.status_code,
        unknown.headers["Location"],
    )
    assert len(mailoutbox) == 1
