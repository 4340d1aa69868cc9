"""`import_build`: all builders at once, their parts put together in one fixed order.

Nothing here depends on which answer came first: documents, ids and the account of the pieces are made of the
parts in the order below, so an interrupted build gives the same world when it goes on.
"""

from __future__ import annotations

from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from formats.card import Piece
from formats.text.names import element_id
from importer.pipeline.build.about_world import AboutWorld, about_world
from importer.pipeline.build.awareness import complete_awareness
from importer.pipeline.build.casting import casting, generators
from importer.pipeline.build.entities import entities, roster_lines
from importer.pipeline.build.lore import lore
from importer.pipeline.build.lore_draft import as_written
from importer.pipeline.build.part import OUTCOME_ORDER, Credit, Part
from importer.pipeline.build.passages import passages
from importer.pipeline.build.routes import connect
from importer.pipeline.build.style import style
from importer.pipeline.build.variables import variables
from importer.pipeline.building import Building, Built, Quotes
from importer.pipeline.context import ImportContext
from importer.pipeline.outcomes import Ledger
from importer.pipeline.structure import (
    account_of_the_world,
    greetings,
    leave_out_what_is_off,
    name_the_macros,
    stated_values,
    world,
)
from importer.pipeline.survey.sources import Survey
from llm.tasks import together
from worlds.rules.documents import Document
from worlds.rules.write import document_bytes

LEFT_OUT = {"instruction": "instruction-left-out", "template": "format", "irrelevant": "note"}
"""Roles of which nothing need become, each with the reason that the account gives."""


async def build(
    context: ImportContext, survey: Survey, *, picture: str | None, sha256: str, started_at: str
) -> Built:
    """Write the world on paper.

    Args:
        picture: name of the card's picture in the import folder, if it has one.
        sha256: of the uploaded file.
        started_at: ISO time of the start; the same inputs and answers give the same bytes.

    Raises:
        DomainError: the model cannot be asked for now; answers that came are kept.
    """
    frame = Building.of_card(
        context.card, context.words, picture, context.all_pieces, list(context.pieces.values())
    )
    leave_out_what_is_off(frame)
    stated, data = stated_values(frame)
    opening = _opening(context)
    openings = greetings(frame, context.choices.opening)
    description = account_of_the_world(frame)
    roster = roster_lines(survey)
    parts, about = await _asked(
        together(
            entities(context, survey, picture),
            lore(context, survey, roster),
            _making_people(context, survey),
            variables(context, survey, stated, data),
            style(context, survey),
        ),
        about_world(context, survey, opening),
    )
    start = about.start if f"locations/{about.start}.json" in parts[0].documents else None
    made = _Together(context)
    for part in parts:
        made.add(part)
    made.add(_left_over(context, survey, made.credits, frame))
    made.replace(await connect(context, made.documents, start))
    made.replace(complete_awareness(made.documents))
    world(
        frame,
        context.choices,
        openings,
        about.description or description,
        sha256=sha256,
        started_at=started_at,
        tags=about.tags,
        starting_location=start,
    )
    for piece in context.pieces.values():
        frame.macros.update(dict.fromkeys(piece.as_lore(context.card.name).macros))
    name_the_macros(frame)
    return made.built(frame)


async def _asked(
    parts: Coroutine[Any, Any, list[Part]], about: Coroutine[Any, Any, AboutWorld]
) -> tuple[list[Part], AboutWorld]:
    """Both at once, each with its own type."""
    held: dict[str, AboutWorld] = {}

    async def ask_about() -> list[Part]:
        held["world"] = await about
        return []

    first, _ = await together(parts, ask_about())
    return first, held["world"]


async def _making_people(context: ImportContext, survey: Survey) -> Part:
    """Rules and guidance, then what starts the making of people, which needs the passages of the first."""
    kept = generators(context, survey)
    part, found = await passages(context, survey)
    mechanisms = await casting(context, survey, found)
    return Part(
        mechanisms.documents,
        part.prompts,
        [*part.credits, *mechanisms.credits],
        [*part.notes, *mechanisms.notes],
        lore=[*kept.lore, *part.lore],
    )


