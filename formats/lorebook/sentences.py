"""What the repair of a lorebook says about each thing it mended."""

from __future__ import annotations

from formats.messages import gettext_noop
from formats.notes import Sentence

BOOK_SENTENCES = {
    "book-unreadable": Sentence(
        "warning",
        gettext_noop("The lorebook is not in a form that can be read; the card is used without it."),
    ),
    "book-foreign": Sentence(
        "info", gettext_noop("The lorebook came in the form of {format} and was turned into the common one.")
    ),
    "book-field-dropped": Sentence(
        "warning",
        gettext_noop("The lorebook setting {field} has a value that makes no sense; it is left out."),
    ),
    "book-field-converted": Sentence(
        "info", gettext_noop("The lorebook setting {field} had the wrong type and was converted.")
    ),
    "entries-unreadable": Sentence(
        "warning", gettext_noop("The list of lorebook entries cannot be read; the lorebook is empty.")
    ),
    "entry-empty": Sentence(
        "info", gettext_noop("An empty place in the list of lorebook entries was skipped.")
    ),
    "entry-unreadable": Sentence(
        "warning", gettext_noop("This lorebook entry is not in a form that can be read; the others are kept.")
    ),
    "entry-spelling": Sentence(
        "info",
        gettext_noop("The entry uses another program's field names; they were turned into the common ones."),
    ),
    "entry-field-converted": Sentence(
        "info", gettext_noop("The entry's field {field} had the wrong type and was converted.")
    ),
    "entry-field-dropped": Sentence(
        "warning",
        gettext_noop("The entry's field {field} has a value that makes no sense; the default is used."),
    ),
    "entry-keys-split": Sentence(
        "info",
        gettext_noop("Several keys of the entry were written as one text; they were split at the commas."),
    ),
    "entry-keys-left-out": Sentence(
        "warning",
        gettext_noop("The entry has more than {limit} keys; the first are used, {over} are left out."),
        gettext_noop("The file as it came keeps all of them. Use a pattern in place of so many keys."),
    ),
    "entry-key-dropped": Sentence("warning", gettext_noop("A key of the entry is no text and was left out.")),
    "entry-position": Sentence(
        "warning",
        gettext_noop("The entry's position {value} was written in an unusual way and was converted."),
    ),
    "entry-position-unknown": Sentence(
        "warning", gettext_noop("The entry's position {value} is not known; the default is used.")
    ),
    "entry-id-repeated": Sentence(
        "info", gettext_noop("The entry had the same number as an earlier one; it got a new number.")
    ),
}
