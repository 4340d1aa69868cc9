"""What can be said of an endpoint, checked in one place for pages, the first run and programs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from typing import Any

from formats.errors import DomainError
from formats.messages import gettext_noop
from llm.endpoint import DEFAULT_ADDRESSES, KINDS, Abilities, Kind
from llm.faults import ModelFault, check_key
from portal.endpoints.addresses import check_address

ABILITIES = tuple(one.name for one in fields(Abilities))
MOST_CONTEXT = 100_000_000
MOST_MONEY = Decimal(1_000_000)
CURRENCY = re.compile(r"[A-Z]{3}")
# What people copy from a service's page although the program adds it by itself.
TOO_MUCH = ("/chat/completions", "/completions", "/models", "/v1/messages")


@dataclass(frozen=True, slots=True)
class EndpointFields:
    """What a person says of an endpoint. `abilities` holds only those set by hand."""

    name: str
    kind: Kind = "openai"
    base_url: str = ""
    model: str = ""
    context_length: int | None = None
    price_input: Decimal | None = None
    price_output: Decimal | None = None
    price_cached: Decimal | None = None
    currency: str = "USD"
    abilities: Mapping[str, bool] = field(default_factory=dict)
    strong: bool = False

    def stored(self) -> dict[str, Any]:
        """As the columns of the row."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        values["abilities_set"] = dict(values.pop("abilities"))
        return values


def address_of(kind: Kind, text: str) -> str:
    """An address as it is kept: that of the service where none was written, without what is added to it."""
    address = text.strip().rstrip("/") or DEFAULT_ADDRESSES[kind]
    for end in TOO_MUCH:
        address = address.removesuffix(end).rstrip("/")
    return address


def check_fields(said: EndpointFields) -> None:
    """Refuse what no endpoint can be.

    Raises:
        DomainError: `invalid`, with the field in `where`.
    """
    if not said.name.strip():
        raise _wrong("name", gettext_noop("The endpoint needs a name."))
    if said.kind not in KINDS:
        raise _wrong("kind", gettext_noop("Choose what kind of service it is."))
    if len(said.base_url) > 500 or len(said.name) > 60 or len(said.model) > 200:
        raise _wrong("base_url", gettext_noop("A name or the address is longer than it may be."))
    check_address(said.base_url)
    if said.context_length is not None and not 0 < said.context_length <= MOST_CONTEXT:
        raise _wrong("context_length", gettext_noop("The context length is a number of tokens."))
    for name in ("price_input", "price_output", "price_cached"):
        price = getattr(said, name)
        if price is not None and not 0 <= price <= MOST_MONEY:
            raise _wrong(name, gettext_noop("A price is an amount of money, without a sign."))
    if not CURRENCY.fullmatch(said.currency):
        raise _wrong("currency", gettext_noop("A currency has three letters, such as USD or CNY."))
    if unknown := set(said.abilities) - set(ABILITIES):
        raise ValueError(f"no such abilities: {unknown}")


def key_to_keep(text: str) -> str:
    """A key as it is kept: without the blanks around it.

    Raises:
        DomainError: `invalid`, it cannot be a key.
    """
    key = text.strip()
    try:
        check_key(key)
    except ModelFault:
        key = " "
    if key == " " or len(key) > 500:
        raise _wrong(
            "key",
            gettext_noop("This cannot be a key: keys hold letters, digits and signs, without blanks."),
            gettext_noop("Copy it again from the service's page."),
        )
    return key


def _wrong(where: str, message: str, hint: str = "") -> DomainError:
    return DomainError("invalid", f"endpoint.{where.replace('_', '-')}", where, message, hint)
