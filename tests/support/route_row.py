"""`Row`: who gets what at one address, and the rows' words. `tests.support.routes` gathers them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.support.people import People

Fill = Callable[[People], Mapping[str, Any]]
ROLES = ("anonymous", "owner", "other", "reader", "host")


def nothing(people: People) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class Row:
    """One address and method, and what each of the five gets."""

    route: str
    method: str
    cells: str
    fill: Fill = nothing
    data: Mapping[str, Any] = field(default_factory=dict)


PUBLIC = "ok ok ok ok ok"
PEOPLE = "in ok ok ok ok"
HOST = "in 404 404 404 ok"
OWN = "in ok 404 404 404"
READ = "in ok 404 ok 404"
EDIT = "in ok 404 403 404"
