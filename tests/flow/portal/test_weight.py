"""What a page loads to be seen the first time stays small: its own HTML and every style sheet it names."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.conf import settings

from tests.support.people import People, client_of
from tests.support.route_row import Row
from tests.support.routes import ROWS

from .test_access_matrix import address

STATIC = Path(settings.BASE_DIR) / "static"
MOST_HTML, MOST_STYLES = 40 * 1024, 8 * 1024  # bytes as they travel
SHEET = re.compile(r'<link rel="stylesheet" href="/static/([^"]+)"')
PAGES = [row for row in ROWS if row.method == "GET"]


def weight(data: bytes) -> int:
    return len(gzip.compress(data))


@pytest.mark.django_db
@pytest.mark.usefixtures("data_root")
@pytest.mark.parametrize("row", PAGES, ids=lambda row: row.route or "home")
def test_the_first_view_of_every_page_is_small(row: Row, people: People) -> None:
    """Asked of the owner's view, which has the most; a sheet named twice is loaded once."""
    where = address(row.route, dict(row.fill(people)))
    response = client_of(people.ana).get(where)
    if response.status_code != 200 or not response.headers["Content-Type"].startswith("text/html"):
        return
    html = response.content
    sheets = set(SHEET.findall(html.decode()))
    assert sum(weight((STATIC / name).read_bytes()) for name in sheets) <= MOST_STYLES, sheets
    assert weight(html) <= MOST_HTML
    assert "app.css" in sheets or b"<html" not in html


@pytest.mark.django_db
@pytest.mark.usefixtures("data_root")
def test_the_sheets_of_a_page_are_found(people: People) -> None:
    """Slots bring their own sheet, below the head of the page: it counts too."""
    html = client_of(people.ana).get("/").content.decode()
    assert set(SHEET.findall(html)) == {"app.css", "workbench.css", "importer.css"}
