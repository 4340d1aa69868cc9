"""`read_card`: the bytes of an upload become a card, findings and everything that came with it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from formats.card.assets import icons, read_assets
from formats.card.candidates import Candidate, best_candidate
from formats.card.container import Upload
from formats.card.containers import CONTAINERS
from formats.card.errors import CardError
from formats.card.limits import FILE_BYTES
from formats.card.model import Card
from formats.card.normalise import normalise
from formats.card.payload import Contents
from formats.card.picture import Asset, Picture, Source, first_fit
from formats.card.scripts import helper_scripts, regex_scripts
from formats.card.sentences import CARD_SENTENCES
from formats.finding import Finding
from formats.notes import Notes


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

    `findings`: every repair and every doubt, with its path. `urls`: every picture address in any of its
    strings, in order of appearance, each once (CARD-5). `picture` reads from the uploaded bytes: with a
    memory map, write it before the map is closed.
    """

    card: Card
    findings: list[Finding]
    source: CardSource
    ignored: Ignored = field(default_factory=Ignored)
    urls: list[str] = field(default_factory=list)
    assets: list[Asset] = field(default_factory=list)
    picture: Picture | None = None


def read_card(data: Source, *, filename: str | None = None) -> CardRead:
    """Read a character card from the bytes of a file of any kind, told by content alone.

    `data` may be bytes, a memory view or a memory map, which is read without copying it. `filename` is used
    only to suggest a name for a card without one. Nothing in the card is run, fetched or written.

    Raises:
        CardError: the file is no card, or none that can be read; nothing else is raised.
    """
    size = len(data)
    failure: CardError
    try:
        with memoryview(data) as view:
            if size == 0:
                raise CardError("empty-file")
            if size > FILE_BYTES:
                raise CardError("too-large", size=size, limit=FILE_BYTES)
            return _read(Upload(view, data), filename)
    except CardError as error:
        failure = error
    # The frames of a traceback would keep parts of the memory map alive, and it could not be closed.
    failure.__context__ = failure.__cause__ = None
    raise failure.with_traceback(None)


def _read(upload: Upload, filename: str | None) -> CardRead:
    notes = Notes(CARD_SENTENCES)
    container = next(container for container in CONTAINERS if container.recognise(upload))
    contents = container.open(upload, notes)
    candidate = best_candidate(contents, notes)
    card, spec = _card_of(candidate, filename, notes)
    assets = read_assets(card, contents, notes)
    picture = _picture(contents, assets, notes)
    sha256 = hashlib.sha256(upload.view).hexdigest()
    return CardRead(
        card,
        notes.findings(),
        CardSource(candidate.label, spec, sha256, len(upload.view)),
        Ignored(regex_scripts(card), helper_scripts(card)),
        candidate.urls,
        assets,
        picture,
    )


def _card_of(candidate: Candidate, filename: str | None, notes: Notes) -> tuple[Card, str]:
    """The card and its spec as found."""
    notes.take(candidate.notes.findings())
    raw = candidate.spec.read(candidate.value, notes)
    if candidate.spec.age != "current":
        notes.add("old-format" if candidate.spec.age == "older" else "foreign-format", "spec", spec=raw.found)
    return normalise(raw, filename, notes), raw.found


def _picture(contents: Contents, assets: list[Asset], notes: Notes) -> Picture | None:
    """A PNG is its own portrait; an archive's main icon goes before the picture it may hide behind."""
    beside = [contents.picture] if contents.picture else []
    inside = icons(assets)
    own_first = beside and contents.beside != "archive"
    return first_fit([*beside, *inside] if own_first else [*inside, *beside], notes)
