"""How a preset wants its messages shaped and its tools treated, as far as its file says it (PRE-7, PRE-8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from formats.preset.model import SQUASHES, TOOL_MODES, MessagePolicy, Squash, ToolPolicy
from formats.preset.telling import Tally

SQUASH_FIELD: Final = "squash_system_messages"
TOOL_FIELDS: Final = ("toolPolicy", "tool_policy")


def read_message_policy(raw: Mapping[str, Any], tally: Tally) -> MessagePolicy | None:
    """The level of merging; None where the file does not say it, or says what means nothing (D20)."""
    if SQUASH_FIELD not in raw:
        return None
    return _policy(raw[SQUASH_FIELD], SQUASH_FIELD, tally)


def read_native_message_policy(value: Any, tally: Tally) -> MessagePolicy | None:
    """The same of our own form: `{"squash": level}`."""
    if not isinstance(value, Mapping) or "squash" not in value:
        return None
    return _policy(value["squash"], "messagePolicy.squash", tally)


def _policy(value: Any, where: str, tally: Tally) -> MessagePolicy | None:
    level = squash_of(value)
    if level is None:
        tally.add("squash-unreadable", where, str(value))
        return None
    return MessagePolicy(level)


def squash_of(value: Any) -> Squash | None:
    """SillyTavern's switch, a name of ours, or its ordinal; None for anything else."""
    if isinstance(value, bool):
        return "merge" if value else "none"
    if isinstance(value, int | float) and value in range(len(SQUASHES)):
        return SQUASHES[int(value)]
    if isinstance(value, str):
        word = value.strip().lower().replace("_", "-")
        return next((level for level in SQUASHES if level == word), None)
    return None


def squash_value(policy: MessagePolicy) -> bool | str:
    """The level as a file of SillyTavern says it: its own two as the switch, ours by name."""
    return {"none": False, "merge": True}.get(policy.squash, policy.squash)


def read_tool_policy(raw: Mapping[str, Any]) -> ToolPolicy:
    """The way tools are treated: `adapt` unless the file names another."""
    value = next((raw[name] for name in TOOL_FIELDS if name in raw), None)
    mode = value.get("mode") if isinstance(value, Mapping) else value
    return ToolPolicy(next((known for known in TOOL_MODES if known == mode), "adapt"))
