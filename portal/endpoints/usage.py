"""What models were asked for: sums over the stored calls, made by the database.

Pages, tables and the command all ask here. A failure is a call without a whole answer that nobody stopped.
Money is what calls cost whose price was known when they were made; amounts of different currencies are never
added.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Final, NamedTuple, overload

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, TruncDate
from django.utils import timezone

from portal.models import ModelCall, Person

WHOLE: Final = ("ok", "cut")
STOPPED: Final = "stopped"
BY: Final[Mapping[str, tuple[str, ...]]] = {
    "day": ("day",),
    "purpose": ("purpose",),
    "endpoint": ("endpoint_name", "model"),
    "about": ("about",),
    "person": ("owner_id",),
}
"""What calls can be summed by, and the fields of a call that make one line of it."""
SUMS: Final = {
    "calls": Count("pk"),
    "failed": Count("pk", filter=~Q(outcome__in=(*WHOLE, STOPPED))),
    "stopped": Count("pk", filter=Q(outcome=STOPPED)),
    "untold": Count("pk", filter=Q(outcome__in=WHOLE, tokens_in=None)),
    "unpriced": Count("pk", filter=Q(cost=None, tokens_in__isnull=False)),
    "prompt": Coalesce(Sum("tokens_in"), 0),
    "cached": Coalesce(Sum("tokens_cached"), 0),
    "output": Coalesce(Sum("tokens_out"), 0),
}
MOST_CACHE_LINES: Final = 400


class Span(NamedTuple):
    """Days, the first and the last included, as the server's clock has them."""

    first: date
    last: date

    @classmethod
    def of_days(cls, days: int) -> Span:
        """So many days up to today."""
        today = timezone.localdate()
        return cls(today - timedelta(days=days - 1), today)

    def holds(self) -> Q:
        """The calls of these days."""
        return Q(at__gte=_midnight(self.first), at__lt=_midnight(self.last + timedelta(days=1)))


