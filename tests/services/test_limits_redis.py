"""With Redis, tries are counted for all processes together (`portal.md` 3.1)."""

from pathlib import Path

import pytest

from tests.support.servers import SET_UP, manage, program_environment, redis_address

pytestmark = [pytest.mark.services, pytest.mark.timeout(240)]
TRY = """
from django.core.management import call_command
from django.test import Client
from portal.models import Person
call_command("migrate", interactive=False, verbosity=0)
if not Person.objects.exists():
    Person.objects.create_user({name!r}, password="correct horse battery staple")
client = Client(SERVER_NAME="127.0.0.1")
for password in {passwords!r}:
    answer = client.post("/signin/", {{"login": {name!r}, "password": password}})
print(answer.status_code, "Too many tries" in answer.content.decode())
"""


def test_a_second_process_knows_the_tries_of_the_first(tmp_path: Path) -> None:
    environment = program_environment(
        tmp_path / "data", REDIS_URL=redis_address(), DEBUG="yes"
    )  # static files as they lie
    name = f"ana-{tmp_path.parent.name}"  # the tries of an earlier run are still counted
    code = SET_UP + TRY.format(name=name, passwords=["wrong"] * 5)
    assert manage(environment, code=code).split() == ["200", "False"]
    right = SET_UP + TRY.format(name=name, passwords=["correct horse battery staple"])
    assert manage(environment, code=right).split() == ["200", "True"]
