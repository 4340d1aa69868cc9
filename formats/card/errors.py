"""`CardError`: the only exception that reading a card raises, with a sentence for every reason."""

from __future__ import annotations

from typing import Any, NamedTuple

from formats.errors import DomainError, ErrorKind
from formats.messages import gettext_noop


class Refusal(NamedTuple):
    """Why a file cannot be read as a card: kind of error, what happened, what to do."""

    kind: ErrorKind
    message: str
    hint: str


REFUSALS = {
    "empty-file": Refusal(
        "invalid",
        gettext_noop("The file is empty."),
        gettext_noop("Download or export the card again, and upload the new file."),
    ),
    "too-large": Refusal(
        "too-large",
        gettext_noop("The file has {size} bytes; at most {limit} are read."),
        gettext_noop("Make its picture smaller, or export the card as JSON."),
    ),
    "text-too-large": Refusal(
        "too-large",
        gettext_noop("The card text has {size} bytes; at most {limit} are read."),
        gettext_noop("Remove embedded data (pictures, sounds) from the card, and try again."),
    ),
    "too-deep": Refusal(
        "invalid",
        gettext_noop("The card data is nested deeper than {limit} levels."),
        gettext_noop("No real card is built like this; export it again from the program that made it."),
    ),
    "bad-json": Refusal(
        "invalid",
        gettext_noop("The file is damaged JSON: line {line}, column {column} cannot be read."),
        gettext_noop("Correct that place in a text editor, or export the card again."),
    ),
    "unreadable-text": Refusal(
        "invalid",
        gettext_noop("The text of the file is in no known encoding."),
        gettext_noop("Save the file as UTF-8, and try again."),
    ),
    "broken-card": Refusal(
        "invalid",
        gettext_noop("The file holds card data, but it is damaged and cannot be read."),
        gettext_noop("Download the original file again; some sites damage the data inside pictures."),
    ),
    "card-too-long": Refusal(
        "too-large",
        gettext_noop("The card data in the file unpacks to more than the limit of {limit} bytes."),
        gettext_noop("Remove embedded data (pictures, sounds) from the card, and try again."),
    ),
    "cut-off": Refusal(
        "invalid",
        gettext_noop(
            "The file is cut off: it ends too early, and the part that is there holds no card data."
        ),
        gettext_noop("Download it again, and wait until the download has finished."),
    ),
    "damaged-picture": Refusal(
        "invalid",
        gettext_noop("The picture is damaged, and before the damaged place there is no card data."),
        gettext_noop("Download the original file again; some sites damage the data inside pictures."),
    ),
    "bad-archive": Refusal(
        "invalid",
        gettext_noop("The archive is damaged and cannot be opened."),
        gettext_noop("Download or export it again."),
    ),
    "unsafe-archive": Refusal(
        "unsupported",
        gettext_noop("The archive is not opened, because it is built like one that attacks readers."),
        gettext_noop("Export the card again from the program that made it."),
    ),
    "archive-card-unusable": Refusal(
        "unsupported",
        gettext_noop("The card inside the archive cannot be read."),
        gettext_noop("Export the card again, without encryption."),
    ),
    "not-a-card": Refusal(
        "invalid",
        gettext_noop("The file is JSON, but nothing in it looks like a character card."),
        gettext_noop("A card has at least a name and a first message or a description."),
    ),
    "empty-card": Refusal(
        "invalid",
        gettext_noop("The file is a character card, but every field of it is empty."),
        gettext_noop("Export the card again from the program that made it."),
    ),
    "several-cards": Refusal(
        "unsupported",
        gettext_noop("The file holds {count} cards."),
        gettext_noop("Save each card as a file of its own, and upload them one by one."),
    ),
    "other-file": Refusal(
        "unsupported",
        gettext_noop("This file is no character card."),
        gettext_noop("Upload a character card: PNG, JSON, CharX, JPEG or WebP."),
    ),
    "bad-stored-card": Refusal(
        "invalid",
        gettext_noop("The stored card is not in the form this program writes."),
        gettext_noop("Upload the original file again."),
    ),
}

OTHER_KINDS = {
    "lorebook": gettext_noop("This is a lorebook (world book), not a character card."),
    "preset": gettext_noop("This is a preset (prompts and model settings), not a character card."),
    "chat": gettext_noop("This is a saved chat, not a character card."),
    "html": gettext_noop("This is a web page, not a character card: the download link led to a page."),
    "picture": gettext_noop("This is a picture without any card data in it."),
    "text": gettext_noop("This is a plain text file, not a character card."),
    "regex-script": gettext_noop("This is a regex script, not a character card."),
    "quick-replies": gettext_noop("This is a set of quick replies, not a character card."),
    "theme": gettext_noop("This is an interface theme, not a character card."),
    "persona": gettext_noop("This is a backup of personas, not a character card."),
    "world": gettext_noop("This is an exported world, not a character card."),
    "archive": gettext_noop("This is an archive without a card.json in it."),
    "binary": gettext_noop("This is a file of a kind that cannot hold a character card."),
}
"""What a file can be instead of a card, and how we say so. The keys are the values of `CardError.kind`."""

OTHER_HINTS = {
    "picture": gettext_noop(
        "Card data is lost when a picture is edited, converted or sent through a messenger; get the original."
    ),
    "html": gettext_noop("Open the page, and use its own download button for the card."),
    "chat": gettext_noop("Export the character itself: the card, not the conversation."),
}


class CardError(DomainError):
    """The file cannot be read as a card.

    `code` is a key of `REFUSALS`, `where` a place in the file (may be empty). For `other-file`, `kind` says
    what the file is instead (a key of `OTHER_KINDS`), otherwise it is the kind of every `DomainError`;
    `error_kind` is the latter in all cases, `kind_of_file` the former or empty. For `several-cards`,
    `count` is how many. `because`, a template of its own, stands in place of the usual hint.
    """

    kind: str  # type: ignore[assignment]  # outside programs read the file's kind under this name

    def __init__(self, code: str, where: str = "", *, because: str = "", **args: Any) -> None:
        refusal = REFUSALS[code]
        super().__init__(refusal.kind, code, where, refusal.message, because or refusal.hint, args)
        self.error_kind: ErrorKind = refusal.kind
        self.count: int = int(args.get("count", 0))
        self.kind_of_file: str = ""


def other_file(kind: str, where: str = "") -> CardError:
    """The refusal of a file that is something else: `kind` is a key of `OTHER_KINDS`."""
    error = CardError("other-file", where)
    error.kind = error.kind_of_file = kind
    error.message = OTHER_KINDS[kind]
    error.hint = OTHER_HINTS.get(kind, error.hint)
    error.args = (error.message,)
    return error
