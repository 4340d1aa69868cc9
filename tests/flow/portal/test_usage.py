"""The usage of models: sums that the database makes, the page, its table, and the host's view (3.11)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.endpoints.usage import Lines, Money, Span, calls_of, outcomes_of, sums_of
from portal.models import ModelCall, Purpose
from tests.support.model_calls import a_call, a_failure
from tests.support.people import People, client_of

pytestmark = pytest.mark.django_db
PAGE, TABLE, HOST = "/settings/usage/", "/settings/usage/table/", "/manage/usage/"
MONTH = 30


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def page_of(people: People, address: str = PAGE) -> str:
    return text_of(client_of(people.ana).get(address).content.decode())


def table_of(people: People, **said: str) -> list[list[str]]:
    answer = client_of(people.ana).get(TABLE, said)
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["Content-Disposition"].startswith("attachment;")
    return list(csv.reader(io.StringIO(answer.content.decode().removeprefix("\ufeff"), newline="")))


def test_sums_are_those_of_the_days_and_the_person(people: People) -> None:
    a_call(people.ana, cost="0.25", tokens_cached=400)
    a_call(people.ana, cost="1.5", currency="CNY", outcome="cut")
    a_call(people.ana, tokens_in=7)  # no price
    a_call(people.ana, tokens_in=None, tokens_cached=None, tokens_out=None)
    a_failure(people.ana, "key-refused")
    a_failure(people.ana, "stopped")
    a_call(people.ana, days_ago=40, cost="9")
    a_call(people.ben, cost="9")
    sums = sums_of(calls_of(Span.of_days(MONTH), people.ana))
    assert (sums.calls, sums.failed, sums.stopped, sums.untold, sums.unpriced) == (6, 1, 1, 1, 1)
    assert (sums.prompt, sums.cached, sums.output) == (2007, 400, 300)
    assert sums.money == (Money("CNY", Decimal("1.5")), Money("USD", Decimal("0.25")))


def test_days_end_at_midnight_of_the_servers_clock(people: People) -> None:
    today = timezone.localdate()
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    a_call(people.ana, at=midnight)
    a_call(people.ana, at=midnight - timedelta(microseconds=1))
    span = Span(today, today)
    assert [line.key for line in Lines(calls_of(span, people.ana), "day")[:9]] == [(today,)]
    assert sums_of(calls_of(span, people.ana)).calls == 1


@pytest.mark.parametrize(
    ("by", "keys"),
    [
        ("purpose", [("story",), ("trial",), ("testing",)]),
        ("endpoint", [("Fog", "large"), ("Fog", "scripted"), ("Pier", "")]),
        ("about", [("",), ("preset:fog",)]),
    ],
)
def test_lines_are_told_by_what_they_are_summed_by_the_largest_first(
    people: People, by: str, keys: list[tuple[str, ...]]
) -> None:
    a_call(people.ana, tokens_in=5, model="", endpoint_name="Pier", purpose=Purpose.TESTING, cost="1")
    a_call(people.ana, tokens_in=50, about="preset:fog", cost="2")
    a_call(people.ana, tokens_in=500, model="large", purpose=Purpose.STORY, cost="3", currency="EUR")
    lines = Lines(calls_of(Span.of_days(MONTH), people.ana), by)
    assert [line.key for line in lines[:9]] == keys
    assert len(lines) == len(keys)
    assert sum(money.amount for line in lines[:9] for money in line.sums.money) == 6
    assert lines[1].key == keys[1]


def test_outcomes_are_counted_the_most_frequent_first(people: People) -> None:
    a_call(people.ana)
    a_failure(people.ana, "stopped")
    for _ in range(2):
        a_failure(people.ana, "rate-limited")
    assert outcomes_of(calls_of(Span.of_days(MONTH), people.ana)) == [("rate-limited", 2), ("stopped", 1)]


def test_the_page_tells_numbers_money_and_failures_in_words(people: People) -> None:
    a_call(people.ana, tokens_in=12345, cost="0.0042", currency="USD")
    a_call(people.ana, cost="12.5", currency="CNY")
    a_call(people.ana)
    a_failure(people.ana, "key-refused")
    page = page_of(people)
    assert "Altogether 4 1 14,345 0 300 12.50 CNY + 0.0042 USD" in page
    assert "The price of 1 call is not known, so the money is not all of it." in page
    assert "Key refused 1" in page
    assert "key-refused" not in page


def test_before_the_first_call_the_page_leads_to_the_models(people: People) -> None:
    page = client_of(people.ana).get(PAGE).content.decode()
    assert "No model was asked for anything yet." in page
    assert "Altogether" not in page
    a_call(people.ana, days_ago=50)
    assert "No model was asked for anything in these days." in page_of(people)
    span = f"?first={timezone.localdate() - timedelta(days=60)}&last={timezone.localdate()}"
    assert "Altogether 1 0" in page_of(people, PAGE + span)


def test_days_that_cannot_be_are_told_beside_the_field(people: People) -> None:
    a_call(people.ana)
    answer = client_of(people.ana).get(PAGE, {"first": "2026-05-02", "last": "2026-05-01"})
    assert answer.status_code == 422
    assert "This day comes after the last one." in answer.content.decode()
    for odd in ("yesterday", "0001-01-01", "9999-12-31", "2026-02-31"):
        for name in ("first", "last"):
            answer = client_of(people.ana).get(PAGE, {name: odd})
            assert answer.status_code in (200, 422), (name, odd)


def test_many_lines_stand_on_pages_and_cost_no_query_each(people: People) -> None:
    queries: list[int] = []
    for number in range(40):
        a_call(people.ana, about=f"preset:{number}", cost="0.01")
        if number in (1, 39):
            with CaptureQueriesContext(
                connection,
            ) as found:
                page = page_of(people, PAGE + "?by=about")
            queries.append(len(found))
    assert queries[0] == queries[1]
    assert "Page 1 of 2" in page
    assert "Page 2 of 2" in page_of(people, PAGE + "?by=about&page=2")


def test_an_item_is_named_only_to_whom_it_is_open(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    def named(person: object, abouts: list[str]) -> Mapping[str, tuple[str, str]]:
        return {"preset:fog": ("Fog & Ferry", "/presets/fog/")} if person == people.ana else {}

    monkeypatch.setattr("portal.slots._filled", {"usage.about": [named]})
    a_call(people.ana, about="preset:fog")
    a_call(people.ben, about="preset:fog")
    mine = client_of(people.ana).get(PAGE + "?by=about").content.decode()
    assert '<a href="/presets/fog/"><bdi>Fog &amp; Ferry</bdi></a>' in mine
    his = client_of(people.ben).get(PAGE + "?by=about").content.decode()
    assert "Ferry" not in his
    assert "Something that is gone or not open to you" in his


def test_nobody_sees_another_persons_calls(people: People) -> None:
    a_call(people.ben, endpoint_name="Bens secret")
    for address in (PAGE, TABLE):
        assert "Bens secret" not in page_of(people, address + "?by=endpoint")


def test_the_table_holds_every_line_and_no_formula(people: People) -> None:
    a_call(people.ana, endpoint_name='=HYPERLINK("http://x")', model="+1", cost="0.0000042", tokens_in=3)
    a_call(people.ana, endpoint_name="Fog", currency="CNY", cost="2")
    a_failure(people.ana, "stopped")
    headings, first, second = table_of(people, by="endpoint")
    assert headings[:4] == ["Endpoint", "More", "Calls", "Failed"]
    assert headings[-2:] == ["Money in CNY", "Money in USD"]
    assert first == ["Fog", "scripted", "2", "0", "1", "1000", "0", "100", "0", "2", ""]
    assert second[:2] == ['\'=HYPERLINK("http://x")', "'+1"]
    assert second[-1] == "0.0000042"
    assert table_of(people)[1][0] == timezone.localdate().isoformat()


def test_a_host_sees_sums_of_everybody_and_nothing_they_were_about(people: People) -> None:
    a_call(people.ana, about="preset:secret-plan", cost="0.5", endpoint_name="Anas own")
    a_call(people.ana, cost="0.25")
    a_call(people.ben, tokens_in=9)
    html = client_of(people.hal).get(HOST).content.decode()
    page = text_of(html)
    assert "ana 2 0 2,000 0 200 0.7500 USD" in page
    assert "ben 1 0 9 0 100 —" in page
    assert "secret-plan" not in html
    assert "Anas own" not in html
    ModelCall.objects.all().delete()
    assert (
        "No model was asked for anything in these days." in client_of(people.hal).get(HOST).content.decode()
    )
