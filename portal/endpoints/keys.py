"""Keys of endpoints in the database: encrypted, and good for one address only (D5).

FIELD_KEYS of the environment encrypt them: the first one writes, all of them read, so that a new one can be
put in front. The address is encrypted together with the key, and a key is given out for that address alone:
whoever changes the address, on a page, in the admin or in the database, has to type the key again.
"""

from __future__ import annotations

import json
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from formats.errors import DomainError
from formats.messages import gettext_noop


def sealed(key: str, kind: str, base_url: str) -> str:
    """The key as the database keeps it; nothing for no key."""
    if not key:
        return ""
    return _box(tuple(settings.FIELD_KEYS)).encrypt(json.dumps([kind, base_url, key]).encode()).decode()


def opened(kept: str, kind: str, base_url: str) -> str:
    """The key again.

    Raises:
        DomainError: `invalid`: it was encrypted with a key that is gone, or for another address.
    """
    if not kept:
        return ""
    try:
        value = json.loads(_box(tuple(settings.FIELD_KEYS)).decrypt(kept.encode()))
    except (InvalidToken, ValueError):
        raise _unreadable() from None
    if value[:2] != [kind, base_url]:
        raise _unreadable()
    return str(value[2])


def can_open(kept: str, kind: str, base_url: str) -> bool:
    """Whether the key can be used."""
    try:
        opened(kept, kind, base_url)
    except DomainError:
        return False
    return True


def hint_of(key: str) -> str:
    """What is shown of a key: `sk-…7f2a`; of a short one nothing at all."""
    return f"{key[:3]}…{key[-4:]}" if len(key) >= 16 else "…"


def _unreadable() -> DomainError:
    return DomainError(
        "invalid",
        "endpoint.key-unreadable",
        "key",
        gettext_noop("The stored key of this endpoint cannot be read any more. Nothing was sent."),
        gettext_noop("Open the endpoint under Settings, Models, and type the key again."),
    )


@lru_cache(maxsize=4)
def _box(field_keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in field_keys])
