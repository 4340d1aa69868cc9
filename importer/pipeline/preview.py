"""What a card holds and what will become of it, told before anything is made (CARD-4, PREV-1, PREV-4).

Made once by the process that reads the upload and kept as `preview.json`: a page only shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Literal

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from formats.card import Card, Piece, pieces_of
from formats.card.choice import greeting_ids
from formats.card.declared import declared_variables
from formats.card.dialect import dialect_of
from formats.text.cleaning import clean_prose
from importer.pipeline.record import Reading, Record

Fact = Literal["off-in-card", "variable-data", "empty", "script-only", "split"]
"""What code knows of an entry; what it means is not guessed before something has read it.

`off-in-card` with `variable-data`: the card's maker switched it off as is the custom, its values are read
all the same, so it starts ticked.
"""

Becomes = Literal["not-run", "variables", "text-kept", "as-written", "fetched"]


class Shown(Record):
    """Part of the preview: snake_case in the file, camelCase over HTTP (D40)."""

    model_config = ConfigDict(strict=True, extra="forbid", alias_generator=to_camel, validate_by_name=True)


class PreviewGreeting(Shown):
    """A greeting that can be the opening; `text` as it will be in the world. `number` counts from 0."""

    id: str
    number: int
    text: str


class PreviewEntry(Shown):
    """A lorebook entry. `size` in characters, `parts` how many pieces it is split into."""

    id: str
    number: int
    title: str
    keys: list[str]
    constant: bool
    size: int
    parts: int
    facts: list[Fact]


class Mechanism(Shown):
    """Something the card's maker relied on: how often, what becomes of it, and the names where it has any."""

    code: Literal["regex-scripts", "helper-scripts", "variables", "ejs", "macros", "tags", "pictures"]
    count: int
    becomes: Becomes
    names: dict[str, int] = Field(default_factory=dict)


class GroupedFinding(Shown):
    """Findings that say the same of many places, with the first places."""

    severity: str
    code: str
    message: str
    hint: str = ""
    args: dict[str, Any] = Field(default_factory=dict)
    count: int
    places: list[str]


class CardPreview(Shown):
    """`preview.json`. `fields`: characters of each text field that is filled, by the name of its piece."""

    name: str
    creator: str
    version: str
    container: str
    spec: str
    fields: dict[str, int]
    greetings: list[PreviewGreeting]
    group_greetings: int
    entries: list[PreviewEntry]
    pieces: int
    declared: int
    dialect: dict[str, Any]
    mechanisms: list[Mechanism]
    findings: list[GroupedFinding]
    urls: int
    picture: str | None


def preview_of(card: Card, reading: Reading) -> CardPreview:
    """The preview of a card that was read. Costs about as much as reading it."""
    pieces, declared, dialect = pieces_of(card), declared_variables(card), dialect_of(card)
    wholes = {key: list(parts) for key, parts in groupby(pieces, key=lambda piece: piece.whole)}
    return CardPreview(
        name=card.name,
        creator=card.data["creator"],
        version=card.data["character_version"],
        container=reading.container,
        spec=reading.spec,
        fields=field_sizes(pieces),
        greetings=greetings_of(card, wholes),
        group_greetings=sum(1 for text in card.group_greetings if text.strip()),
        entries=[
            entry_of(parts, set(declared.entries)) for parts in wholes.values() if parts[0].field == "entry"
        ],
        pieces=len(pieces),
        declared=len(declared.declarations),
        dialect=dialect.to_json(),
        mechanisms=[
            mechanism
            for mechanism in (
                Mechanism(code="regex-scripts", count=dialect.regex_scripts, becomes="not-run"),
                Mechanism(code="helper-scripts", count=dialect.helper_scripts, becomes="not-run"),
                Mechanism(code="variables", count=len(declared.declarations), becomes="variables"),
                Mechanism(code="ejs", count=dialect.ejs, becomes="text-kept"),
                named("macros", dialect.macros),
                named("tags", dialect.tags),
                Mechanism(code="pictures", count=len(reading.urls), becomes="fetched"),
            )
            if mechanism.count
        ],
        findings=grouped(reading.findings),
        urls=len(reading.urls),
        picture=reading.picture,
    )


def field_sizes(pieces: Iterable[Piece]) -> dict[str, int]:
    """Characters by field, greetings and entries left out."""
    sizes: dict[str, int] = {}
    for piece in pieces:
        if piece.number is None:
            sizes[piece.field] = sizes.get(piece.field, 0) + piece.size
    return sizes


def greetings_of(card: Card, wholes: dict[str, list[Piece]]) -> list[PreviewGreeting]:
    return [
        PreviewGreeting(
            id=id,
            number=wholes[id][0].number or 0,
            text=clean_prose("".join(part.text for part in wholes[id]), card.name).text,
        )
        for id in greeting_ids(card)
    ]


def entry_of(parts: Sequence[Piece], data_entries: set[int]) -> PreviewEntry:
    first = parts[0]
    assert first.entry is not None
    assert first.number is not None
    facts: list[Fact] = []
    if not first.entry.enabled:
        facts.append("off-in-card")
    if first.number in data_entries:
        facts.append("variable-data")
    elif not any(piece.text.strip() for piece in parts):
        facts.append("empty")
    elif first.machine:
        facts.append("script-only")
    if len(parts) > 1:
        facts.append("split")
    return PreviewEntry(
        id=first.whole,
        number=first.number,
        title=first.title,
        keys=list(first.entry.keys),
        constant=first.entry.constant,
        size=sum(piece.size for piece in parts),
        parts=len(parts),
        facts=facts,
    )


def named(code: Literal["macros", "tags"], names: Any) -> Mechanism:
    return Mechanism(code=code, count=sum(names.values()), becomes="as-written", names=dict(names))


def grouped(findings: Iterable[dict[str, Any]]) -> list[GroupedFinding]:
    """Findings of one code and message together, the first ten places named; the order of first
    appearance.
    """
    groups: dict[tuple[str, str], GroupedFinding] = {}
    for finding in findings:
        key = (finding["code"], finding["message"])
        if key not in groups:
            groups[key] = GroupedFinding(
                severity=finding["severity"],
                code=finding["code"],
                message=finding["message"],
                hint=finding.get("hint", ""),
                args=finding.get("args", {}),
                count=0,
                places=[],
            )
        group = groups[key]
        groups[key] = group.model_copy(
            update={"count": group.count + 1, "places": [*group.places, finding["where"]][:10]}
        )
    return list(groups.values())
