"""The model client library's model for an endpoint: for agents, over our guard and under our judge.

Importing the library costs two seconds, so it is imported when a model is made, and nowhere else. Replies do
not pass through it: see `llm.protocols`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from llm.endpoint import Endpoint
from llm.faults import OF_REASON, ModelFault, check_key, fault_of_status
from llm.judge import Judge, path_of
from llm.protocols import PROTOCOLS
from net.address import RefusedAddress
from net.model_door import ModelDoor, reason_of

if TYPE_CHECKING:
    from pydantic_ai.models import Model

NO_KEY = "none"  # the libraries want one; the header that is sent is ours
NAME = "tavern-worlds"  # by which the library knows a service again in a stored conversation


def model_for(endpoint: Endpoint, door: ModelDoor) -> Model[Any]:
    """The library's model. Each of its answers is judged like a reply; `fault_in` finds what was wrong.

    Raises:
        ModelFault: the key cannot be one.
    """
    check_key(endpoint.key)
    os.environ.setdefault("PYDANTIC_AI_NO_BANNER", "1")
    protocol = PROTOCOLS[endpoint.kind]
    path = path_of(protocol.chat_address(endpoint, streamed=False))
    client = door.library_client(lambda: Judge(endpoint, path), protocol.headers(endpoint))
    return MAKERS[endpoint.kind](endpoint, client)


def _openai(endpoint: Endpoint, client: Any) -> Model[Any]:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    own = AsyncOpenAI(base_url=endpoint.base_url, api_key=NO_KEY, http_client=client, max_retries=0)
    # What any compatible service takes; without it small servers fail in odd ways.
    profile = OpenAIModelProfile(
        openai_chat_supports_max_completion_tokens=False,
        openai_supports_strict_tool_definition=False,
        supports_inline_system_prompts=bool(endpoint.abilities.many_systems),
        openai_chat_supports_multiple_system_messages=bool(endpoint.abilities.many_systems),
        supports_thinking=True,
        supports_json_schema_output=bool(endpoint.abilities.schema),
    )
    provider = OpenAICompatibleProvider(NAME, openai_client=own)
    return OpenAIChatModel(endpoint.model, provider=provider, profile=profile)


def _anthropic(endpoint: Endpoint, client: Any) -> Model[Any]:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    address = endpoint.base_url.rstrip("/").removesuffix("/v1")
    own = AsyncAnthropic(base_url=address, api_key=NO_KEY, http_client=client, max_retries=0)
    return AnthropicModel(endpoint.model, provider=AnthropicProvider(anthropic_client=own))


def _google(endpoint: Endpoint, client: Any) -> Model[Any]:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    address = endpoint.base_url.rstrip("/").removesuffix("/v1beta")
    provider = GoogleProvider(api_key=NO_KEY, http_client=client, base_url=address)
    return GoogleModel(endpoint.model, provider=provider)


MAKERS = {"openai": _openai, "anthropic": _anthropic, "google": _google}


def fault_in(error: BaseException) -> ModelFault | None:
    """The fault behind an exception of the library, or None where it is about something else."""
    behind: BaseException | None = error
    while behind is not None:
        if isinstance(behind, ModelFault):
            return behind
        if isinstance(behind, RefusedAddress):
            return ModelFault("unreachable")
        if (reason := reason_of(behind)) is not None:
            return ModelFault(OF_REASON[reason])
        behind = behind.__cause__ or behind.__context__
    status = getattr(error, "status_code", None)
    return fault_of_status(status, {}, "") if isinstance(status, int) and status != 200 else None
