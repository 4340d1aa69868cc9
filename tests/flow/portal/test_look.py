"""Look, language and account of one person (`portal.md` 3.0, 3.11)."""

from __future__ import annotations

import pytest
from django.test import Client

from portal import actions
from portal.models import SiteSettings
from tests.support.people import PASSWORD, People, client_of

pytestmark = pytest.mark.django_db
LOOK = {"language": "zh-hans", "theme": "dark", "text_size": "120", "reading_font": "sans"}


def html_tag(client: Client, **headers: str) -> str:
    page = client.get("/help/", headers=headers).content.decode()
    return page[page.index("<html") : page.index("<head")]


def test_choices_are_kept_on_the_account_and_drawn_by_the_server(people: People) -> None:
    ana = client_of(people.ana)
    assert ana.post("/settings/look/", LOOK).status_code == 302
    tag = html_tag(client_of(people.ana))
    for part in ('lang="zh-hans"', 'data-theme="dark"', 'data-text="120"', 'data-font="sans"'):
        assert part in tag
    assert "data-shortcuts" not in ana.get("/help/").content.decode(), "switched off"


def test_a_refused_form_changes_nothing_of_the_page(people: People) -> None:
    response = client_of(people.ana).post("/settings/look/", LOOK | {"theme": "neon"})
    assert response.status_code == 422
    assert 'data-theme="system"' in response.content.decode()
    people.ana.refresh_from_db()
    assert people.ana.theme == "system"


def test_the_accounts_language_goes_before_cookie_and_browser(people: People) -> None:
    ana = client_of(people.ana)
    assert 'lang="zh-hans"' in html_tag(ana, **{"Accept-Language": "zh-CN"})
    ana.post("/language/", {"language": "en", "next": "/help/"})
    assert 'lang="en"' in html_tag(ana, **{"Accept-Language": "zh-CN"})
    people.ana.refresh_from_db()
    assert people.ana.language == "en"


def test_visitors_switch_by_cookie(client: Client, db: None) -> None:
    response = client.post("/language/", {"language": "zh-hans", "next": "/signin/?next=/settings/look/"})
    assert response.headers["Location"] == "/signin/?next=/settings/look/"
    assert 'lang="zh-hans"' in html_tag(client)
    assert (
        client.post("/language/", {"language": "en", "next": "https://evil.example/"})
        .headers["Location"]
        .startswith("/")
    )


@pytest.mark.parametrize(
    ("accepted", "shown"),
    [("zh-CN,zh;q=0.9", "zh-hans"), ("zh-TW", "zh-hans"), ("de", "en"), ("en-GB", "en")],
)
def test_a_browsers_language_is_understood(client: Client, db: None, accepted: str, shown: str) -> None:
    assert f'lang="{shown}"' in html_tag(client, **{"Accept-Language": accepted})


def test_a_browser_without_wishes_gets_the_sites_language(client: Client, db: None) -> None:
    SiteSettings.objects.create(pk=1, language="zh-hans")
    assert 'lang="zh-hans"' in html_tag(client)


def test_an_address_needs_the_password_and_belongs_to_one(people: People) -> None:
    actions.change_email(person=people.ben, address="ben@example.org")
    ana = client_of(people.ana)
    for data in (
        {"email": "ana@example.org", "password": "wrong"},
        {"email": "BEN@example.org", "password": PASSWORD},
    ):
        assert ana.post("/settings/account/", data).status_code == 422
    people.ana.refresh_from_db()
    assert people.ana.email == ""
    assert (
        ana.post("/settings/account/", {"email": "Ana@example.org", "password": PASSWORD}).status_code == 302
    )
    people.ana.refresh_from_db()
    assert people.ana.email == "ana@example.org"
    assert ana.post("/settings/account/", {"email": "", "password": PASSWORD}).status_code == 302
    assert Client().post("/signin/", {"login": "ana@example.org", "password": PASSWORD}).status_code == 200


def test_changing_the_password_ends_other_sessions(people: People) -> None:
    here, there = Client(), Client()
    for client in (here, there):
        client.post("/signin/", {"login": "ana", "password": PASSWORD})
    new = "quite another secret 5"
    here.post("/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert there.get("/settings/look/").status_code == 302


def test_sessions_are_listed_and_others_can_be_ended(people: People) -> None:
    here, there = Client(), Client(headers={"User-Agent": "Other browser"})
    for client in (here, there):
        client.post("/signin/", {"login": "ana", "password": PASSWORD})
    assert "Other browser" in here.get("/settings/sessions/").content.decode()
    here.post("/settings/sessions/")
    assert there.get("/settings/look/").status_code == 302
    assert here.get("/settings/look/").status_code == 200
