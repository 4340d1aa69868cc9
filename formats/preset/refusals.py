"""`PresetError`: why a file cannot be read as a preset, with a sentence for every reason."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from formats.errors import DomainError, ErrorKind
from formats.messages import gettext_noop


class PresetError(DomainError):
    """The file is no preset that can be read; for `other-file`, `kind_of_file` says what it is instead."""

    def __init__(self, code: str, where: str = "$", *, kind_of_file: str = "", **args: Any) -> None:
        refusal = REFUSALS[code]
        message = OTHER_KINDS.get(kind_of_file, refusal.message)
        hint = OTHER_HINTS.get(kind_of_file, refusal.hint)
        super().__init__(refusal.kind, code, where, message, hint, args)
        self.kind_of_file = kind_of_file


class Refusal(NamedTuple):
    """Kind of error, what happened, what to do."""

    kind: ErrorKind
    message: str
    hint: str


REFUSALS: Final = {
    "empty-file": Refusal(
        "invalid",
        gettext_noop("The file is empty."),
        gettext_noop("Export the preset again, and upload the new file."),
    ),
    "too-large": Refusal(
        "too-large",
        gettext_noop("The file has {size} bytes; at most {limit} are read."),
        gettext_noop("Take prompts out of the preset that are not used, and export it again."),
    ),
    "too-many-prompts": Refusal(
        "too-large",
        gettext_noop("The preset has {count} prompts; at most {limit} are read."),
        gettext_noop("Take prompts out of the preset that are not used, and export it again."),
    ),
    "too-many-values": Refusal(
        "too-large",
        gettext_noop("The preset holds more than {limit} values."),
        gettext_noop("Take prompts out of the preset that are not used, and export it again."),
    ),
    "too-deep": Refusal(
        "invalid",
        gettext_noop("The data of the preset is nested deeper than {limit} levels."),
        gettext_noop("No real preset is built like this; export it again from the program that made it."),
    ),
    "bad-json": Refusal(
        "invalid",
        gettext_noop("The file is damaged JSON: line {line}, column {column} cannot be read."),
        gettext_noop("Correct that place in a text editor, or export the preset again."),
    ),
    "unreadable-text": Refusal(
        "invalid",
        gettext_noop("The text of the file is in no known encoding."),
        gettext_noop("Save the file as UTF-8, and try again."),
    ),
    "not-a-preset": Refusal(
        "invalid",
        gettext_noop("The file is JSON, but nothing in it looks like a preset."),
        gettext_noop("A preset for chat completion has a list of prompts and their order."),
    ),
    "other-file": Refusal(
        "unsupported",
        gettext_noop("This file is no preset."),
        gettext_noop("Upload a chat-completion preset as JSON, as SillyTavern exports it."),
    ),
}

OTHER_KINDS: Final = {
    "text-completion": gettext_noop(
        "This is a sampler preset for text completion, not one for chat completion: it has no prompts."
    ),
    "instruct": gettext_noop("This is an instruct template for text completion, not a preset of prompts."),
    "context": gettext_noop("This is a context template for text completion, not a preset of prompts."),
    "system-prompt": gettext_noop("This is a single system prompt for text completion, not a preset."),
    "reasoning": gettext_noop("This is a template for reading a model's reasoning, not a preset."),
    "master": gettext_noop("These are templates for text completion in one file, not a preset of prompts."),
    "settings": gettext_noop(
        "These are SillyTavern's settings, not a preset: they can hold addresses and keys that are private."
    ),
    "card": gettext_noop("This is a character card, not a preset."),
    "lorebook": gettext_noop("This is a lorebook, not a preset."),
    "chat": gettext_noop("This is a saved chat, not a preset."),
    "regex-script": gettext_noop("This is a regex script, not a preset."),
    "quick-replies": gettext_noop("This is a set of quick replies, not a preset."),
    "theme": gettext_noop("This is an interface theme, not a preset."),
    "persona": gettext_noop("This is a backup of personas, not a preset."),
    "world": gettext_noop("This is an exported world, not a preset."),
    "picture": gettext_noop("This is a picture, not a preset."),
    "archive": gettext_noop("This is an archive, not a preset."),
    "html": gettext_noop("This is a web page, not a preset: the download link led to a page."),
    "text": gettext_noop("This is a plain text file, not a preset."),
}
"""What a file can be instead. The keys are the values of `PresetError.kind_of_file`."""

PRESET_FOR_CHAT: Final = gettext_noop("In SillyTavern, export the preset shown under chat completion.")

OTHER_HINTS: Final = {
    "text-completion": PRESET_FOR_CHAT,
    "instruct": PRESET_FOR_CHAT,
    "context": PRESET_FOR_CHAT,
    "system-prompt": PRESET_FOR_CHAT,
    "reasoning": PRESET_FOR_CHAT,
    "master": PRESET_FOR_CHAT,
    "settings": PRESET_FOR_CHAT,
    "card": gettext_noop("Upload it where cards are imported."),
    "lorebook": gettext_noop("Upload it to the library of lorebooks."),
    "picture": gettext_noop("If it is a character card, upload it where cards are imported."),
    "archive": gettext_noop("Unpack it, and upload the preset in it."),
    "html": gettext_noop("Open the page, and use its own download button for the preset."),
}


def other_file(kind: str) -> PresetError:
    """The refusal of a file that is something else; `kind` is a key of `OTHER_KINDS`."""
    return PresetError("other-file", kind_of_file=kind)
