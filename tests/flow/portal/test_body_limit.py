"""Large bodies are for sessions that hold: looked up before a byte of the body is taken."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client

from portal.body_limit import USUAL, BodyLimit, Receive, Scope, Send, upload_route
from portal.models import Person
from tests.support.people import client_of

pytestmark = pytest.mark.django_db(transaction=True)
CAP = upload_route("/import/", 50).cap


async def unused(scope: Scope, receive: Receive, send: Send) -> None:
    raise AssertionError("only the cap is asked for")


async def cap_for(cookie: str) -> int:
    headers = [(b"cookie", cookie.encode())]
    limit = BodyLimit(unused, [upload_route("/import/", 50)])
    return await limit.cap({"type": "http", "method": "POST", "path": "/import/", "headers": headers})


@sync_to_async
def signed_in() -> tuple[Person, Client, str]:
    person = Person.objects.create_user("ana", password=None)
    client = client_of(person)
    return person, client, f"sessionid={client.cookies[settings.SESSION_COOKIE_NAME].value}"


async def test_a_session_that_holds_may_send_files() -> None:
    _person, client, cookie = await signed_in()
    assert await cap_for(cookie) == CAP
    await sync_to_async(client.logout)()
    assert await cap_for(cookie) == USUAL


@pytest.mark.parametrize(
    "cookie", ["", "sessionid=", "sessionid=forged", "sessionid=" + "f" * 32, "sessionid=%00"]
)
async def test_a_cookie_that_only_says_so_may_not(cookie: str) -> None:
    assert await cap_for(cookie) == USUAL


async def test_a_disabled_account_may_not() -> None:
    _person, _client, cookie = await signed_in()
    await Person.objects.aupdate(is_active=False)
    assert await cap_for(cookie) == USUAL


async def test_a_session_of_nobody_may_not() -> None:
    def nobodys() -> str:
        session = Client().session  # made and stored, but nobody signed in
        session["seen"] = 1
        session.save()
        return str(session.session_key)

    key = await sync_to_async(nobodys)()
    assert await Session.objects.filter(pk=key).aexists()
    assert await cap_for(f"sessionid={key}") == USUAL
