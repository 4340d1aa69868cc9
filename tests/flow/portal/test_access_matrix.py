"""Every address × everybody: an address without a row fails, and so does a wrong answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.http import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tests.support.people import People, client_of
from tests.support.route_row import ROLES, Row
from tests.support.routes import ROWS

ADMIN = "admin/"


def every_route(resolver: URLResolver | None = None, before: str = "") -> Iterator[str]:
    """The addresses of the whole project as they are written, without anchors."""
    for pattern in (resolver or get_resolver()).url_patterns:
        route = before + str(pattern.pattern).removeprefix("^").removesuffix("$").removesuffix("\\Z")
        if isinstance(pattern, URLPattern):
            yield route
        else:
            yield from every_route(pattern, route)


ALL = sorted(set(every_route()))


def address(route: str, parts: dict[str, object]) -> str:
    """A route with its parts put in."""
    for name, value in parts.items():
        route = re.sub(rf"<(?:\w+:)?{name}>|\(\?P<{name}>(?:[^()]|\([^()]*\))*\)", str(value), route)
    assert not re.search(r"[<>()]", route), f"{route}: fill() leaves a part open"
    return "/" + route.replace("\\", "")


def word(response: HttpResponseBase) -> str:
    """What somebody got, as the table writes it."""
    if response.status_code == 302 and response.headers["Location"].split("?")[0] == "/signin/":
        return "in"
    return "ok" if response.status_code < 400 else str(response.status_code)


def person_for(role: str, people: People) -> object:
    named = {"owner": people.ana, "other": people.cyd, "reader": people.ben, "host": people.hal}
    return named.get(role)


def test_every_address_has_a_row() -> None:
    listed = {row.route for row in ROWS}
    assert [route for route in ALL if not route.startswith(ADMIN) and route not in listed] == []
    assert sorted(listed - set(ALL)) == [], "rows of addresses that are gone"


def name_of(row: Row) -> str:
    return f"{row.method} {row.route}"


def got(row: Row, where: str, role: str, people: People) -> str:
    """What the person of a role gets at an address."""
    client = client_of(person_for(role, people))  # type: ignore[arg-type]
    return word(client.post(where, dict(row.data)) if row.data else client.generic(row.method, where))


@pytest.mark.django_db
@pytest.mark.usefixtures("data_root")
@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_everybody_gets_what_is_theirs(row: Row, people: People) -> None:
    """Refusals come first, on one item, since they change nothing; whoever changes it finds a fresh one."""
    expected = dict(zip(ROLES, row.cells.split(), strict=True))
    where = ""
    told: dict[str, str] = {}
    for role in sorted(ROLES, key=lambda role: expected[role] == "ok"):
        if not where or (row.method != "GET" and "ok" in told.values()):
            where = address(row.route, dict(row.fill(people)))
        told[role] = got(row, where, role, people)
    assert told == expected


@pytest.mark.django_db
@pytest.mark.parametrize("role", ["anonymous", "owner", "other", "reader"])
def test_the_admin_is_for_the_host_alone(role: str, people: People) -> None:
    client = client_of(person_for(role, people))  # type: ignore[arg-type]
    routes = [route for route in ALL if route.startswith(ADMIN)]
    assert len(routes) > 10
    for route in routes:
        where = "/" + re.sub(r"<[^>]+>|\(\?P[^)]*\)", "1", route).replace("\\", "")
        response = client.get(where)
        assert response.status_code in (302, 403, 404), where
        assert b"changelist" not in response.content


@pytest.mark.django_db
def test_the_host_sees_every_list_of_the_admin(people: People) -> None:
    client = client_of(people.hal)
    lists = [route for route in ALL if re.fullmatch(r"admin/\w+/\w+/", route)]
    assert len(lists) >= 4
    for route in lists:
        assert client.get("/" + route).status_code == 200, route


@pytest.mark.django_db
def test_nothing_changes_without_the_mark_of_our_own_page(people: People) -> None:
    """Every address refuses a POST without a CSRF token, whoever sends it (reliability part 5)."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(people.hal, backend="django.contrib.auth.backends.ModelBackend")
    for route in ALL:
        where = "/" + re.sub(r"<[^>]+>|\(\?P<\w+>(?:[^()]|\([^()]*\))*\)", "1", route).replace("\\", "")
        response = client.post(where)
        assert response.status_code in (403, 404, 405), where
