"""What a trial would send, to be copied: as JSON or as a cURL line, never with a key.

It is the very request that sending makes: the same messages, put into the form of the endpoint's protocol.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from formats.preset.assembly import Assembly
from formats.preset.model import Generation
from formats.preset.parameters import WIRE_NAMES, EndpointKind, parameters_for
from llm.asking import Ask
from llm.endpoint import Endpoint
from llm.protocols import PROTOCOLS
from llm.protocols.openai import OWN_HOST

KEY: Final = "$API_KEY"
"""Stands for the key in a copy; a shell fills it from its own variable of this name."""


@dataclass(frozen=True, slots=True)
class RequestCopy:
    """A request without its key: address, headers, body."""

    address: str
    headers: dict[str, str]
    body: dict[str, Any]

    def as_json(self) -> str:
        """The body, to be read."""
        return json.dumps(self.body, ensure_ascii=False, indent=2)

    def as_curl(self) -> str:
        """A line for a POSIX shell: everything quoted but the variable of the key."""
        lines = [f"curl {_quoted(self.address)}"]
        for name, value in {**self.headers, "Content-Type": "application/json"}.items():
            lines.append(f"  -H {_quoted_but_key(f'{name}: {value}')}")
        body = json.dumps(self.body, ensure_ascii=False)
        return " \\\n".join((*lines, f"  --data-raw {_quoted(body)}"))


def kind_of(endpoint: Endpoint) -> EndpointKind:
    """Which parameters an endpoint takes: OpenAI's own service refuses those that it does not know."""
    if endpoint.kind != "openai":
        return endpoint.kind
    try:
        host = urlsplit(endpoint.base_url.strip()).hostname
    except ValueError:
        host = ""  # no address at all: calling it will say so
    return "openai" if host == OWN_HOST else "openai-compatible"


def ask_of(assembly: Assembly, generation: Generation, kind: EndpointKind = "openai-compatible") -> Ask:
    """What is asked of a model: the messages exactly as they were assembled (PRE-18), and the parameters.

    Whether it is streamed is the client's affair, and one answer is asked for, however many variants a preset
    wants: a trial shows one.
    """
    found = parameters_for(generation, kind)
    names = WIRE_NAMES["openai-compatible"]  # a protocol gives them its own names
    settings = {
        names[name]: value for name, value in found.taken.items() if name not in ("stream", "variants")
    }
    return Ask(tuple(assembly.messages), settings, tuple(assembly.tools))


def copy_of(ask: Ask, endpoint: Endpoint, *, streamed: bool = False) -> RequestCopy:
    """The request that the endpoint would get. Its key is never looked at, nor a name in its address."""
    protocol = PROTOCOLS[endpoint.kind]
    keyless = replace(endpoint, key=KEY, base_url=_without_name(endpoint.base_url))
    return RequestCopy(
        protocol.chat_address(keyless, streamed=streamed),
        protocol.headers(keyless),
        protocol.body(keyless, ask, streamed=streamed),
    )


def _without_name(address: str) -> str:
    """The address without a name and password, and without a query, where some services take their key."""
    parts = urlsplit(address.strip())
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _quoted_but_key(text: str) -> str:
    before, key, after = text.partition(KEY)
    return _quoted(before) + f'"{key}"' + (_quoted(after) if after else "") if key else _quoted(text)
