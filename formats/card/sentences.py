"""What reading a card says about each repair and each doubt."""

from __future__ import annotations

from formats.messages import gettext_noop, ngettext_noop
from formats.notes import Sentence

AGAIN = gettext_noop("Download the file again if the picture or anything else is missing.")

CARD_SENTENCES = {
    # the container
    "card-copy-broken": Sentence(
        "warning",
        gettext_noop("The copy of the card in {copy} cannot be used; another copy was read instead."),
        gettext_noop("Look whether anything is missing; the copy that was used may be shorter."),
    ),
    "card-copy-too-long": Sentence(
        "warning",
        gettext_noop(
            "The copy of the card in {copy} is longer than the limit of {limit} bytes; another copy was read "
            "instead."
        ),
        gettext_noop("Look whether anything is missing; the copy that was used may be shorter."),
    ),
    "card-copies": Sentence(
        "info", gettext_noop("The file holds {count} copies of the card; the one in {copy} is used.")
    ),
    "card-copies-differ": Sentence(
        "info",
        gettext_noop(
            "The file also holds an older copy of the card that differs in: {fields}. It is not used."
        ),
    ),
    "checksum-wrong": Sentence(
        "warning", gettext_noop("The checksum of the card data is wrong; the data was read all the same.")
    ),
    "picture-no-end": Sentence(
        "warning", gettext_noop("The picture has no end mark; it may be cut short."), AGAIN
    ),
    "picture-cut-short": Sentence(
        "warning",
        gettext_noop("The file is cut off: it ends in the middle of something. All before that was read."),
        AGAIN,
    ),
    "picture-damaged": Sentence(
        "warning", gettext_noop("The picture is damaged; everything before that place was read."), AGAIN
    ),
    "data-after-end": Sentence(
        "warning", gettext_noop("There is data after the end of the picture; card data there was read too.")
    ),
    "too-many-chunks": Sentence(
        "warning", gettext_noop("The picture has more parts than are read; the rest was left out.")
    ),
    "picture-empty": Sentence(
        "warning",
        gettext_noop(
            "The picture of the card has no pixels that can be read; it is not used as its portrait."
        ),
        gettext_noop("Everything else was read; add a portrait to the character later."),
    ),
    "picture-unknown": Sentence(
        "warning",
        gettext_noop("A picture of the card is no PNG, JPEG, WebP or GIF; it is not used as its portrait."),
        gettext_noop("Everything else was read; add a portrait to the character later."),
    ),
    "picture-too-large": Sentence(
        "warning",
        gettext_noop(
            "A picture of the card has {width} × {height} pixels, more than the {limit} that are kept; "
            "it is not used as its portrait."
        ),
        gettext_noop("Everything else was read; add a smaller portrait to the character later."),
    ),
    "not-utf8": Sentence(
        "warning",
        gettext_noop("The card text is not UTF-8; it was read as {encoding}."),
        gettext_noop("Look whether names and sentences are right."),
    ),
    "byte-order-mark": Sentence("info", gettext_noop("A byte order mark before the card text was removed.")),
    "characters-lost": Sentence(
        "warning",
        ngettext_noop(
            "{count} place of the card text is no character and was replaced.",
            "{count} places of the card text are no characters and were replaced.",
        ),
    ),
    # JSON
    "json-lenient": Sentence(
        "warning",
        gettext_noop(
            "The JSON has small mistakes (comments, commas, quotes or line breaks); it was read anyway."
        ),
    ),
    "key-repeated": Sentence(
        "warning", gettext_noop("The field {field} stands there more than once; the last one is used.")
    ),
    "number-too-large": Sentence(
        "warning", gettext_noop("The number {value} is too large; it is kept as text.")
    ),
    "no-number": Sentence(
        "warning",
        gettext_noop("A field holds {value} (not a number), which is no value at all; it is kept as text."),
    ),
    "nul-removed": Sentence(
        "warning",
        ngettext_noop(
            "{count} invisible NUL character was removed from a text.",
            "{count} invisible NUL characters were removed from a text.",
        ),
    ),
    "half-characters": Sentence(
        "warning",
        ngettext_noop(
            "{count} broken half of a character was replaced in a text.",
            "{count} broken halves of characters were replaced in a text.",
        ),
    ),
    # the shape
    "old-format": Sentence(
        "info", gettext_noop("The card is in the older form {spec} and was turned into V3.")
    ),
    "foreign-format": Sentence(
        "info", gettext_noop("The card comes from another program ({spec}) and was turned into V3.")
    ),
    "envelope": Sentence(
        "info", gettext_noop("The card was wrapped inside another object and was taken out.")
    ),
    "spec-mismatch": Sentence(
        "warning", gettext_noop("The card calls itself {stated}, but its fields are those of {found}.")
    ),
    "version-unusual": Sentence(
        "warning",
        gettext_noop("The card states the version {version}, which does not fit {spec}; it was read anyway."),
    ),
    "root-differs": Sentence(
        "info",
        gettext_noop(
            "The field {field} also stands outside the card's data with another text; that one is not used."
        ),
    ),
    "root-used": Sentence(
        "info",
        gettext_noop("The field {field} was missing in the card's data and was taken from outside of it."),
    ),
    # fields
    "name-from-file": Sentence(
        "warning",
        gettext_noop("The card has no name; {name} is used for now, the name of its file."),
        gettext_noop("Check the name before you start."),
    ),
    "name-from-book": Sentence(
        "warning",
        gettext_noop("The card has no name; {name} is used for now, the name of its lorebook."),
        gettext_noop("Check the name before you start."),
    ),
    "name-from-dialogue": Sentence(
        "warning",
        gettext_noop("The card has no name; {name} is used for now, the speaker of its dialogue."),
        gettext_noop("Check the name before you start."),
    ),
    "name-unknown": Sentence(
        "warning",
        gettext_noop("The card has no name, and none can be guessed; {name} is used for now."),
        gettext_noop("Give it a name before you start."),
    ),
    "field-converted": Sentence(
        "warning", gettext_noop("The field {field} had the wrong type and was converted to text.")
    ),
    "field-dropped": Sentence(
        "warning", gettext_noop("The field {field} has the wrong type and cannot be read; it is left out.")
    ),
    "list-item-dropped": Sentence(
        "warning", gettext_noop("This item of {field} is no text and was left out.")
    ),
    "list-was-text": Sentence(
        "warning",
        ngettext_noop(
            "The field {field} should be a list but is one text; it counts as {count} item.",
            "The field {field} should be a list but is one text; it counts as {count} items.",
        ),
    ),
    "date-converted": Sentence(
        "info", gettext_noop("The date {field} was not in seconds and was converted.")
    ),
    # files of the card
    "asset-missing": Sentence(
        "warning", gettext_noop("The card names the file {name}, which is not in the upload; it is left out.")
    ),
    "asset-too-large": Sentence(
        "warning", gettext_noop("The card's file {name} is too large and is left out.")
    ),
    "asset-unreadable": Sentence(
        "warning", gettext_noop("The card's file {name} cannot be read and is left out.")
    ),
    "asset-list-long": Sentence(
        "warning",
        gettext_noop("The card names more files than are read; those after number {limit} are left out."),
    ),
    "member-unsafe": Sentence(
        "warning",
        gettext_noop(
            "The file {name} inside the archive has a name that leads outside of it; it is ignored."
        ),
    ),
    "top-folder": Sentence(
        "info", gettext_noop("The card lies in the folder {folder} inside the archive instead of at its top.")
    ),
}
