"""The commands of an authoring conversation, typed or sent on somebody's behalf (RUN-12). Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

COMMANDS: Final = (
    "import-st",
    "check",
    "check-all",
    "check-world",
    "check-card",
    "check-quality",
    "check-play",
)
_FORM = re.compile(r"/([a-z][a-z-]*)(?:[ \t]+([^\r\n]*?))?[ \t]*(?:\r?\n|\Z)")


@dataclass(frozen=True, slots=True)
class Command:
    """A command and the words behind it on its line."""

    name: str
    words: tuple[str, ...] = ()


def command_in(text: str) -> Command | None:
    """The command a message begins with; None for an ordinary one, an unknown word included."""
    found = _FORM.match(text.lstrip())
    if found is None or found[1] not in COMMANDS:
        return None
    return Command(found[1], tuple((found[2] or "").split()))
