"""Every form that takes files leads to an address whose body may be that large."""

from __future__ import annotations

import re

import pytest

from roleplay.asgi import UPLOADS
from tests.support.people import People, client_of
from tests.support.route_row import Row
from tests.support.routes import ROWS

from .test_access_matrix import address

FORM = re.compile(r"<form\b[^>]*>")
PAGES = [row for row in ROWS if row.method == "GET"]


@pytest.mark.django_db
@pytest.mark.usefixtures("data_root")
@pytest.mark.parametrize("row", PAGES, ids=lambda row: row.route or "home")
def test_forms_with_files_are_let_through(row: Row, people: People) -> None:
    where = address(row.route, dict(row.fill(people)))
    response = client_of(people.ana).get(where)
    html = b"" if response.streaming else response.content
    for form in FORM.findall(html.decode("utf-8", "replace")):
        if "multipart/form-data" in form:
            action = re.search(r'action="([^"]*)"', form)
            target = action[1] if action and action[1] else where
            assert any(route.pattern.fullmatch(target) for route in UPLOADS), target


def test_the_list_knows_the_three_kinds_of_files() -> None:
    for target in ("/import/", "/lore/import/", "/w/saltmarsh/images/upload/"):
        assert any(route.pattern.fullmatch(target) and route.cap > 20 * 2**20 for route in UPLOADS), target
