"""What an endpoint can do, found by asking it (D14). A fault that may pass says nothing of an ability."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, fields
from typing import Any

from formats.finding import Finding
from llm.asking import Ask, Message, Reply
from llm.client import ModelClient
from llm.endpoint import Abilities, Endpoint
from llm.faults import ModelFault

# Answers that say "not this way", as opposed to "not now".
REFUSALS = ("refused", "broken", "provider-error", "empty", "not-found")
# After these every other question would end the same way.
HOPELESS = ("not-allowed", "unreachable", "tls", "key-refused", "forbidden", "rate-limited", "moved")
FEW = {"max_tokens": 16, "temperature": 0}
ENOUGH = {"max_tokens": 200, "temperature": 0}  # for a short answer of JSON, and some thinking before it

USER: Message = {"role": "user", "content": "Say yes."}
COLOUR = {
    "type": "object",
    "properties": {"colour": {"type": "string", "enum": ["blue"]}},
    "required": ["colour"],
    "additionalProperties": False,
}
# The question does not ask for JSON: only a service that holds the answer to the schema gives it.
PROSE: Message = {"role": "user", "content": "Describe the sky at noon in one short sentence of plain prose."}
NAME = "name_colour"
TOOL = {
    "type": "function",
    "function": {"name": NAME, "description": "Name the colour of the sky.", "parameters": COLOUR},
}
FORCED = {"type": "function", "function": {"name": NAME}}


@dataclass(frozen=True, slots=True)
class FoundAbilities:
    """What was found, and why each question that got no answer got none (`where` is the ability, `said` among
    the args holds the service's own words)."""

    abilities: Abilities
    findings: tuple[Finding, ...]


async def find_abilities(client: ModelClient, endpoint: Endpoint) -> FoundAbilities:
    """Ask an endpoint five short questions, one after the other. It costs a few hundred tokens.

    An answer that does not come leaves its ability unknown; when nothing can come the others are not asked.
    """
    found: dict[str, bool | None] = {}
    findings: list[Finding] = []
    questions: dict[str, Callable[[ModelClient, Endpoint], Awaitable[bool | None]]] = {
        "streaming": _streams,
        "system_first": _takes_system,
        "many_systems": _takes_systems,
        "schema": _holds_to_schema,
        "tools": _calls_tools,
    }
    for ability, question in questions.items():
        try:
            found[ability] = await question(client, endpoint)
        except ModelFault as fault:
            found[ability] = False if _says_not_this_way(fault) else None
            args = {**fault.values, "said": fault.said}
            code = f"model.ability.{fault.outcome}"
            findings.append(Finding("info", code, ability, fault.message, fault.hint, args))
            if fault.outcome in HOPELESS:
                break
    known = {field.name: found.get(field.name) for field in fields(Abilities)}
    return FoundAbilities(Abilities(**known), tuple(findings))


def _says_not_this_way(fault: ModelFault) -> bool:
    """Small servers answer 500 to what they cannot do; 502 and 503 say that nobody is there to answer."""
    return fault.outcome in REFUSALS or fault.status == 500


async def _ask(client: ModelClient, endpoint: Endpoint, *messages: Message, **more: Any) -> Reply:
    return await client.reply(endpoint, Ask(messages=messages, **{"settings": FEW, **more}))


async def _streams(client: ModelClient, endpoint: Endpoint) -> bool:
    unknown = Endpoint(endpoint.kind, endpoint.base_url, endpoint.model, endpoint.key)
    return (await _ask(client, unknown, USER)).streamed


async def _takes_system(client: ModelClient, endpoint: Endpoint) -> bool:
    await _ask(client, endpoint, {"role": "system", "content": "Answer in one word."}, USER)
    return True


async def _takes_systems(client: ModelClient, endpoint: Endpoint) -> bool:
    await _ask(
        client,
        endpoint,
        {"role": "system", "content": "Answer in one word."},
        {"role": "system", "content": "Be kind."},
        USER,
        {"role": "assistant", "content": "Yes."},
        {"role": "system", "content": "Answer again."},
        USER,
    )
    return True


async def _holds_to_schema(client: ModelClient, endpoint: Endpoint) -> bool | None:
    reply = await _ask(client, endpoint, PROSE, settings=ENOUGH, schema=COLOUR, schema_name=NAME)
    if reply.finish == "length":
        return None
    return _is_colour(reply.text)


async def _calls_tools(client: ModelClient, endpoint: Endpoint) -> bool | None:
    reply = await _ask(client, endpoint, PROSE, settings=ENOUGH, tools=(TOOL,), tool_choice=FORCED)
    if reply.calls:
        return reply.calls[0].name == NAME and _is_colour(reply.calls[0].arguments)
    return None if reply.finish == "length" else False


def _is_colour(text: str) -> bool:
    try:
        return bool(json.loads(text) == {"colour": "blue"})
    except (ValueError, RecursionError):
        return False
