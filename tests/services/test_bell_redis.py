"""With Redis, a ring in one process is heard by a page that another process serves."""

import json
from pathlib import Path

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.support.servers import SET_UP, manage, program_environment, redis_address, serving

pytestmark = [pytest.mark.services, pytest.mark.timeout(240)]
SIGN_IN = """
from importlib import import_module
from django.conf import settings
from portal.models import Person
person = Person.objects.create_user("ana", password=None)
session = import_module(settings.SESSION_ENGINE).SessionStore()
session["_auth_user_id"] = str(person.pk)
session["_auth_user_backend"] = "django.contrib.auth.backends.ModelBackend"
session["_auth_user_hash"] = person.get_session_auth_hash()
session.create()
print(session.session_key, person.pk)
"""
RING = """
from django.db import transaction
from portal import bell
with transaction.atomic():
    bell.ring("person:{person}")
"""


def test_a_command_rings_the_page_of_a_server(tmp_path: Path) -> None:
    data, redis = tmp_path / "data", redis_address()
    with serving(data, REDIS_URL=redis) as server:
        environment = program_environment(data, REDIS_URL=redis)
        session, person = manage(environment, code=SET_UP + SIGN_IN).split()
        cookie = {"Cookie": f"sessionid={session}"}
        address = f"ws://127.0.0.1:{server.port}/bell/"
        with connect(address, origin=Origin(server.address), additional_headers=cookie) as page:
            assert json.loads(page.recv(timeout=10)) == {"ring": f"person:{person}"}
            manage(environment, code=SET_UP + RING.format(person=person))
            assert json.loads(page.recv(timeout=10)) == {"ring": f"person:{person}"}
        assert server.end() == -15
