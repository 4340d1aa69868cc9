"""The usage of models in words: how calls ended, what a line of sums is about, amounts of money."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, NamedTuple

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from portal import slots
from portal.endpoints.usage import CacheLine, Line, Money, Sums, share_of
from portal.models import Person, Purpose

ENDED: Final[Mapping[str, Any]] = {
    "ok": gettext_lazy("Whole answer"),
    "cut": gettext_lazy("Answer ended at the token limit"),
    "filtered": gettext_lazy("Answer held back by the service"),
    "not-allowed": gettext_lazy("The address may not be spoken to"),
    "unreachable": pgettext_lazy("model call", "Not reachable"),
    "tls": gettext_lazy("The certificate is not trusted"),
    "too-slow": gettext_lazy("No answer in time"),
    "key-refused": pgettext_lazy("model call", "Key refused"),
    "forbidden": gettext_lazy("The key does not permit it"),
    "not-found": gettext_lazy("No such model or address"),
    "too-long": gettext_lazy("Longer than the model's context"),
    "refused": gettext_lazy("The service does not take the request"),
    "rate-limited": pgettext_lazy("model call", "Rate-limited"),
    "overloaded": gettext_lazy("The service failed at that moment"),
    "moved": gettext_lazy("The address leads to another one"),
    "web-page": gettext_lazy("A web page instead of an answer"),
    "provider-error": gettext_lazy("An error within the answer"),
    "unfinished": gettext_lazy("The answer broke off"),
    "broken": gettext_lazy("The answer cannot be read"),
    "empty": gettext_lazy("The answer was empty"),
    "too-large": gettext_lazy("The answer was too large"),
    "stopped": pgettext_lazy("model call", "Stopped"),
}
BY_NAMES: Final[Mapping[str, Any]] = {
    "day": pgettext_lazy("usage by", "Day"),
    "purpose": pgettext_lazy("usage by", "Kind"),
    "endpoint": pgettext_lazy("usage by", "Endpoint"),
    "about": pgettext_lazy("usage by", "What for"),
}
PURPOSE_NAMES: Final[Mapping[str, Any]] = dict(Purpose.choices)
SMALL: Final = 10
"""Amounts below it are told to a hundredth of a cent: a call often costs less than a cent."""


class Named(NamedTuple):
    """A name for people, where it leads, and what stands smaller below it."""

    name: str
    address: str = ""
    more: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table."""

    named: Named
    sums: Sums

    @property
    def money(self) -> str:
        """The amounts as one text."""
        return money_told(self.sums.money)


@dataclass(frozen=True, slots=True)
class CacheRow:
    """A line of the table of what was cached; `percent` is a whole number, None where nothing was sent."""

    line: CacheLine
    percent: int | None

    @classmethod
    def of(cls, line: CacheLine) -> CacheRow:
        """With its share rounded."""
        share = share_of(line.cached, line.prompt)
        return cls(line, None if share is None else round(share * 100))


def rows_told(lines: Sequence[Line], by: str, person: Person) -> list[Row]:
    """The lines with names; what the items are called takes one query a room, not one a line."""
    named = names_of([line.key[0] for line in lines], person) if by == "about" else {}
    return [Row(_named(line.key, by, named), line.sums) for line in lines]


def people_told(lines: Sequence[Line]) -> list[Row]:
    """Lines by person, with their names. One query."""
    people = Person.objects.in_bulk([line.key[0] for line in lines])
    return [Row(Named(people[line.key[0]].username), line.sums) for line in lines if line.key[0] in people]


def names_of(abouts: Iterable[str], person: Person) -> dict[str, Named]:
    """What the items are called that calls were about, by what the calls say: slot `usage.about`."""
    wanted = [about for about in abouts if about]
    named: dict[str, Named] = {}
    for fill in slots.filled("usage.about"):
        named |= {about: Named(*found) for about, found in fill(person, wanted).items()}
    return named


def outcomes_told(outcomes: Iterable[tuple[str, int]]) -> list[tuple[Any, int]]:
    """How calls ended, in words, with their number."""
    return [(ENDED.get(outcome, outcome), number) for outcome, number in outcomes]


def money_told(money: Iterable[Money]) -> str:
    """Amounts of several currencies, one after the other; nothing where no price is known."""
    return " + ".join(f"{_amount(one.amount)} {one.currency}" for one in money)


def _amount(amount: Decimal) -> str:
    digits = 2 if abs(amount) >= SMALL else 4
    return str(number_format(amount, digits, use_l10n=True, force_grouping=True))


def _named(key: Sequence[Any], by: str, named: Mapping[str, Named]) -> Named:
    first = key[0]
    if by == "day":
        return Named(date_format(first, "DATE_FORMAT"))
    if by == "purpose":
        return Named(str(PURPOSE_NAMES.get(first, first)))
    if by == "endpoint":
        return Named(first, more=key[1])
    if not first:
        return Named(pgettext("usage", "Nothing in particular"))
    return named.get(first) or Named(_("Something that is gone or not open to you"), more=first)
