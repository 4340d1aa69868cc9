"""The frame of every page (`portal.md` 3.0)."""

from __future__ import annotations

import json
import re

import pytest
from django.contrib.messages import constants
from django.contrib.messages.storage.base import Message
from django.http import HttpRequest
from django.template import engines
from django.test import Client, RequestFactory
from django_htmx.middleware import HtmxDetails

from formats.finding import Finding
from portal import slots
from portal.access import share_level, shared_with
from portal.models import Person, Share
from portal.render import render_page
from portal.templatetags.shell import undo_address
from tests.support.people import People, client_of, share

pytestmark = pytest.mark.django_db
PAGE = "{% load partials %}<html>{% partialdef list inline %}<ul>{{ name }}</ul>{% endpartialdef %}</html>"


def ask(**headers: str) -> HttpRequest:
    request = RequestFactory().get("/", headers=headers)
    request.htmx = HtmxDetails(request)  # type: ignore[attr-defined]
    return request


def drawn(template: str, **context: object) -> str:
    return engines["django"].from_string(template).render(context, ask())


@pytest.mark.parametrize(
    ("headers", "whole"),
    [
        ({}, True),
        ({"HX-Request": "true"}, False),
        ({"HX-Request": "true", "HX-Boosted": "true"}, True),
        ({"HX-Request": "true", "HX-History-Restore-Request": "true"}, True),
    ],
)
def test_a_part_only_for_who_asks_for_a_part(
    headers: dict[str, str], whole: bool, settings: object, tmp_path: object
) -> None:
    (tmp_path / "page.html").write_text(PAGE)  # type: ignore[operator]
    engine = {**settings.TEMPLATES[0], "DIRS": [tmp_path]}  # type: ignore[attr-defined]
    settings.TEMPLATES = [engine]  # type: ignore[attr-defined]
    response = render_page(ask(**headers), "page.html", {"name": "<Lina>"}, "list", status=202)
    assert response.status_code == 202
    assert response.content.decode().startswith("<html>" if whole else "<ul>&lt;Lina&gt;</ul>")
    assert "HX-Request" in response.headers["Vary"]


def test_signed_out_pages_offer_the_languages_and_nothing_of_inside(client: Client) -> None:
    page = client.get("/signin/").content.decode()
    assert "简体中文" in page
    assert "account-menu" not in page
    assert "data-bell" not in page


def test_signed_in_pages_have_skip_link_menu_and_notices(people: People) -> None:
    page = client_of(people.ana).get("/settings/look/").content.decode()
    for part in ('class="skip btn" href="#main"', 'id="main"', 'id="notices"', 'aria-live="polite"'):
        assert part in page
    assert 'popovertarget="account-menu"' in page
    assert "/manage/people/" not in page, "no host pages for others"
    assert "/manage/people/" in client_of(people.hal).get("/settings/look/").content.decode()


def test_htmx_is_set_for_the_strict_policy(people: People) -> None:
    page = client_of(people.ana).get("/settings/look/").content.decode()
    found = re.search(r"name=\"htmx-config\" content='([^']+)'", page)
    assert found
    config = json.loads(found[1])
    assert not config["allowEval"]
    assert not config["allowScriptTags"]
    assert not config["includeIndicatorStyles"]
    assert config["selfRequestsOnly"]
    assert config["historyCacheSize"] == 0
    assert {"code": "...", "swap": True} in config["responseHandling"], "422 and other refusals are shown"


def test_a_slot_draws_what_others_put_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "_filled", {})
    assert drawn('{% slot "test.place" %}') == ""
    slots.register("test.place", lambda request, name: f"<i>{name}</i>")
    assert drawn('{% slot "test.place" name="Lina" %}') == "&lt;i&gt;Lina&lt;/i&gt;", "unsafe text is escaped"


def test_a_finding_is_drawn_as_text() -> None:
    finding = Finding(
        "warning", "x", "data.<b>", "The field {field} is odd.", "See {field}.", {"field": "<i>"}
    )
    page = drawn('{% include "parts/finding.html" %}', finding=finding)
    assert "The field &lt;i&gt; is odd." in page
    assert "See &lt;i&gt;." in page
    assert "data.&lt;b&gt;" in page
    assert "Warning" in page


def test_a_message_knows_the_way_back() -> None:
    assert undo_address(Message(constants.SUCCESS, "x", extra_tags="undo:/w/1/restore/")) == "/w/1/restore/"
    assert undo_address(Message(constants.SUCCESS, "x")) == ""


def test_the_styleguide_shows_every_part(people: People) -> None:
    page = client_of(people.hal).get("/styleguide/").content.decode()
    for part in (
        "note",
        "tag",
        "steps",
        "progress",
        "empty",
        "pages",
        "menu",
        "picture",
        "finding",
        "dialog",
    ):
        assert part in page


def test_shares_end_with_the_account(people: People) -> None:
    share(people.ben, "world", "w-1", "edit")
    share(people.ben, "preset", "p-1")
    assert [row.item_id for row in shared_with(people.ben, "world")] == ["w-1"]
    assert share_level(people.ben, "world", "w-1") == "edit"
    assert share_level(people.ben, "world", "p-1") is None
    assert share_level(people.cyd, "world", "w-1") is None
    people.ben.is_active = False
    assert share_level(people.ben, "world", "w-1") is None
    assert Share.objects.count() == 2


def test_quota_is_the_servers_until_it_is_the_persons(people: People, settings: object) -> None:
    settings.STORAGE_QUOTA_BYTES = 10  # type: ignore[attr-defined]
    assert Person(username="x").quota_bytes == 10
    assert Person(username="x", quota=0).quota_bytes == 0


def test_help_is_one_page_for_everybody(client: Client) -> None:
    response = client.get("/help/")
    assert "What is never run" in response.content.decode()


def test_the_host_alone_learns_that_jobs_wait(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    told = "The background worker is not running"
    assert told in client_of(people.hal).get("/help/").content.decode()
    assert told not in client_of(people.ana).get("/help/").content.decode()
    monkeypatch.setattr("portal.shell.worker_runs", lambda: True)
    assert told not in client_of(people.hal).get("/help/").content.decode()
