"""`read_card`: the bytes of an upload become a card, findings and everything that came with it."""

from __future__ import annotations

from dataclasses import dataclass, field

from formats.card.model import Card
from formats.card.picture import Asset, Picture, Source
from formats.finding import Finding


@dataclass(frozen=True, slots=True)
class CardSource:
    """Where the card was found: container such as `png:tEXt:ccv3`, spec as found, SHA-256, size in bytes."""

    container: str
    spec: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Ignored:
    """Scripts that are counted and never run (CARD-6)."""

    regex_scripts: int = 0
    helper_scripts: int = 0


@dataclass(frozen=True, slots=True)
class CardRead:
    """A card that was read.

    `urls`: every picture address in any of its strings, in order of appearance, each once (CARD-5).
    """

    card: Card
    findings: list[Finding]
    source: CardSource
    ignored: Ignored = field(default_factory=Ignored)
    urls: list[str] = field(default_factory=list)
    assets: list[Asset] = field(default_factory=list)
    picture: Picture | None = None


def read_card(data: Source, *, filename: str | None = None) -> CardRead:
    """Read a character card of any kind.

    Raises:
        CardError: nothing else.
    """
    raise NotImplementedError
