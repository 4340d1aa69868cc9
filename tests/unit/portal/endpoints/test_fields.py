"""What can be said of an endpoint, and which address a service is at."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from formats.errors import DomainError
from llm.asking import ModelInfo
from llm.endpoint import Prices
from portal.endpoints.fields import EndpointFields, address_of, check_fields, key_to_keep
from portal.endpoints.listed import filled_in, kept_list, names_in, said_of
from portal.endpoints.services import BY_CODE, SERVICES, fitting_address, service_of

GOOD: dict[str, Any] = {"name": "Fog", "base_url": "https://models.example/v1"}
NONE = dict.fromkeys(("context_length", "price_input", "price_output", "price_cached"))


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("", "https://api.openai.com/v1"),
        ("  https://models.example/v1/ ", "https://models.example/v1"),
        ("https://models.example/v1/chat/completions", "https://models.example/v1"),
        ("https://models.example/v1/models", "https://models.example/v1"),
        ("https://models.example/models.example", "https://models.example/models.example"),
    ],
)
def test_an_address_is_kept_without_what_is_added_to_it(text: str, address: str) -> None:
    assert address_of("openai", text) == address


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"name": " "}, "name"),
        ({"kind": "carrier-pigeon"}, "kind"),
        ({"base_url": "http://models.example/v1"}, "base_url"),
        ({"base_url": "https://10.0.0.7/v1"}, "base_url"),
        ({"base_url": "https://localhost/v1"}, "base_url"),
        ({"base_url": "https://ana:secret@models.example/v1"}, "base_url"),
        ({"base_url": "https://models.example/v1?key=x"}, "base_url"),
        ({"base_url": "https://models.example/v1?"}, "base_url"),
        ({"base_url": "https://models.example/v1#top"}, "base_url"),
        ({"base_url": "ftp://models.example/v1"}, "base_url"),
        ({"base_url": "https://models.example/" + "x" * 500}, "base_url"),
        ({"context_length": 0}, "context_length"),
        ({"context_length": 10**9}, "context_length"),
        ({"price_input": Decimal(-1)}, "price_input"),
        ({"price_output": Decimal(10**7)}, "price_output"),
        ({"currency": "$"}, "currency"),
    ],
)
def test_what_no_endpoint_can_be_is_named(change: dict[str, Any], where: str) -> None:
    check_fields(EndpointFields(**GOOD))
    with pytest.raises(DomainError) as refused:
        check_fields(EndpointFields(**GOOD | change))
    assert (refused.value.kind, refused.value.where) == ("invalid", where)


@pytest.mark.parametrize("text", ["two words", "sk-“nice”", "sk-\x00", "a" * 501, "密钥"])
def test_what_cannot_be_a_key_is_refused_without_saying_it(text: str) -> None:
    with pytest.raises(DomainError) as refused:
        key_to_keep(text)
    assert refused.value.where == "key"
    assert text not in str(refused.value)


def test_blanks_around_a_key_are_not_part_of_it() -> None:
    assert key_to_keep(" sk-1 \n") == "sk-1"


def test_a_list_of_models_fills_what_nobody_said() -> None:
    listed = kept_list(
        [
            ModelInfo("big", 128_000, Prices(Decimal("2.5"), Decimal(10), Decimal("0.25"))),
            ModelInfo("bare"),
            ModelInfo("x" * 201),
            ModelInfo("line\nbreak"),
        ]
    )
    assert names_in(listed) == ["big", "bare"]
    assert said_of(listed, "bare") == said_of(listed, "gone") == {}
    assert filled_in(listed, "big", NONE) == {
        "context_length": 128_000,
        "price_input": Decimal("2.5"),
        "price_output": Decimal(10),
        "price_cached": Decimal("0.25"),
        "currency": "USD",
    }
    told = {**NONE, "price_input": Decimal(3)}
    assert filled_in(listed, "big", told) == {**told, "context_length": 128_000}, "prices go together"
    assert filled_in(listed, "bare", told) == told


def test_a_list_of_models_is_bounded() -> None:
    assert len(kept_list(ModelInfo(f"m{n}") for n in range(5000))) == 1000


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.code)
def test_a_service_is_known_by_its_address(service: Any) -> None:
    assert service_of(service.kind, service.address) is service
    assert fitting_address(service, "") == service.address
    assert fitting_address(service, "https://own.example/v1") == "https://own.example/v1"


def test_an_address_left_over_from_another_protocol_gives_way() -> None:
    openai = BY_CODE["compatible"].address
    assert fitting_address(BY_CODE["anthropic"], openai) == "https://api.anthropic.com"
    assert fitting_address(BY_CODE["deepseek"], openai) == openai, "it may be meant"
    assert service_of("openai", "http://[broken") is BY_CODE["compatible"]
