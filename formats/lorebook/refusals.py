"""Why a file cannot be read as a lorebook at all: a sentence for every reason, and what can be done."""

from __future__ import annotations

from typing import Any, NamedTuple

from formats.errors import ErrorKind
from formats.lorebook.diagnostics import LorebookError
from formats.lorebook.model import Diagnostic
from formats.messages import gettext_noop


class Refusal(NamedTuple):
    """Kind of error, what happened, what to do."""

    kind: ErrorKind
    message: str
    hint: str


REFUSALS = {
    "empty-file": Refusal(
        "invalid",
        gettext_noop("The file is empty."),
        gettext_noop("Export the lorebook again, and upload the new file."),
    ),
    "too-large": Refusal(
        "too-large",
        gettext_noop("The file has {size} bytes; at most {limit} are read."),
        gettext_noop("Split the lorebook into several, and upload each."),
    ),
    "too-many-entries": Refusal(
        "too-large",
        gettext_noop("The lorebook has {count} entries; at most {limit} are read."),
        gettext_noop("Split the lorebook into several, and upload each."),
    ),
    "too-many-keys": Refusal(
        "too-large",
        gettext_noop("The lorebook has {count} keys; at most {limit} are read."),
        gettext_noop("Split the lorebook into several, and upload each."),
    ),
    "too-many-values": Refusal(
        "too-large",
        gettext_noop("The lorebook holds more than {limit} values."),
        gettext_noop("Split the lorebook into several, and upload each."),
    ),
    "too-deep": Refusal(
        "invalid",
        gettext_noop("The data of the lorebook is nested deeper than {limit} levels."),
        gettext_noop("No real lorebook is built like this; export it again from the program that made it."),
    ),
    "bad-json": Refusal(
        "invalid",
        gettext_noop("The file is damaged JSON: line {line}, column {column} cannot be read."),
        gettext_noop("Correct that place in a text editor, or export the lorebook again."),
    ),
    "unreadable-text": Refusal(
        "invalid",
        gettext_noop("The text of the file is in no known encoding."),
        gettext_noop("Save the file as UTF-8, and try again."),
    ),
    "no-book": Refusal(
        "invalid",
        gettext_noop("There is no lorebook here: the data is empty."),
        gettext_noop("Export the lorebook again, and upload the new file."),
    ),
    "not-a-lorebook": Refusal(
        "invalid",
        gettext_noop("The file is JSON, but nothing in it looks like a lorebook."),
        gettext_noop("A lorebook has a list or map of entries, each with keys and a text."),
    ),
    "other-file": Refusal(
        "unsupported",
        gettext_noop("This file is no lorebook."),
        gettext_noop("Upload a lorebook as JSON, as its program exports it."),
    ),
}

OTHER_KINDS = {
    "card": gettext_noop("This is a character card, not a lorebook."),
    "preset": gettext_noop("This is a preset (prompts and model settings), not a lorebook."),
    "chat": gettext_noop("This is a saved chat, not a lorebook."),
    "regex-script": gettext_noop("This is a regex script, not a lorebook."),
    "quick-replies": gettext_noop("This is a set of quick replies, not a lorebook."),
    "theme": gettext_noop("This is an interface theme, not a lorebook."),
    "persona": gettext_noop("This is a backup of personas, not a lorebook."),
    "world": gettext_noop("This is an exported world, not a lorebook."),
    "picture": gettext_noop("This is a picture, not a lorebook."),
    "archive": gettext_noop("This is an archive, not a lorebook."),
    "html": gettext_noop("This is a web page, not a lorebook: the download link led to a page."),
    "text": gettext_noop("This is a plain text file, not a lorebook."),
}
"""What a file can be instead. The keys are the values of `LorebookError.kind_of_file`."""

OTHER_HINTS = {
    "card": gettext_noop("Upload it where cards are imported; a lorebook in the card comes with it."),
    "picture": gettext_noop("If it is a character card, upload it where cards are imported."),
    "archive": gettext_noop("If it is a character card, upload it where cards are imported."),
    "html": gettext_noop("Open the page, and use its own download button for the lorebook."),
}


def refused(code: str, where: str = "$", **args: Any) -> LorebookError:
    """The refusal of a file; `code` is a key of `REFUSALS`."""
    refusal = REFUSALS[code]
    told = Diagnostic("error", code, where, refusal.message, refusal.hint, args)
    error = LorebookError([told])
    error.kind = refusal.kind
    return error


def other_file(kind: str) -> LorebookError:
    """The refusal of a file that is something else; `kind` is a key of `OTHER_KINDS`."""
    refusal = REFUSALS["other-file"]
    hint = OTHER_HINTS.get(kind, refusal.hint)
    error = LorebookError([Diagnostic("error", "other-file", "$", OTHER_KINDS[kind], hint)])
    error.kind = refusal.kind
    error.kind_of_file = kind
    return error
