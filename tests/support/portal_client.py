"""A program that imports cards over HTTP, as somebody who is signed in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import httpx

from tests.support.servers import SET_UP, manage, wait_until

API: Final = "/roleplay-api/worlds/import"
CSRF: Final = "h" * 32
LIVE: Final = ("queued", "running")
SIGN_IN: Final = """
from importlib import import_module
from django.conf import settings
from django.core.management import call_command
call_command("migrate", verbosity=0)
from portal.models import Person
person = Person.objects.create_user("ana", password=None)
session = import_module(settings.SESSION_ENGINE).SessionStore()
session["_auth_user_id"] = str(person.pk)
session["_auth_user_backend"] = "django.contrib.auth.backends.ModelBackend"
session["_auth_user_hash"] = person.get_session_auth_hash()
session.create()
print(session.session_key)
"""


def sign_in(environment: dict[str, str]) -> str:
    """Make the tables and the person `ana` in a new data folder; the key of a session of hers."""
    return manage(environment, code=SET_UP + SIGN_IN).strip()


class Unable(AssertionError):
    """The server says that it cannot: what was asked for is not acknowledged."""


class Portal:
    """The addresses of an import, from the outside. All methods raise httpx.HTTPError when nobody answers."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client

    def upload(self, data: bytes, filename: str) -> dict[str, Any]:
        """Send a file; what 201 says."""
        return self._sent(self.client.post(API, files={"file": (filename, data)}), 201)

    def import_of(self, import_id: str) -> dict[str, Any]:
        return self._sent(self.client.get(API, params={"id": import_id}), 200)

    def choose(self, upload_id: str, **choices: Any) -> dict[str, Any]:
        return self._sent(self.client.patch(API, params={"id": upload_id}, json=choices), 200)

    def start(self, upload_id: str) -> str:
        """Ask for the import without a model; the world's id, once 202 says that it will be."""
        told = self._sent(self.client.post(f"{API}/structure", params={"id": upload_id}), 202)
        return str(told["world"])

    def read(self, upload_id: str) -> dict[str, Any]:
        """The upload once it is read."""
        return dict(wait_until(lambda: _unless(self.import_of(upload_id), "reading"), seconds=60))

    def finished(self, world_id: str, pictures: bool) -> dict[str, Any]:
        """The import once it and its pictures (if the card names any) are done, nobody asking for more."""
        return dict(wait_until(lambda: self._all_done(world_id, pictures), seconds=90))

    def page(self, path: str) -> httpx.Response:
        return self.client.get(path)

    def press(self, path: str, **form: str) -> str:
        """Send a form whose answer leads to another page; the address of that page."""
        answer = self.client.post(path, data=form)
        self._judge(answer, 303 if answer.status_code == 303 else 302)
        return answer.headers["Location"]

    def _all_done(self, world_id: str, pictures: bool) -> dict[str, Any] | None:
        told = self.import_of(world_id)
        jobs = [told["job"], *([told["pictures"]] if pictures else [])]
        ended = all(job and job["state"] not in LIVE for job in jobs)
        return told if ended and told["state"] in ("done", "repair") else None

    def _sent(self, answer: httpx.Response, status: int) -> dict[str, Any]:
        self._judge(answer, status)
        return dict(answer.json())

    def _judge(self, answer: httpx.Response, status: int) -> None:
        if answer.status_code >= 500:
            raise Unable(f"{answer.status_code}: {answer.text[:2000]}")
        assert answer.status_code == status, (answer.status_code, answer.text[:2000])


def _unless(told: dict[str, Any], state: str) -> dict[str, Any] | None:
    return None if told["state"] == state else told


@contextmanager
def portal(address: str, session: str, timeout: float = 60) -> Iterator[Portal]:
    """A client with Ana's session at a server."""
    cookies = {"sessionid": session, "csrftoken": CSRF}
    with httpx.Client(
        base_url=address, cookies=cookies, headers={"X-CSRFToken": CSRF}, timeout=timeout
    ) as client:
        yield Portal(client)
