"""What a verdict says, in words: why an entry goes in, or the one gate that refused it.

The order is that of telling: where an entry was refused in several steps, the verdict names the refusal that
comes last here, for it got furthest.
"""

from __future__ import annotations

from typing import Final

from formats.messages import gettext_noop, ngettext_noop

GATES: Final[dict[str, str]] = {
    "disabled": gettext_noop("Switched off."),
    "trigger": gettext_noop("Only for replies of the kind {wanted}; this one is {trigger}."),
    "character": gettext_noop("Only for the characters {names}."),
    "character-excluded": gettext_noop("Not for the characters {names}."),
    "tag": gettext_noop("Only for characters with one of the tags {tags}."),
    "tag-excluded": gettext_noop("Not for characters with one of the tags {tags}."),
    "greeting": gettext_noop("Only where the story began with opening {number}."),
    "replies": ngettext_noop(
        "Waits until the assistant has written {count} message; it has written {have}.",
        "Waits until the assistant has written {count} messages; it has written {have}.",
    ),
    "every": gettext_noop("Only when the assistant's messages divide by {every}; there are {have}."),
    "delay": ngettext_noop(
        "Waits until the story has {count} message; it has {have}.",
        "Waits until the story has {count} messages; it has {have}.",
    ),
    "cooldown": ngettext_noop(
        "Rests after it was active, for {count} more message.",
        "Rests after it was active, for {count} more messages.",
    ),
    "one-shot": gettext_noop("Has been active once and is meant to be only once."),
    "silent": gettext_noop("A line in its text says that it never becomes active by itself."),
    "no-keys": gettext_noop("It has no keys."),
    "depth-zero": gettext_noop("Its scan depth is 0, so nothing is read for it."),
    "key": gettext_noop("None of its keys appears."),
    "vector": gettext_noop("Made for vector search, and none of its keys appears."),
    "not-run-no-engine": gettext_noop(
        "The pattern {key} was not run: there is nothing to run patterns with."
    ),
    "not-run-too-long": gettext_noop("The pattern {key} was not run: it is too long."),
    "not-run-too-slow": gettext_noop("The pattern {key} was stopped: it took too long."),
    "not-run-scan-too-slow": gettext_noop(
        "The pattern {key} was not run: the patterns took too long together."
    ),
    "not-run-stopped": gettext_noop("The pattern {key} was not run: its run was stopped."),
    "additional": gettext_noop("Key {key} found, but none of the keys it also needs: {missing}."),
    "excluded": gettext_noop("Key {key} found, but {found} keeps it out."),
    "second-any": gettext_noop("Key {key} found, but none of the second keys {missing}."),
    "second-all": gettext_noop("Key {key} found, but not the second keys {missing}."),
    "second-not-any": gettext_noop("Key {key} found, but the second key {found} appears too."),
    "second-not-all": gettext_noop("Key {key} found, but all second keys appear too."),
    "recursion-excluded": gettext_noop(
        "Found only with the texts of other entries, and those may not wake it."
    ),
    "recursion-wait": gettext_noop("Waits until other entries wake each other, and that did not happen."),
    "recursion-level": gettext_noop(
        "Waits for level {level} of recursion; this scan reached level {reached}."
    ),
    "group-sticky": gettext_noop("{title} of the group {group} is still active."),
    "group-score": gettext_noop("{title} of the group {group} matches more keys: {best} against {score}."),
    "group-taken": gettext_noop("The group {group} has {title} already."),
    "group-priority": gettext_noop("{title} goes first in the group {group}."),
    "group-lottery": gettext_noop(
        "The draw of the group {group} fell on {title} (roll {roll}, weight {weight})."
    ),
    "probability": gettext_noop("Lost the roll: {roll} must be below {probability}."),
    "budget": gettext_noop("{tokens} tokens would reach the budget of {limit}; {used} are used."),
    "budget-closed": gettext_noop("The budget of {limit} tokens was reached by an entry before it."),
    "book-budget": gettext_noop("{tokens} tokens would reach the book's budget of {limit}; {used} are used."),
    "book-budget-closed": gettext_noop(
        "The book's budget of {limit} tokens was reached by an entry before it."
    ),
}
"""The gates; the ones that begin with `not-run` leave the verdict open, the budget ones cut."""

REASONS: Final[dict[str, str]] = {
    "constant": gettext_noop("Always on."),
    "called": gettext_noop("A line in its text says that it is always active."),
    "sticky": ngettext_noop(
        "Still active from before, for {count} more message.",
        "Still active from before, for {count} more messages.",
    ),
    "sticky-ever": gettext_noop("Active since an earlier message, and stays so."),
    "key-message": gettext_noop("Key {key} in message {number}."),
    "key-entry": gettext_noop("Key {key} in the text of {title}."),
    "key-persona_description": gettext_noop("Key {key} in the description of the persona."),
    "key-character_description": gettext_noop("Key {key} in the description of the character."),
    "key-character_personality": gettext_noop("Key {key} in the personality of the character."),
    "key-character_depth_prompt": gettext_noop("Key {key} in the note of the character."),
    "key-scenario": gettext_noop("Key {key} in the scenario."),
    "key-creator_notes": gettext_noop("Key {key} in the notes of the card's author."),
}
"""Why an entry goes in."""

CUT_SHORT: Final = gettext_noop(
    "The scan was ended after step {steps}: the entries wake each other through too many keys."
)

SPLIT_MACRO: Final = gettext_noop(
    "A macro begins in {first} and ends in {second}. Each text is filled by itself: both halves stay."
)

RANK: Final[dict[str, int]] = {code: rank for rank, code in enumerate(GATES)}
