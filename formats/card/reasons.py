"""Why one copy of a card, or one file beside it, cannot be used: a whole sentence for each reason."""

from __future__ import annotations

from typing import Any

from formats.messages import gettext_noop

REASONS = {
    "empty": gettext_noop("It is empty."),
    "no-base64": gettext_noop("It is neither JSON nor base64."),
    "damaged": gettext_noop("It is damaged."),
    "damaged-json": gettext_noop("It is damaged JSON."),
    "missing": gettext_noop("It is missing."),
    "too-long": gettext_noop("It is longer than the limit of {limit} bytes."),
    "all-too-long": gettext_noop(
        "Everything in the file together is longer than the limit of {limit} bytes."
    ),
    "encrypted": gettext_noop("It is encrypted."),
    "link": gettext_noop("It is a link to another file."),
    "name-twice": gettext_noop("Several files in the archive have one name: {members}."),
    "odd-packing": gettext_noop("It is packed in an unusual way."),
    "many-members": gettext_noop("It has more than {limit} files."),
    "large-members": gettext_noop("It unpacks to more than {limit} bytes."),
    "packed-too-well": gettext_noop("A file in it unpacks to more than {limit} times its size."),
    "overlap": gettext_noop("Files in it overlap."),
}


class Unusable(Exception):
    """This copy of the card, or this file beside it, cannot be used; another one may.

    `code` is a key of `REASONS`, `because` its sentence, `values` the values of its fields.
    """

    def __init__(self, code: str, **values: Any) -> None:
        super().__init__(code)
        self.code = code
        self.because: str = REASONS[code]
        self.values = values
