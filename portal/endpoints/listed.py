"""The models that a service listed: kept with the endpoint, and what they say fills what nobody said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from llm.asking import ModelInfo
from llm.endpoint import Prices
from portal.endpoints.fields import MOST_CONTEXT, MOST_MONEY

MOST_MODELS = 1000
MOST_ID = 200
FILLED = ("context_length", "price_input", "price_output", "price_cached")


def kept_list(models: Iterable[ModelInfo]) -> list[dict[str, Any]]:
    """A list of models as the row keeps it: ids, and what the list says of them."""
    kept = []
    for model in models:
        if not 0 < len(model.id) <= MOST_ID or not model.id.isprintable():
            continue
        row: dict[str, Any] = {"id": model.id}
        if model.context_length and 0 < model.context_length <= MOST_CONTEXT:
            row["context"] = model.context_length
        prices = ("input", "output", "cached")
        row |= {name: str(money) for name in prices if (money := getattr(model.prices, name)) is not None}
        kept.append(row)
        if len(kept) == MOST_MODELS:
            break
    return kept


def names_in(listed: Iterable[Mapping[str, Any]]) -> list[str]:
    """The ids of a kept list, in its order."""
    return [str(row["id"]) for row in listed]


def said_of(listed: Iterable[Mapping[str, Any]], model: str) -> dict[str, Any]:
    """What a kept list says of one model, by the names of the row's columns; only what it says."""
    row = next((row for row in listed if row["id"] == model), None)
    if row is None:
        return {}
    found = {"context_length": row.get("context")}
    found |= {f"price_{name}": _price(row.get(name)) for name in ("input", "output", "cached")}
    said = {name: value for name, value in found.items() if value is not None}
    if any(name.startswith("price_") for name in said):
        said["currency"] = Prices().currency  # lists that name prices name dollars
    return said


def filled_in(listed: Iterable[Mapping[str, Any]], model: str, told: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers of a model as a person told them, and what a kept list says where nothing was told.

    `told` has every name of `FILLED`. Prices go together: one that was told keeps the list's out.
    """
    said = said_of(listed, model)
    prices = [name for name in FILLED if name.startswith("price_")]
    if any(told[name] is not None for name in prices):
        said = {name: value for name, value in said.items() if name == "context_length"}
    return {**told, **{name: value for name, value in said.items() if told.get(name) is None}}


def _price(text: Any) -> Decimal | None:
    if text is None:
        return None
    try:
        price = Decimal(str(text)).quantize(Decimal("0.000001"))
    except InvalidOperation:
        return None
    return price if price <= MOST_MONEY else None
