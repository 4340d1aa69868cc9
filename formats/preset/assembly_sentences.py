"""What is told when a preset is assembled."""

from __future__ import annotations

from typing import Final

from formats.messages import gettext_noop, ngettext_noop
from formats.notes import Sentence
from formats.preset.tool_policy import SENTENCES as OF_TOOLS
from formats.text.macros import MACRO_SENTENCES

SENTENCES: Final = {
    **MACRO_SENTENCES,
    **OF_TOOLS,
    "macro.left": Sentence(
        "info",
        gettext_noop("The macro {name} is not expanded; the model sees it as it is written."),
    ),
    "macro.in-filling": Sentence(
        "info",
        gettext_noop(
            "{names} stands in what fills this place and is not expanded; the model sees it as it is written."
        ),
        gettext_noop("Macros run in the texts of prompts only. Write the name or the value itself here."),
    ),
    "assembly.no-history-yet": Sentence(
        "info",
        ngettext_noop(
            "No history is sent yet, so {count} prompt for it stands at the end of the request: {names}.",
            "No history is sent yet, so {count} prompts for it stand at the end of the request: {names}.",
        ),
        gettext_noop("As soon as a history is sent, they go to their depths in it."),
    ),
    "assembly.no-place": Sentence(
        "warning",
        gettext_noop("The preset has no place {hole} that is switched on; what is meant for it is not sent."),
        gettext_noop("Put this place into the order of the prompts, or switch it on."),
    ),
    "squash.tools": Sentence(
        "info",
        gettext_noop(
            "The messages hold calls of tools, so neighbours were merged and nothing else ({asked})."
        ),
    ),
    "squash.opening": Sentence(
        "info",
        gettext_noop("The first message was not the user's; “{text}” was put before it."),
    ),
    "generation.not-taken": Sentence(
        "info",
        gettext_noop(
            "The parameter {name} is kept, and not sent: this kind of endpoint ({endpoint}) has none."
        ),
    ),
    "generation.lowered": Sentence(
        "info",
        gettext_noop("The parameter {name} is sent as {value}, the highest this kind of endpoint takes."),
    ),
    "generation.raised": Sentence(
        "info",
        gettext_noop("The parameter {name} is sent as {value}, the lowest this kind of endpoint takes."),
    ),
    "generation.rounded": Sentence(
        "info",
        gettext_noop("The parameter {name} is sent as {value}: it takes whole numbers."),
    ),
    "generation.unusable": Sentence(
        "info",
        gettext_noop("The parameter {name} is not sent: its value {given} means nothing to an endpoint."),
    ),
    "generation.effort": Sentence(
        "info",
        gettext_noop("The preset's reasoning effort is kept and not sent: the model's own setting applies."),
    ),
}
