"""What people type into a trial: a story with headings or as a list, and texts with titles."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Final

from pydantic import ValidationError

from formats.errors import DomainError
from formats.messages import gettext_noop
from presets.pipeline.trial import MOST_INSERTS, MOST_TURNS, InsertText, TrialInputs, Turn

TITLE: Final = re.compile(r"^===[ \t]*(.*?)[ \t]*(?:===)?[ \t]*$", re.MULTILINE)
"""A line that begins another text: `=== The lighthouse`. Headings of Markdown belong to texts themselves."""


def inserts_of(text: str) -> tuple[InsertText, ...]:
    """The texts of a field. What stands before the first title is a text without one.

    Raises:
        DomainError: `invalid`, more of them than a trial takes.
    """
    pieces = TITLE.split(text.replace("\r\n", "\n"))
    pairs = [("", pieces[0]), *zip(pieces[1::2], pieces[2::2], strict=True)]
    found = tuple(
        InsertText(title=title[:300], text=body.strip("\n")) for title, body in pairs if title or body.strip()
    )
    if len(found) > MOST_INSERTS:
        raise DomainError(
            "invalid",
            "trial.too-many-texts",
            "",
            gettext_noop("A trial takes at most {count} texts in one place."),
            args={"count": MOST_INSERTS},
        )
    return found


def typed_inserts(inserts: Iterable[InsertText]) -> str:
    """The same as it is typed."""
    blocks: list[str] = []
    for insert in inserts:
        head = f"=== {insert.title}\n" if insert.title or blocks else ""
        blocks.append(head + insert.text)
    return "\n\n".join(blocks)


def story_of(text: str) -> dict[str, object]:
    """The story so far as `TrialInputs` keeps it: a list of turns where a JSON list was typed, else the text.

    Raises:
        DomainError: `invalid`, the list is none that can be read, or too long.
    """
    if not text.lstrip().startswith("["):
        return {"story": text.replace("\r\n", "\n"), "history": ()}
    try:
        value = json.loads(text)
        turns = tuple(Turn.model_validate(_known(turn)) for turn in value)
    except (ValueError, ValidationError, RecursionError, TypeError) as error:
        raise DomainError(
            "invalid",
            "trial.no-list",
            "",
            gettext_noop("This begins like a list of messages, and cannot be read as one."),
            gettext_noop(
                "Write it as JSON, each message with “role” and “content”; or as text with the headings"
                " “## user” and “## assistant”."
            ),
        ) from error
    if len(turns) > MOST_TURNS:
        raise DomainError(
            "invalid",
            "trial.too-many-turns",
            "",
            gettext_noop("A trial takes at most {count} turns."),
            args={"count": MOST_TURNS},
        )
    return {"story": "", "history": turns}


def typed_story(inputs: TrialInputs) -> str:
    """The same as it is typed."""
    if not inputs.history:
        return inputs.story
    turns = [turn.as_history() for turn in inputs.history]
    return json.dumps(turns, ensure_ascii=False, indent=1)


def _known(turn: object) -> object:
    """A message of another program: what it has beside the fields of a turn is not sent."""
    if not isinstance(turn, dict):
        return turn
    known = {name: turn[name] for name in Turn.model_fields if turn.get(name) is not None}
    return {**known, "content": known.get("content", "")}
