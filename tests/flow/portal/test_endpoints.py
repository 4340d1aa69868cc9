"""Whose endpoints are whose, what they are used for, and that no key goes to another address."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.core.management import call_command
from pytest_django import Settings

from formats.errors import DomainError
from portal.endpoints import access, actions, environment, queries
from portal.endpoints.addresses import listed_addresses
from portal.models import ModelEndpoint, Person, Purpose
from roleplay.config import Model
from tests.support.endpoints import KEY, PUBLIC, an_endpoint, changed
from tests.support.people import People

pytestmark = pytest.mark.django_db
OTHER = "https://other.example/v1"
LOCAL = Model("http://127.0.0.1:11434/v1", "sk-of-the-environment-1234", "mist-7b")


def ids(person: Person) -> set[str]:
    return set(access.endpoints_for(person).values_list("pk", flat=True))


def refused(kind: str, call: Any, **arguments: Any) -> DomainError:
    with pytest.raises(DomainError) as raised:
        call(**arguments)
    assert raised.value.kind == kind
    return raised.value


# --- who ---------------------------------------------------------------------------------------------


def test_an_endpoint_is_its_owners_alone(people: People) -> None:
    row = an_endpoint(people.ana)
    assert ids(people.ana) == {row.pk}
    for other in (people.ben, people.cyd, people.hal):
        assert ids(other) == set()
        refused("not-found", access.endpoint_for, person=other, endpoint_id=row.pk)
        refused("not-found", actions.save_endpoint, actor=other, endpoint=row, fields=changed(row))
        refused("not-found", actions.delete_endpoint, actor=other, endpoint=row)
        refused("not-found", actions.test_endpoint, actor=other, endpoint=row)
        refused("not-found", actions.choose, actor=other, purpose="", endpoint=row)


def test_what_the_host_opens_everyone_may_use_and_nobody_else_may_change(people: People) -> None:
    row = an_endpoint(people.hal, everyone=True)
    assert access.endpoint_for(people.cyd, row.pk) == row
    refused("not-found", access.own_endpoint_for, person=people.cyd, endpoint_id=row.pk)
    refused("not-found", actions.save_endpoint, actor=people.cyd, endpoint=row, fields=changed(row))
    refused("not-found", actions.share_with_everyone, actor=people.cyd, endpoint=row, shared=False)
    actions.share_with_everyone(actor=people.hal, endpoint=row, shared=False)
    assert ids(people.cyd) == set()


def test_members_open_nothing_and_a_host_who_is_none_any_more_shares_nothing(people: People) -> None:
    mine = an_endpoint(people.ana)
    refused("not-found", actions.share_with_everyone, actor=people.ana, endpoint=mine, shared=True)
    refused("not-found", actions.share_with_everyone, actor=people.hal, endpoint=mine, shared=True)
    row = an_endpoint(people.hal, everyone=True)
    for change in ({"is_superuser": False}, {"is_superuser": True, "is_active": False}):
        Person.objects.filter(pk=people.hal.pk).update(**change)
        assert ids(people.cyd) == set()
    Person.objects.filter(pk=people.hal.pk).update(is_active=True)
    assert ids(people.cyd) == {row.pk}


def test_another_host_may_take_an_endpoint_back_from_everyone(people: People) -> None:
    row = an_endpoint(people.hal, everyone=True)
    second = Person.objects.create_superuser("ida", password=None)
    actions.share_with_everyone(actor=second, endpoint=row, shared=False)
    refused("not-found", actions.share_with_everyone, actor=second, endpoint=row, shared=True)


def test_the_host_says_whether_members_add_their_own(people: People) -> None:
    old = an_endpoint(people.ana)
    actions.save_rules(actor=people.hal, members_add=False, addresses=[])
    said = refused("forbidden", an_endpoint, owner=people.ana)
    assert "only the host" in said.message
    actions.save_endpoint(actor=people.ana, endpoint=old, fields=changed(old, name="Mist"))
    assert ids(people.ana) == {old.pk}, "what was added stays"
    assert an_endpoint(people.hal)
    refused("not-found", actions.save_rules, actor=people.ana, members_add=True, addresses=[])


def test_there_is_a_most(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "MOST_ENDPOINTS", 1)
    row = an_endpoint(people.ana)
    refused("full", an_endpoint, owner=people.ana)
    actions.save_endpoint(actor=people.ana, endpoint=row, fields=changed(row, name="Mist"))


# --- the key -----------------------------------------------------------------------------------------


def test_a_key_is_kept_encrypted_and_given_to_calls_alone(people: People) -> None:
    row = an_endpoint(people.ana)
    assert KEY not in json.dumps(ModelEndpoint.objects.filter(pk=row.pk).values()[0], default=str)
    assert (row.key_hint, row.key_added_at is not None) == ("sk-…7f2a", True)
    endpoint = queries.endpoint_of(row)
    assert endpoint.key == KEY
    assert KEY not in repr((row, endpoint, vars(row)))


@pytest.mark.parametrize("change", [{"base_url": OTHER}, {"kind": "anthropic"}])
def test_another_address_or_kind_needs_the_key_again(people: People, change: dict[str, Any]) -> None:
    row = an_endpoint(people.ana)
    said = refused(
        "invalid", actions.save_endpoint, actor=people.ana, endpoint=row, fields=changed(row, **change)
    )
    assert said.where == "key"
    row.refresh_from_db()
    assert row.base_url == PUBLIC
    moved = actions.save_endpoint(
        actor=people.ana, endpoint=row, fields=changed(row, **change), key="sk-for-there"
    )
    assert queries.endpoint_of(moved).key == "sk-for-there"
    row.refresh_from_db()
    emptied = actions.save_endpoint(
        actor=people.ana, endpoint=row, fields=changed(row, base_url=PUBLIC), key=""
    )
    assert (queries.endpoint_of(emptied).key, emptied.key_hint, emptied.key_added_at) == ("", "", None)


def test_an_address_changed_in_the_database_gets_no_key(people: People) -> None:
    row = an_endpoint(people.ana)
    ModelEndpoint.objects.filter(pk=row.pk).update(base_url=OTHER)
    row.refresh_from_db()
    refused("invalid", queries.endpoint_of, row=row)


def test_what_stays_keeps_its_key_and_its_test(people: People) -> None:
    row = an_endpoint(people.ana)
    found = {"test_outcome": "ok", "test_ms": 5, "abilities_found": {"tools": True}}
    ModelEndpoint.objects.filter(pk=row.pk).update(**found)
    row.refresh_from_db()
    saved = actions.save_endpoint(
        actor=people.ana,
        endpoint=row,
        fields=changed(row, name="Mist", abilities={"tools": False, "schema": True}, strong=True),
    )
    endpoint = queries.endpoint_of(saved)
    assert (endpoint.key, saved.test_outcome, endpoint.strong) == (KEY, "ok", True)
    assert (endpoint.abilities.tools, endpoint.abilities.schema) == (False, True), "what was set counts"
    other = actions.save_endpoint(actor=people.ana, endpoint=saved, fields=changed(saved, model="mist-7b"))
    assert (other.test_outcome, other.abilities_found) == ("", {}), "another model is another thing"


def test_numbers_of_the_former_model_do_not_stay_with_the_next(people: People) -> None:
    row = an_endpoint(people.ana, context_length=8000, price_input=Decimal(1), price_output=Decimal(2))
    ModelEndpoint.objects.filter(pk=row.pk).update(listed=[{"id": "big", "context": 128_000, "input": "2.5"}])
    row.refresh_from_db()
    next_one = actions.save_endpoint(actor=people.ana, endpoint=row, fields=changed(row, model="big"))
    assert (next_one.context_length, next_one.price_input, next_one.price_output) == (
        128_000,
        Decimal("2.5"),
        None,
    )
    said = changed(next_one, model="small", context_length=4096)
    written = actions.save_endpoint(actor=people.ana, endpoint=next_one, fields=said)
    assert (written.context_length, written.price_input) == (4096, Decimal("2.5")), "they were written for it"


def test_keys_are_encrypted_anew_and_the_old_field_key_can_go(
    people: People, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    row, lost = an_endpoint(people.ana), an_endpoint(people.ben)
    an_endpoint(people.cyd, key="")
    old, new = settings.FIELD_KEYS[0], Fernet.generate_key().decode()
    settings.FIELD_KEYS = (new, old)
    call_command("reseal_keys")
    settings.FIELD_KEYS = (new,)
    row.refresh_from_db()
    assert queries.endpoint_of(row).key == KEY
    ModelEndpoint.objects.filter(pk=lost.pk).update(sealed_key="gone")
    with pytest.raises(SystemExit, match="1"):
        call_command("reseal_keys", "--json")
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == {"done": 1, "unreadable": 1}


# --- what for ----------------------------------------------------------------------------------------


def test_a_purpose_falls_to_the_default_and_that_to_the_hosts(people: People) -> None:
    assert queries.for_purpose(people.ana, Purpose.STORY) is None
    hosts = an_endpoint(people.hal, everyone=True)
    assert queries.for_purpose(people.ana, Purpose.STORY) == hosts
    first, second = an_endpoint(people.ana), an_endpoint(people.ana)
    assert queries.for_purpose(people.ana, Purpose.STORY) == first, "the first own one is the default"
    actions.choose(actor=people.ana, purpose=Purpose.STORY, endpoint=second)
    assert queries.for_purpose(people.ana, Purpose.STORY) == second
    assert queries.for_purpose(people.ana, Purpose.TRIAL) == first
    actions.choose(actor=people.ana, purpose=Purpose.STORY, endpoint=None)
    actions.choose(actor=people.ana, purpose="", endpoint=hosts)
    assert queries.for_purpose(people.ana, Purpose.STORY) == hosts
    actions.share_with_everyone(actor=people.hal, endpoint=hosts, shared=False)
    assert queries.for_purpose(people.ana, Purpose.STORY) == first, "what was closed counts as not chosen"
    refused("invalid", actions.choose, actor=people.ana, purpose="cooking", endpoint=first)


def test_what_is_deleted_is_chosen_no_longer(people: People) -> None:
    first, second = an_endpoint(people.ana), an_endpoint(people.ana)
    actions.choose(actor=people.ana, purpose=Purpose.STORY, endpoint=second)
    actions.delete_endpoint(actor=people.ana, endpoint=second)
    assert queries.for_purpose(people.ana, Purpose.STORY) == first
    assert queries.choices_of(people.ana) == {"": first.pk}


# --- the environment ---------------------------------------------------------------------------------


def test_the_environments_endpoint_is_there_without_a_page(people: People, settings: Settings) -> None:
    settings.MODEL = LOCAL
    row = queries.for_purpose(people.cyd, Purpose.STORY)
    assert row is not None
    assert (row.is_from_environment, row.name, row.owner) == (True, "mist-7b", None)
    endpoint = queries.endpoint_of(row)
    assert (endpoint.base_url, endpoint.key, endpoint.model) == (LOCAL.base_url, LOCAL.api_key, "mist-7b")
    assert LOCAL.api_key not in json.dumps(ModelEndpoint.objects.values()[0], default=str)
    assert LOCAL.api_key not in repr(LOCAL)
    assert listed_addresses() == {"http://127.0.0.1:11434"}
    assert an_endpoint(people.ana, "http://127.0.0.1:11434/v1"), "its address is listed"


def test_it_follows_the_environment_and_goes_with_it(people: People, settings: Settings) -> None:
    settings.MODEL = LOCAL
    row = environment.in_step()
    assert row is not None
    said = changed(row, name="Mine", base_url=OTHER, kind="google", model="else", price_input=Decimal(0))
    saved = actions.save_endpoint(actor=people.hal, endpoint=row, fields=said, key="sk-mine")
    assert (saved.base_url, saved.kind, saved.model) == (LOCAL.base_url, "openai", "mist-7b")
    assert (saved.name, saved.price_input, saved.sealed_key) == ("Mine", Decimal(0), "")
    refused("not-found", access.own_endpoint_for, person=people.ana, endpoint_id=row.pk)
    refused("not-found", actions.delete_endpoint, actor=people.hal, endpoint=row)
    refused("not-found", actions.share_with_everyone, actor=people.hal, endpoint=row, shared=False)
    ModelEndpoint.objects.filter(pk=row.pk).update(test_outcome="ok")
    settings.MODEL = Model("https://api.anthropic.com", "sk-2", "verse")
    after = environment.in_step()
    assert after is not None
    assert (after.kind, after.model, after.test_outcome) == ("anthropic", "verse", "")
    settings.MODEL = Model("", "", "")
    assert ids(people.cyd) == set()
    refused("not-found", access.endpoint_for, person=people.cyd, endpoint_id=row.pk)


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("https://api.anthropic.com/v1", "anthropic"),
        ("https://generativelanguage.googleapis.com/v1beta", "google"),
        ("https://generativelanguage.googleapis.com/v1beta/openai", "openai"),
        ("https://api.openai.com/v1", "openai"),
        ("http://[broken", "openai"),
    ],
)
def test_the_kind_is_told_by_the_address(address: str, kind: str) -> None:
    assert environment.kind_of(address) == kind


def test_the_hosts_list_takes_addresses_only(people: People) -> None:
    site = actions.save_rules(
        actor=people.hal, members_add=True, addresses=["http://10.0.0.7:8080/v1", "http://10.0.0.7:8080"]
    )
    assert site.model_addresses == "http://10.0.0.7:8080"
    assert an_endpoint(people.ana, "http://10.0.0.7:8080/v1")
    refused("invalid", an_endpoint, owner=people.ana, address="http://10.0.0.7:8081/v1")
    said = refused(
        "invalid", actions.save_rules, actor=people.hal, members_add=True, addresses=["10.0.0.7:80"]
    )
    assert said.where == "model_addresses"
    many = [f"http://10.0.0.7:{port}" for port in range(1, 60)]
    refused("full", actions.save_rules, actor=people.hal, members_add=True, addresses=many)