class Money(NamedTuple):
    """An amount in one currency."""

    currency: str
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Sums:
    """Numbers of some calls. `untold`: whole answers whose tokens the service did not tell. `unpriced`: told,
    but without a price, so that the money is not all of it. `cached` tokens are part of `prompt`."""

    calls: int = 0
    failed: int = 0
    stopped: int = 0
    untold: int = 0
    unpriced: int = 0
    prompt: int = 0
    cached: int = 0
    output: int = 0
    money: tuple[Money, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """The calls that have one key: a day, a purpose, an endpoint's name and model, an item, a person's id."""

    key: tuple[Any, ...]
    sums: Sums


@dataclass(frozen=True, slots=True)
class CacheLine:
    """Calls within groups to one model: the first of each group, or those that followed it."""

    endpoint: str
    model: str
    is_later: bool
    calls: int
    prompt: int
    cached: int

    @property
    def share(self) -> float | None:
        """The part of the tokens sent that was cached, 0 to 1; None where none were sent."""
        return share_of(self.cached, self.prompt)

    def to_json(self) -> dict[str, Any]:
        """For machines."""
        return {
            "endpoint": self.endpoint,
            "model": self.model,
            "which": "later" if self.is_later else "first",
            "calls": self.calls,
            "promptTokens": self.prompt,
            "cachedTokens": self.cached,
            "cachedShare": None if self.share is None else round(self.share, 4),
        }


def share_of(cached: int, prompt: int) -> float | None:
    """The cached part of the tokens sent; None where none were sent."""
    return cached / prompt if prompt else None


def calls_of(span: Span, person: Person | None = None) -> QuerySet[ModelCall]:
    """The calls of these days: one person's, or everybody's."""
    calls = ModelCall.objects.filter(span.holds()).order_by()
    return calls if person is None else calls.filter(owner=person)


def sums_of(calls: QuerySet[ModelCall]) -> Sums:
    """All of them together. Two queries."""
    return Sums(**calls.aggregate(**SUMS), money=_money(calls, ()).get((), ()))


def outcomes_of(calls: QuerySet[ModelCall]) -> list[tuple[str, int]]:
    """How those ended that gave no whole answer, the most frequent first."""
    ended = calls.exclude(outcome="ok").values_list("outcome").annotate(number=Count("pk"))
    return list(ended.order_by("-number", "outcome"))


class Lines(Sequence[Line]):
    """Calls by `BY`, days from the last on, else the largest use first: counted and sliced as pages ask.

    A slice takes two queries, whatever its length.
    """

    def __init__(self, calls: QuerySet[ModelCall], by: str) -> None:
        self.fields = BY[by]
        self._calls = calls.annotate(day=TruncDate("at")) if by == "day" else calls
        grouped = self._calls.values(*self.fields).annotate(**SUMS)
        self._rows = grouped.order_by("-day") if by == "day" else grouped.order_by(*_LARGEST, *self.fields)

    def __len__(self) -> int:
        return int(self._rows.count())

    @overload
    def __getitem__(self, part: int) -> Line: ...

    @overload
    def __getitem__(self, part: slice) -> list[Line]: ...

    def __getitem__(self, part: int | slice) -> Line | list[Line]:
        if isinstance(part, int):
            return self[part : part + 1][0]
        rows = list(self._rows[part])
        first = self.fields[0]
        keys = [row[first] for row in rows]
        if first == "day" and keys:  # days follow each other, and the index knows times, not days
            shown = self._calls.filter(Span(keys[-1], keys[0]).holds())
        else:
            shown = self._calls.filter(**{f"{first}__in": set(keys)})
        money = _money(shown, self.fields)
        lines = []
        for row in rows:
            key = tuple(row.pop(field) for field in self.fields)
            lines.append(Line(key, Sums(**row, money=money.get(key, ()))))
        return lines


_LARGEST: Final = (F("prompt").desc(), F("calls").desc())


def cache_lines(calls: QuerySet[ModelCall]) -> list[CacheLine]:
    """For each endpoint and model the first call of each group, and the later ones (PRE-19).

    Which one is the first is asked of all calls ever, not of these alone, and of the calls whose tokens the
    service told: another endpoint or model has a cache of its own. Calls outside a group do not count.
    """
    told = ModelCall.objects.filter(tokens_in__isnull=False)
    same = {name: OuterRef(name) for name in ("owner_id", "group", "endpoint_name", "model")}
    before = Q(at__lt=OuterRef("at")) | Q(at=OuterRef("at"), pk__lt=OuterRef("pk"))
    grouped = (
        calls.filter(tokens_in__isnull=False)
        .exclude(group="")
        .annotate(is_later=Exists(told.filter(before, **same).order_by()))
        .values("endpoint_name", "model", "is_later")
        .annotate(**{name: SUMS[name] for name in ("calls", "prompt", "cached")})
        .order_by("endpoint_name", "model", "is_later")
    )
    found: list[dict[str, Any]] = [{**row} for row in grouped[:MOST_CACHE_LINES]]
    return [CacheLine(endpoint=row.pop("endpoint_name"), **row) for row in found]


def together(lines: Iterable[CacheLine]) -> tuple[CacheLine, CacheLine]:
    """The first calls of all endpoints as one line, and the later ones."""
    first, later = CacheLine("", "", False, 0, 0, 0), CacheLine("", "", True, 0, 0, 0)
    for line in lines:
        if line.is_later:
            later = _added(later, line)
        else:
            first = _added(first, line)
    return first, later


def _added(one: CacheLine, other: CacheLine) -> CacheLine:
    numbers = (one.calls + other.calls, one.prompt + other.prompt, one.cached + other.cached)
    return CacheLine("", "", one.is_later, *numbers)


def _money(
    calls: QuerySet[ModelCall], fields: tuple[str, ...]
) -> Mapping[tuple[Any, ...], tuple[Money, ...]]:
    rows = calls.exclude(cost=None).values_list(*fields, "currency").annotate(amount=Sum("cost"))
    found: defaultdict[tuple[Any, ...], tuple[Money, ...]] = defaultdict(tuple)
    for *key, currency, amount in rows.order_by("currency"):
        found[tuple(key)] += (Money(currency, amount),)
    return found


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))
