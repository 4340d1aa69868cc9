"""The four people of every test: Ana owns, Ben is shared with, Cyd is a stranger, Hal is the host."""

from __future__ import annotations

from dataclasses import dataclass

from django.test import Client

from portal.models import Person, Share

PASSWORD = "correct horse battery staple"


@dataclass(frozen=True, slots=True)
class People:
    """Everybody at once. All have the password `PASSWORD`."""

    ana: Person
    ben: Person
    cyd: Person
    hal: Person


def make_people() -> People:
    """The four, stored. Call it where the database may be used."""
    ana, ben, cyd = (Person.objects.create_user(name, password=PASSWORD) for name in ("ana", "ben", "cyd"))
    hal = Person.objects.create_superuser("hal", password=PASSWORD)
    return People(ana, ben, cyd, hal)


def share(person: Person, kind: str, item_id: str, level: str = "read") -> Share:
    """Open one item to a person."""
    return Share.objects.create(person=person, kind=kind, item_id=item_id, level=level)


def client_of(person: Person | None) -> Client:
    """A browser in which the person is signed in; nobody for `None`."""
    client = Client()
    if person is not None:
        client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return client
