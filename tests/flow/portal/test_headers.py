"""Headers and settings that keep strangers out (reliability part 5, D44)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from tests.support.people import PASSWORD, People, client_of

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; frame-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
EVERYWHERE = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}


def directives(policy: str) -> set[str]:
    return {part.strip() for part in policy.split(";")}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "where", ["/signin/", "/nothing/", "/", "/settings/look/", "/static/app.css", "/healthz"]
)
@pytest.mark.parametrize("signed_in", [False, True])
def test_every_answer_carries_the_headers(people: People, where: str, signed_in: bool) -> None:
    client = client_of(people.ana if signed_in else None)
    response = client.get(where)
    for name, value in EVERYWHERE.items():
        assert response.headers[name] == value, f"{where} {name}"
    assert directives(response.headers["Content-Security-Policy"]) == directives(CSP)
    assert response.headers["X-Request-ID"]


@pytest.mark.django_db
def test_pages_are_private_and_vary_by_who_asks(people: People) -> None:
    response = client_of(people.ana).get("/settings/look/")
    assert "private" in response.headers["Cache-Control"]
    for name in ("Cookie", "HX-Request", "Accept-Language"):
        assert name in response.headers["Vary"]


@pytest.mark.django_db
def test_cookies_are_not_for_scripts_or_other_sites(client: Client, people: People) -> None:
    client.post("/signin/", {"login": "ana", "password": PASSWORD})
    session = client.cookies["sessionid"]
    assert session["httponly"]
    assert session["samesite"] == "Lax"


def ask_settings(tmp_path: Path, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line of Python with fresh settings, as a server of that environment would have them."""
    env = {"PATH": os.environ["PATH"], "ROLEPLAY_DATA": str(tmp_path), **environment}
    return subprocess.run(
        [sys.executable, *code.split()],
        cwd=settings.BASE_DIR,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_public_server_passes_djangos_own_check(tmp_path: Path) -> None:
    checked = ask_settings(
        tmp_path, "manage.py check --deploy --fail-level WARNING", PUBLIC_URL="https://worlds.example"
    )
    assert checked.returncode == 0, checked.stderr


def test_a_wrong_variable_stops_the_start_with_a_sentence(tmp_path: Path) -> None:
    checked = ask_settings(tmp_path, "manage.py check", REGISTRATION="perhaps")
    assert checked.returncode == 1
    assert checked.stderr == "REGISTRATION='perhaps': write one of open, invite, closed.\n"


SHOW = (
    "from roleplay import settings as s;"
    "print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_HSTS_SECONDS > 0, s.SECURE_SSL_REDIRECT);"
    "print(s.ALLOWED_HOSTS, s.CSRF_TRUSTED_ORIGINS)"
)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://worlds.example", "True True True True\n['worlds.example'] ['https://worlds.example']\n"),
        (
            "http://127.0.0.1:9000",
            "False False False False\n['127.0.0.1', 'localhost', '[::1]'] ['http://127.0.0.1:9000']\n",
        ),
    ],
)
def test_the_public_address_decides_what_is_secure(tmp_path: Path, url: str, shown: str) -> None:
    env = {"PATH": os.environ["PATH"], "ROLEPLAY_DATA": str(tmp_path), "PUBLIC_URL": url}
    asked = subprocess.run(
        [sys.executable, "-c", SHOW],
        cwd=settings.BASE_DIR,
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert asked.stdout == shown
