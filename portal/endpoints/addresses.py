"""Where models may be on this machine or in its network: the host's list (D43)."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings

from formats.errors import DomainError
from formats.messages import gettext_noop
from llm.faults import MEANINGS
from net.address import RefusedAddress, checked_model_url, listed_origin
from portal.models import SiteSettings

MOST = 50


def listed_addresses() -> frozenset[str]:
    """Every listed `scheme://host:port`: those the host wrote down, and that of LLM_BASE_URL."""
    found = set()
    for text in (settings.MODEL.base_url, *SiteSettings.current().model_addresses.split()):
        try:
            found.add(listed_origin(text))
        except RefusedAddress:  # an environment or a row that was written by hand: it opens nothing
            continue
    return frozenset(found)


def origins_of(texts: Iterable[str]) -> list[str]:
    """The host's list as it is kept: each address as `scheme://host:port`, once.

    Raises:
        DomainError: `invalid`, a line is no address; `full`, there are too many.
    """
    origins: dict[str, None] = {}
    for text in texts:
        try:
            origins[listed_origin(text)] = None
        except RefusedAddress:
            raise DomainError(
                "invalid",
                "endpoint.list",
                "model_addresses",
                gettext_noop("“{address}” is not an address such as http://127.0.0.1:11434."),
                args={"address": text[:80]},
            ) from None
    if len(origins) > MOST:
        raise DomainError(
            "full",
            "endpoint.list-long",
            "model_addresses",
            gettext_noop("At most {most} addresses can be listed."),
            args={"most": MOST},
        )
    return list(origins)


def list_origin(base_url: str) -> None:
    """Write the `scheme://host:port` of an address into the host's list, unless it needs no line there. What
    is no address is left to `check_address`. Call it in the transaction that keeps the endpoint, so that both
    are kept or neither.

    Raises:
        DomainError: `full`, there are too many.
    """
    try:
        origin = listed_origin(base_url)
    except RefusedAddress:
        return
    if origin in listed_addresses() or _is_public(base_url):
        return
    SiteSettings.objects.get_or_create(pk=1)
    site = SiteSettings.objects.select_for_update().get(pk=1)
    site.model_addresses = "\n".join(origins_of([*site.model_addresses.split(), origin]))
    site.save(update_fields=["model_addresses"])


def _is_public(base_url: str) -> bool:
    try:
        checked_model_url(base_url)
    except RefusedAddress:
        return False
    return True


def check_address(base_url: str) -> None:
    """Refuse the address of an endpoint by how it is written; what its name leads to is seen at each call.

    Raises:
        DomainError: `invalid`, with the sentences of a call to such an address.
    """
    try:
        url = checked_model_url(base_url, listed_addresses())
    except RefusedAddress as refusal:
        meaning = MEANINGS["not-allowed"]
        raise DomainError(
            "invalid", "model.not-allowed", "base_url", meaning.message, meaning.hint
        ) from refusal
    if url.query or "#" in base_url or "?" in base_url:
        raise DomainError(
            "invalid",
            "endpoint.address-query",
            "base_url",
            gettext_noop("The address must end with its path: nothing after a ? or #."),
        )
