"""What the host does with people (`portal.md` 3.12)."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from formats.errors import DomainError
from portal import actions
from portal.models import Invitation, Person, SiteSettings
from tests.support.people import PASSWORD, People, client_of

pytestmark = pytest.mark.django_db


def test_the_link_of_an_invitation_is_shown_once_and_works(people: People, settings: object) -> None:
    settings.PUBLIC_URL = "https://worlds.example"  # type: ignore[attr-defined]
    hal = client_of(people.hal)
    page = hal.post("/manage/people/", {"note": "for Dora"}).content.decode()
    found = re.search(r"https://worlds\.example(/invite/[\w-]+/)", page)
    assert found
    assert Client().get(found[1]).status_code == 200
    assert found[1] not in hal.get("/manage/people/").content.decode()


def test_withdrawing_an_invitation(people: People) -> None:
    hal = client_of(people.hal)
    hal.post("/manage/people/", {"note": "x"})
    made = Invitation.objects.get()
    hal.post(f"/manage/invitations/{made.pk}/revoke/")
    made.refresh_from_db()
    assert made.state == "revoked"


def test_disabling_ends_every_session_and_can_be_undone(people: People) -> None:
    cyd, hal = Client(), client_of(people.hal)
    cyd.post("/signin/", {"login": "cyd", "password": PASSWORD})
    assert cyd.get("/settings/look/").status_code == 200
    page = hal.post("/manage/people/cyd/disable/", follow=True).content.decode()
    assert cyd.get("/settings/look/").status_code == 302
    assert 'action="/manage/people/cyd/enable/"' in page, "the notice offers the way back"
    hal.post("/manage/people/cyd/enable/")
    assert cyd.get("/settings/look/").status_code == 302, "old sessions stay ended"
    again = Client()
    again.post("/signin/", {"login": "cyd", "password": PASSWORD})
    assert again.get("/settings/look/").status_code == 200


def test_a_host_cannot_lock_themselves_out(people: People) -> None:
    response = client_of(people.hal).post("/manage/people/hal/disable/")
    assert response.status_code == 422
    with pytest.raises(DomainError):
        actions.disable_person(actor=people.hal, person=people.hal)
    people.hal.refresh_from_db()
    assert people.hal.is_active


def test_a_password_link_works_once_and_ends_the_old_password(people: People, settings: object) -> None:
    page = client_of(people.hal).post("/manage/people/ana/password/").content.decode()
    link = re.search(r'id="link"[^>]*>[^<]*?(/password/reset/[^<]+)<', page)
    assert link
    ana = Client()
    form = ana.get(link[1], follow=True)
    where = form.request["PATH_INFO"]
    new = "a wholly new secret 7"
    assert ana.post(where, {"password1": new, "password2": new}).status_code == 302
    assert Client().post("/signin/", {"login": "ana", "password": PASSWORD}).status_code == 200
    assert Client().post("/signin/", {"login": "ana", "password": new}).status_code == 302
    assert "password1" not in Client().get(link[1], follow=True).content.decode(), "the link is used up"


def test_people_are_found_by_name(people: People) -> None:
    hal = client_of(people.hal)
    page = hal.get("/manage/people/?q=cy", headers={"HX-Request": "true"}).content.decode()
    assert "cyd" in page
    assert "ben" not in page
    assert "<html" not in page, "htmx gets the list alone"


def test_the_host_names_the_server(people: People) -> None:
    hal = client_of(people.hal)
    hal.post("/manage/site/", {"name": "Fog <b>", "language": "en", "registration": "closed"})
    assert SiteSettings.current().registration == "closed"
    assert "Fog &lt;b&gt;" in Client().get("/signin/").content.decode()


def test_the_admin_has_no_way_round_the_rules(people: People) -> None:
    hal = client_of(people.hal)
    assert hal.get("/admin/portal/person/add/").status_code == 403
    where = f"/admin/portal/person/{people.cyd.pk}/change/"
    page = hal.get(where).content.decode()
    assert 'name="is_active"' not in page
    assert 'name="handle"' not in page
    assert hal.get(f"/admin/portal/person/{people.cyd.pk}/delete/").status_code == 403
    assert Person.objects.get(pk=people.cyd.pk).is_active
