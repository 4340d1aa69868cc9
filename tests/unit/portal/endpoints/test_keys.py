"""Keys in the database: encrypted, rotated, and good for one address only (D5)."""

from __future__ import annotations

import pytest
from cryptography.fernet import Fernet
from pytest_django import Settings

from formats.errors import DomainError
from portal.endpoints.keys import can_open, hint_of, opened, sealed

KEY = "sk-invented-key-9d41c07f2a"
HERE = ("openai", "https://models.example/v1")
OLD, NEW = Fernet.generate_key().decode(), Fernet.generate_key().decode()


def test_what_is_kept_says_nothing_of_the_key() -> None:
    kept = sealed(KEY, *HERE)
    assert KEY not in kept
    assert kept != sealed(KEY, *HERE), "the same key twice cannot be told"
    assert opened(kept, *HERE) == KEY
    assert (sealed("", *HERE), opened("", *HERE)) == ("", "")


@pytest.mark.parametrize(
    "elsewhere", [("openai", "https://thief.example/v1"), ("anthropic", "https://models.example/v1")]
)
def test_a_key_is_given_out_for_its_own_address_alone(elsewhere: tuple[str, str]) -> None:
    kept = sealed(KEY, *HERE)
    with pytest.raises(DomainError, match="cannot be read"):
        opened(kept, *elsewhere)
    assert not can_open(kept, *elsewhere)


def test_the_first_key_writes_and_all_of_them_read(settings: Settings) -> None:
    settings.FIELD_KEYS = (OLD,)
    kept = sealed(KEY, *HERE)
    settings.FIELD_KEYS = (NEW, OLD)
    assert opened(kept, *HERE) == KEY
    newer = sealed(KEY, *HERE)
    settings.FIELD_KEYS = (NEW,)
    assert opened(newer, *HERE) == KEY
    assert not can_open(kept, *HERE)


@pytest.mark.parametrize("damaged", ["x", "gAAAAA", "é", "gAAAAABm" + "A" * 100])
def test_what_is_damaged_asks_for_the_key_again(damaged: str) -> None:
    with pytest.raises(DomainError) as refused:
        opened(damaged, *HERE)
    assert "type the key again" in refused.value.hint
    assert damaged not in str(refused.value) or len(damaged) == 1


@pytest.mark.parametrize(
    ("key", "shown"), [(KEY, "sk-…7f2a"), ("a" * 15, "…"), ("short", "…"), ("", "…"), ("b" * 16, "bbb…bbbb")]
)
def test_the_most_that_is_shown(key: str, shown: str) -> None:
    assert hint_of(key) == shown
