"""New accounts: open, by invitation, closed (`portal.md` 3.1)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from formats.errors import DomainError
from portal import actions, invitations
from portal.models import Invitation, Person, SiteSettings
from tests.support.people import PASSWORD, People, client_of

pytestmark = pytest.mark.django_db


def registration(mode: str) -> None:
    SiteSettings.objects.update_or_create(pk=1, defaults={"registration": mode})


def sign_up(client: Client, name: str = "dora", **more: str) -> int:
    return client.post("/signup/", {"username": name, "password1": PASSWORD, **more}).status_code


def test_open_takes_anybody(client: Client, people: People) -> None:
    registration("open")
    assert sign_up(client) == 302
    dora = Person.objects.get(username="dora")
    assert (dora.handle, dora.is_host, dora.is_staff) == ("dora", False, False)
    assert client.get("/settings/look/").status_code == 200, "and signs them in"


@pytest.mark.parametrize("mode", ["invite", "closed"])
def test_without_an_invitation_nobody_comes_in(client: Client, people: People, mode: str) -> None:
    registration(mode)
    sign_up(client)
    assert not Person.objects.filter(username="dora").exists()
    assert "takes" in client.get("/signup/").content.decode()


def test_the_environment_decides_until_the_host_does(people: People, settings: object) -> None:
    settings.REGISTRATION = "closed"  # type: ignore[attr-defined]
    assert SiteSettings.current().registration_mode == "closed"
    registration("open")
    assert SiteSettings.current().registration_mode == "open"


def test_an_invitation_makes_one_account(people: People) -> None:
    registration("invite")
    made, token = invitations.make_invitation(actor=people.hal, note="for Dora")
    assert token not in made.token_hash
    first, second = Client(), Client()
    for client in (first, second):
        page = client.get(f"/invite/{token}/").content.decode()
        assert "hal" in page
        assert "can read the database" in page
    assert sign_up(first, "dora") == 302
    made.refresh_from_db()
    assert (made.state, made.used_by) == ("used", Person.objects.get(username="dora"))
    sign_up(second, "eve")
    assert not Person.objects.filter(username="eve").exists()
    assert second.get(f"/invite/{token}/").status_code == 404


def test_an_invitation_used_in_between_leaves_no_account(people: People) -> None:
    """Both browsers see the form; the slower one gets a plain refusal and no half-made account."""
    registration("invite")
    made, token = invitations.make_invitation(actor=people.hal, note="")
    client = Client()
    client.get(f"/invite/{token}/")
    session = client.session
    Invitation.objects.filter(pk=made.pk).update(revoked=timezone.now())
    with pytest.raises(DomainError) as refused:
        invitations.redeem(session, people.cyd)
    assert refused.value.code == "invitation-gone"


def test_revoked_expired_and_orphaned_invitations_open_nothing(client: Client, people: People) -> None:
    registration("invite")
    revoked, one = invitations.make_invitation(actor=people.hal, note="")
    actions.revoke_invitation(actor=people.hal, invitation=revoked)
    expired, two = invitations.make_invitation(actor=people.hal, note="")
    Invitation.objects.filter(pk=expired.pk).update(expires=timezone.now() - timedelta(seconds=1))
    _, three = invitations.make_invitation(actor=people.ana, note="")  # Ana is no host
    for token in (one, two, three, "nothing"):
        assert client.get(f"/invite/{token}/").status_code == 404


def test_closed_closes_invitations_too(client: Client, people: People) -> None:
    _, token = invitations.make_invitation(actor=people.hal, note="")
    registration("closed")
    client.get(f"/invite/{token}/")
    sign_up(client)
    assert not Person.objects.filter(username="dora").exists()


@pytest.mark.parametrize("name", ["ana", "ANA", "a@b.example", "x", "<b>", "root"])
def test_names_that_cannot_be_taken(client: Client, people: People, name: str) -> None:
    registration("open")
    before = Person.objects.count()
    assert sign_up(client, name) == 200
    assert Person.objects.count() == before


def test_an_address_belongs_to_one_account(client: Client, people: People) -> None:
    registration("open")
    actions.change_email(person=people.ana, address="ana@example.org")
    sign_up(client, email="ANA@example.org")
    assert not Person.objects.filter(username="dora").exists()


def test_folder_names_are_plain_and_never_meet(db: None) -> None:
    names = ["Zoë", "zoe", "ZOE.", "林娜", "con", "...", "a" * 60]
    handles = [Person.objects.create_user(name).handle for name in names]
    assert handles == ["zoe", "zoe-2", "zoe-3", "linna", "con-person", "person", "a" * 24]


def test_a_folder_name_never_changes(people: People) -> None:
    people.ana.username = "anna"
    people.ana.save()
    assert Person.objects.get(pk=people.ana.pk).handle == "ana"
    people.ana.handle = "anna"
    with pytest.raises(ValueError, match="never changes"):
        people.ana.save()


def test_signed_in_people_do_not_sign_up_again(people: People) -> None:
    registration("open")
    assert client_of(people.ana).get("/signup/").status_code == 302
