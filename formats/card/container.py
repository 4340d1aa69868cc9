"""What a container is: one file in `containers/` registers one `Container`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from formats.card.payload import Contents
from formats.card.picture import Source
from formats.notes import Notes


@dataclass(frozen=True, slots=True)
class Upload:
    """The uploaded bytes.

    `view` is for reading without a copy, alive only during the reading; `source` for a `Picture` that is read
    later.
    """

    view: memoryview
    source: Source

    def head(self, length: int) -> bytes:
        return bytes(self.view[:length])


@dataclass(frozen=True, slots=True)
class Container:
    """A kind of file that can hold a card.

    `recognise` looks at the bytes only, never at a file name. `open` finds what is inside, without parsing
    the card; it may raise `CardError` and adds to the notes what was wrong with the file itself.
    """

    name: str
    recognise: Callable[[Upload], bool]
    open: Callable[[Upload, Notes], Contents]
