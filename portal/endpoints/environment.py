"""The endpoint that LLM_BASE_URL, LLM_API_KEY and LLM_MODEL name: there without touching a page.

Its row only stands for it, so that it can be chosen, tested and counted; address, model and key are read
from the environment each time, and the key never gets into the database.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast
from urllib.parse import urlsplit

from django.conf import settings

from llm.endpoint import Kind
from portal.endpoints.fields import EndpointFields
from portal.models import ModelEndpoint
from portal.models.endpoints import FROM_ENVIRONMENT, UNLISTED, UNTESTED

KIND_OF_HOST: dict[str, Kind] = {
    "api.anthropic.com": "anthropic",
    "generativelanguage.googleapis.com": "google",
}


def is_given() -> bool:
    """Whether the environment names an endpoint."""
    return bool(settings.MODEL.base_url)


def in_step() -> ModelEndpoint | None:
    """The row of the environment's endpoint as the environment is now; None when it names none.

    What a person said about it (prices, abilities) stays; what a test found of another address or model goes.
    """
    if not is_given():
        return None
    given = settings.MODEL
    row = ModelEndpoint.objects.filter(pk=FROM_ENVIRONMENT).first()
    if row is None:
        row, _made = ModelEndpoint.objects.get_or_create(
            pk=FROM_ENVIRONMENT, defaults={**_fields(), "name": _name(), "for_everyone": True}
        )
    if (row.base_url, row.kind) != (given.base_url, kind_of(given.base_url)) or (
        given.name and row.model != given.name
    ):
        fields = {**_fields(), "name": _name(), **UNTESTED, **UNLISTED}
        ModelEndpoint.objects.filter(pk=FROM_ENVIRONMENT).update(**fields)
        row.refresh_from_db()
    return row


def kind_of(base_url: str) -> Kind:
    """Which protocol an address speaks, by whose it is; most services speak OpenAI's."""
    try:
        parts = urlsplit(base_url)
    except ValueError:
        return "openai"
    # Both have a second address that speaks OpenAI's protocol, under a path of its own.
    own = parts.path.rstrip("/") in ("", "/v1", "/v1beta")
    return KIND_OF_HOST.get(parts.hostname or "", "openai") if own else "openai"


def as_given(row: ModelEndpoint, said: EndpointFields) -> EndpointFields:
    """What a person says of this endpoint, with what the environment says in its place."""
    model = settings.MODEL.name or said.model
    return replace(said, kind=cast(Kind, row.kind), base_url=row.base_url, model=model)


def _fields() -> dict[str, str]:
    given = settings.MODEL
    return {"base_url": given.base_url, "kind": kind_of(given.base_url), "model": given.name}


def _name() -> str:
    given = settings.MODEL
    try:
        host = urlsplit(given.base_url).hostname or ""
    except ValueError:
        host = ""
    return (given.name or host or FROM_ENVIRONMENT)[:60]
