"""The first account: a token opens one page, once (D44)."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from django.test import Client, RequestFactory

from formats.errors import DomainError
from portal import actions, first_run, slots
from portal.checklist import checklist
from portal.models import Person, SiteSettings
from tests.support.people import PASSWORD, People

pytestmark = pytest.mark.django_db
FIRST = {
    "username": "林娜",
    "password": PASSWORD,
    "name": "雾都",
    "language": "zh-hans",
    "registration": "invite",
}


@pytest.fixture
def token(data_root: Path) -> str:
    made = first_run.setup_token()
    assert made
    return made


def test_the_token_is_kept_for_the_server_user_only_and_stays_the_same(token: str, data_root: Path) -> None:
    path = data_root / first_run.FILE_NAME
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert first_run.setup_token() == token


def test_an_empty_token_file_of_a_crash_is_written_again(data_root: Path) -> None:
    (data_root / first_run.FILE_NAME).write_text("")
    made = first_run.setup_token()
    assert made
    assert first_run.opens_setup(made)
    assert not first_run.opens_setup("")


@pytest.mark.parametrize("query", ["", "?token=", "?token=wrong", "?token=é"])
def test_without_the_token_there_is_no_such_page(client: Client, token: str, query: str) -> None:
    assert client.get(f"/setup/{query}").status_code == 404
    assert client.post(f"/setup/{query}", FIRST).status_code == 404
    assert not Person.objects.exists()


def test_the_first_account_owns_the_server(client: Client, token: str, data_root: Path) -> None:
    page = client.get(f"/setup/?token={token}")
    assert str(data_root) in page.content.decode(), "the checklist names the data folder"
    response = client.post(f"/setup/?token={token}", FIRST)
    assert (response.status_code, response.headers["Location"]) == (303, "/welcome/")
    owner = Person.objects.get()
    assert (owner.username, owner.handle, owner.is_host) == ("林娜", "linna", True)
    site = SiteSettings.current()
    assert (site.name, site.language, site.registration_mode) == ("雾都", "zh-hans", "invite")
    assert client.session["_auth_user_id"] == str(owner.pk)
    assert first_run.setup_token() is None
    assert not (data_root / first_run.FILE_NAME).exists()
    after = client.get(f"/setup/?token={token}", follow=True)
    assert after.redirect_chain[-1][0] == "/"
    assert "已经设置好了" in after.content.decode()


@pytest.mark.parametrize("query", ["", "?token=wrong"])
def test_once_set_up_it_leads_home_whoever_asks(client: Client, people: People, query: str) -> None:
    answer = client.get(f"/setup/{query}", follow=True)
    assert answer.redirect_chain[-1][0].startswith("/signin/")
    assert "This server is set up already." in answer.content.decode()
    there = Person.objects.count()
    assert client.post(f"/setup/{query}", FIRST).status_code == 303
    assert Person.objects.count() == there


def test_the_welcome_page_offers_samples(client: Client, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "_filled", {})
    slots.register("setup.samples", lambda request: "A <sample> card")
    client.post(f"/setup/?token={token}", FIRST)
    assert "A &lt;sample&gt; card" in client.get("/welcome/").content.decode()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"password": "short"}, "password"),
        ({"password": "林娜林娜林娜林娜", "username": "林娜林娜林娜林娜"}, "password"),
        ({"username": "a@b.example"}, "username"),
        ({"username": ""}, "username"),
        ({"registration": "everybody"}, "registration"),
    ],
)
def test_what_cannot_be_used_is_named_at_its_field(
    client: Client, token: str, change: dict[str, str], field: str
) -> None:
    response = client.post(f"/setup/?token={token}", FIRST | change)
    page = response.content.decode()
    assert response.status_code == 422
    assert f'id="id_{field}_error"' in page
    assert f'href="#id_{field}"' in page, "the summary leads to the field"
    assert not Person.objects.exists()


def test_two_people_with_the_token_make_one_owner(people: People) -> None:
    with pytest.raises(DomainError) as refused:
        actions.make_owner(name="Eve", password=PASSWORD, site_name="x", language="en", registration="open")
    assert refused.value.kind == "conflict"
    assert not Person.objects.filter(username="Eve").exists()
    assert not SiteSettings.objects.exists(), "nothing is left of the second try"


SAFE, ALONE = "People reach it over a safe connection.", "At this address only this machine reaches it."


@pytest.mark.parametrize(
    ("host", "secure", "line", "well"),
    [
        ("127.0.0.1:8000", False, ALONE, True),
        ("localhost", False, ALONE, True),
        ("worlds.example", True, SAFE, True),
        ("worlds.example", False, SAFE, False),
    ],
)
def test_the_checklist_calls_safe_only_what_others_reach_safely(
    rf: RequestFactory, settings: object, data_root: Path, host: str, secure: bool, line: str, well: bool
) -> None:
    settings.ALLOWED_HOSTS = ["*"]  # type: ignore[attr-defined]
    told = checklist(rf.get("/", secure=secure, headers={"host": host}))
    assert [check.well for check in told if check.label == line] == [well]
    assert sum(check.label in (SAFE, ALONE) for check in told) == 1
