"""`/settings/usage/`: what models were asked for, and what it cost; for hosts the sums of everybody."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from formats.text.csv_table import csv_table
from portal.access import host_only, person_of
from portal.endpoints.usage import (
    Lines,
    Span,
    Sums,
    cache_lines,
    calls_of,
    outcomes_of,
    sums_of,
    together,
)
from portal.endpoints.usage_told import (
    BY_NAMES,
    CacheRow,
    Row,
    money_told,
    outcomes_told,
    people_told,
    rows_told,
)
from portal.models import ModelCall, Person
from portal.render import render_page
from portal.usage_forms import span_form

PER_PAGE = 31
MOST_ROWS = 20_000


@require_safe
def usage(request: HttpRequest) -> HttpResponse:
    """My calls by day, kind, endpoint or item, how they ended, and what of them was cached."""
    person = person_of(request)
    form, by = span_form(request.GET), _by(request)
    span = form.span()
    calls = calls_of(span, person)
    page = Paginator(Lines(calls, by), PER_PAGE).get_page(request.GET.get("page"))
    sums, cached = sums_of(calls), cache_lines(calls)
    first, later = together(cached)
    context: dict[str, Any] = {
        "title": _("Usage"),
        "form": form,
        "by": by,
        "by_names": BY_NAMES.items(),
        "by_name": BY_NAMES[by],
        "page": page,
        "rows": rows_told(list(page), by, person),
        "sums": sums,
        "money": money_told(sums.money),
        "outcomes": outcomes_told(outcomes_of(calls)),
        "cached": [CacheRow.of(line) for line in cached],
        "first": CacheRow.of(first),
        "later": CacheRow.of(later),
        "ever": bool(sums.calls) or ModelCall.objects.filter(owner=person).exists(),
    }
    return render_page(request, "portal/usage/usage.html", context, status=200 if form.is_valid() else 422)


@require_safe
def table(request: HttpRequest) -> HttpResponse:
    """The same lines as a table for spreadsheets (CSV), all of them."""
    person = person_of(request)
    by, span = _by(request), span_form(request.GET).span()
    text = _csv(person, by, span)
    answer = HttpResponse(text.encode(), content_type="text/csv; charset=utf-8")
    name = f"usage-{by}-{span.first}-{span.last}.csv"
    answer["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name)
    return answer


@require_safe
@host_only
def everybody(request: HttpRequest) -> HttpResponse:
    """What each person used, in numbers: nothing of what they wrote, nor what it was about."""
    form = span_form(request.GET)
    calls = calls_of(form.span())
    page = Paginator(Lines(calls, "person"), PER_PAGE).get_page(request.GET.get("page"))
    sums = sums_of(calls)
    context = {
        "title": _("Usage"),
        "section": "manage",
        "form": form,
        "by_name": pgettext("usage by", "Person"),
        "page": page,
        "rows": people_told(list(page)),
        "sums": sums,
        "money": money_told(sums.money),
    }
    return render_page(request, "portal/usage/manage.html", context, status=200 if form.is_valid() else 422)


def _by(request: HttpRequest) -> str:
    by = request.GET.get("by", "day")
    return by if by in BY_NAMES else "day"


def _csv(person: Person, by: str, span: Span) -> str:
    calls = calls_of(span, person)
    currencies = [money.currency for money in sums_of(calls).money]
    headings = (
        str(BY_NAMES[by]),
        pgettext("usage", "More"),
        _("Calls"),
        pgettext("calls", "Failed"),
        pgettext("calls", "Stopped"),
        _("Tokens in"),
        _("Cached tokens"),
        _("Tokens out"),
        _("Calls without a price"),
        *(_("Money in %(currency)s") % {"currency": currency} for currency in currencies),
    )
    lines = Lines(calls, by)[:MOST_ROWS]
    rows = rows_told(lines, by, person)
    days = [line.key[0].isoformat() for line in lines] if by == "day" else []
    return csv_table(
        headings,
        [
            (days[at] if days else row.named.name, row.named.more, *_cells(row, currencies))
            for at, row in enumerate(rows)
        ],
    )


def _cells(row: Row, currencies: list[str]) -> list[str]:
    sums: Sums = row.sums
    money = {one.currency: f"{one.amount.normalize():f}" for one in sums.money}
    numbers = (
        sums.calls,
        sums.failed,
        sums.stopped,
        sums.prompt,
        sums.cached,
        sums.output,
        sums.unpriced + sums.untold,
    )
    return [*map(str, numbers), *(money.get(currency, "") for currency in currencies)]
