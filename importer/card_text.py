"""One text of a card that waits, a stretch at a time: for reading it before anything is made (CARD-4)."""

from __future__ import annotations

from dataclasses import dataclass

from formats.card.pieces import LABELS, whole_texts
from formats.errors import DomainError
from formats.messages import gettext_noop
from importer.models import Upload
from importer.pipeline.record import CardFiles
from portal.say import sentence
from worlds.data import data_folder
from worlds.store.staging import Staging

STRETCH = 20_000  # characters


@dataclass(frozen=True, slots=True)
class CardText:
    """A stretch of a text as the card has it; `start` counts characters, `size` is all of them."""

    id: str
    label: str
    title: str
    text: str
    start: int
    size: int

    @property
    def end(self) -> int:
        """Where the next stretch begins."""
        return self.start + len(self.text)

    @property
    def more(self) -> int:
        """Characters that follow."""
        return self.size - self.end


def text_of(upload: Upload, text_id: str, start: int) -> CardText:
    """A stretch of one text of an upload that is ready.

    Raises:
        DomainError: `not-found` for an id that the card does not have, or when its files have expired.
    """
    card = CardFiles(Staging(data_folder()).folder(upload.id)).card()
    whole = next((text for text in whole_texts(card) if text.id == text_id), None)
    if whole is None:
        raise DomainError(
            "not-found",
            "import.no-such-text",
            text_id[:40],
            gettext_noop("The card has no such text."),
        )
    start = max(0, min(start, len(whole.text)))
    return CardText(
        id=whole.id,
        label=sentence(LABELS[whole.field], {} if whole.number is None else {"number": whole.number + 1}),
        title=whole.title,
        text=whole.text[start : start + STRETCH],
        start=start,
        size=len(whole.text),
    )
