"""Stored calls to models, as `portal.endpoints.calling` would have left them."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone

from portal.models import ModelCall, Person, Purpose


def a_call(owner: Person, *, days_ago: float = 0, cost: str | None = None, **said: Any) -> ModelCall:
    """A whole answer of the endpoint Fog on a trial; `cost` in US dollars unless a currency is said."""
    at: datetime = timezone.now() - timedelta(days=days_ago)
    fields: dict[str, Any] = {
        "endpoint_name": "Fog",
        "model": "scripted",
        "purpose": Purpose.TRIAL,
        "outcome": "ok",
        "tokens_in": 1000,
        "tokens_cached": 0,
        "tokens_out": 100,
        "seconds": 1.5,
        "at": at,
        "cost": None if cost is None else Decimal(cost),
    }
    return ModelCall.objects.create(owner=owner, **fields | said)


def a_failure(owner: Person, outcome: str, **said: Any) -> ModelCall:
    """A call that gave nothing, and of which the service told no tokens."""
    numbers: dict[str, Any] = dict.fromkeys(("tokens_in", "tokens_cached", "tokens_out"))
    return a_call(owner, **{"outcome": outcome, **numbers, **said})
