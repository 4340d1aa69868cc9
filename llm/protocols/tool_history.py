"""Tool calls that already happened, for protocols that write them in another form."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from llm.asking import Message
from llm.protocols.protocol import list_at, text_at


def arguments_of(call: Any) -> tuple[str, dict[str, Any]]:
    """Name and arguments of a call; arguments that are no JSON object go back as one named text, so that the
    model sees what it wrote."""
    text = text_at(call, "function", "arguments")
    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        value = None
    return text_at(call, "function", "name"), value if isinstance(value, dict) else {"arguments": text}


def called_names(messages: Iterable[Message]) -> dict[str, str]:
    """Which tool each call named, by the id of the call."""
    calls = [call for message in messages for call in list_at(message, "tool_calls")]
    return {text_at(call, "id"): text_at(call, "function", "name") for call in calls}


def forced_tool(choice: Any) -> str:
    """The tool that a choice names, or nothing."""
    return text_at(choice, "function", "name")