def _opening(context: ImportContext) -> list[Piece]:
    """The pieces of the chosen opening, else of the first greeting."""
    greetings = [piece for piece in context.pieces.values() if piece.field in ("greeting", "group_greeting")]
    chosen = [piece for piece in greetings if piece.whole == context.choices.opening]
    return chosen or [piece for piece in greetings if greetings and piece.whole == greetings[0].whole]


def _left_over(context: ImportContext, survey: Survey, credits: Iterable[Credit], frame: Building) -> Part:
    """What no builder used: left out where its role says so, else lore for the narrators alone. Nothing is
    lost."""
    part = Part()
    credited = {credit.piece for credit in credits}
    for piece in context.pieces.values():
        if piece.id in credited or frame.ledger.settled(piece):
            continue
        roles = survey.roles_of(piece.id)
        if not context.text_of(piece).strip():
            part.credit([piece], "omitted", reason="script-only" if piece.machine else "no-text")
        elif roles and set(roles) <= set(LEFT_OUT):
            part.credit([piece], "omitted", reason=LEFT_OUT[roles[0]])
        else:
            part.lore.append(as_written(context, piece))
    return part


@dataclass(slots=True)
class _Together:
    """Parts as one world."""

    context: ImportContext
    documents: dict[str, Document] = field(default_factory=dict)
    whole: Part = field(default_factory=Part)
    lore_ids: set[str] = field(default_factory=set)

    @property
    def credits(self) -> list[Credit]:
        return self.whole.credits

    def add(self, part: Part) -> None:
        """Take a part in; its lore gets its ids now.

        Raises:
            ValueError: two builders wrote one file, which is an error of this program.
        """
        paths = {*part.documents, *part.prompts}
        if clash := paths & {*self.documents, *self.whole.prompts}:
            raise ValueError(f"written twice: {sorted(clash)}")
        self.documents |= part.documents
        self.whole.prompts |= part.prompts
        self.whole.credits += part.credits
        self.whole.notes += part.notes
        self.whole.pictures += part.pictures
        for draft in part.lore:
            lore_id = element_id(draft.title, "lore", len(self.lore_ids) + 1, self.lore_ids)
            self.lore_ids.add(lore_id)
            document = draft.document(lore_id)
            path = f"lore/{lore_id}.json"
            self.documents[path] = document
            for piece in draft.pieces:
                quotes = {path: draft.quotes[piece]} if piece in draft.quotes else {}
                self.whole.credits.append(Credit(piece, "carried", (path,), quotes=quotes))

    def replace(self, part: Part) -> None:
        """Documents that were changed once all were there."""
        self.documents |= part.documents
        self.whole.notes += part.notes

    def built(self, frame: Building) -> Built:
        """Everything on paper, with one outcome for each piece (OUT-1)."""
        files = {path: document_bytes(document) for path, document in sorted(self.documents.items())}
        settled = [
            Credit(record.id, record.outcome, tuple(record.made), record.reason)
            for record in frame.ledger.account().pieces
            if record.outcome != "awaiting"
        ]
        ledger, quotes = accounted(self.context.all_pieces, [*settled, *self.credits])
        return Built(
            {**files, **self.whole.prompts, **frame.files},
            ledger.account(),
            [*frame.notes, *self.whole.notes],
            [*frame.pictures, *self.whole.pictures],
            quotes,
        )


def accounted(pieces: Sequence[Piece], credits: Iterable[Credit]) -> tuple[Ledger, Quotes]:
    """One outcome for each piece, the strongest that was said of it, and the passages quoted of it."""
    ledger = Ledger(pieces)
    by_piece: dict[str, list[Credit]] = {}
    quotes: Quotes = {}
    for credit in credits:
        by_piece.setdefault(credit.piece, []).append(credit)
        for path, passages_of in credit.quotes.items():
            quotes.setdefault(path, {}).setdefault(credit.piece, []).extend(passages_of)
    for piece in pieces:
        said = by_piece.get(piece.id, [])
        if not said:
            continue
        outcome = min((credit.outcome for credit in said), key=OUTCOME_ORDER.index)
        made = dict.fromkeys(path for credit in said for path in credit.made)
        reason = next((credit.reason for credit in said if credit.outcome == outcome), "")
        ledger.settle([piece], outcome, list(made), reason)
    return ledger, quotes
