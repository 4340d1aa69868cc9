"""A card arranged into a world by code alone; no model reads anything (STRUCT-1 to STRUCT-5, D10)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from formats.card import Card, Piece, chosen, pieces_of
from formats.card.choice import Choices
from formats.card.declared import declared_variables, is_variable_data
from formats.finding import Finding, fill
from formats.messages import ngettext_noop
from importer.pipeline.building import Building, Built, whole_text
from importer.pipeline.left_out import together
from importer.pipeline.own_character import describe_own_character
from importer.pipeline.words import WORDS
from worlds.rules.documents import Opening, Source, VariableDeclaration, Variables, WorldFile
from worlds.rules.prompts import prompt_files

MACROS_KEPT = ngettext_noop(
    "{count} macro stays as it is written: {names}.", "{count} macros stay as they are written: {names}."
)
DESCRIPTION_LIMIT = 600  # characters of the creator's notes that become the world's description (D10)


def build_world(card: Card, choices: Choices, *, picture: str | None, sha256: str, started_at: str) -> Built:
    """Arrange a card into the files of a world.

    Args:
        card: as it was read.
        choices: what the user passes on (PREV-1, PREV-2).
        picture: name of the card's picture in the import folder, if it has one.
        sha256: of the uploaded file, kept as the world's source.
        started_at: ISO time of the start; the same inputs give the same bytes, so a repeated step changes
            nothing.
    """
    pieces = pieces_of(card)
    building = Building.of_card(card, WORDS[choices.language], picture, pieces, chosen(card, choices, pieces))
    leave_out_what_is_off(building)
    variables(building)
    openings = greetings(building, choices.opening)
    description = account_of_the_world(building)
    scenario(building)
    entries(building)
    narration_style(building)
    describe_own_character(building)
    world(building, choices, openings, description, sha256=sha256, started_at=started_at)
    name_the_macros(building)
    return Built(building.files, building.ledger.account(), building.notes, building.pictures)


def leave_out_what_is_off(building: Building) -> None:
    """PREV-2: what the user turned off is not passed on; it is accounted for all the same."""
    passed_on = {piece.id for piece in building.pieces}
    off = [piece for piece in building.all_pieces if piece.id not in passed_on]
    building.ledger.settle(off, "omitted", reason="off")


def variables(building: Building) -> None:
    """Values the card states as data become declarations (D10, D34); entries that are such data are used
    up.

    Of a card whose data entries are all off nothing is declared, and nothing is said about it. Data that
    cannot be read stays in its entry, which becomes lore, with a note.
    """
    stated, data = stated_values(building)
    if not stated:
        return
    path = building.put("variables", Variables(variables=stated))
    building.ledger.settle(data, "converted", [path])


def stated_values(building: Building) -> tuple[list[VariableDeclaration], list[Piece]]:
    """The declarations of what the card states as data, and the entries that are used up by them."""
    data = {number for number, entry in enumerate(building.card.entries) if is_variable_data(entry)}
    passed_on = [piece for piece in building.of("entry") if piece.number in data]
    if data and not passed_on:
        return [], []
    declared = declared_variables(building.card, without=data - {piece.number for piece in passed_on})
    building.notes += together(declared.left_out)
    declarations = [VariableDeclaration(**value) for value in declared.declarations]
    return declarations, [piece for piece in passed_on if piece.number in declared.entries]


def greetings(building: Building, opening: str | None) -> list[Opening]:
    """The openings in the card's order, the chosen one first; its text may be empty, then the world is a
    draft.
    """
    found: dict[str, Opening] = {}
    for whole, parts in by_whole(building.of("greeting", "group_greeting")):
        text = building.prose(whole_text(parts))
        if not text:
            building.ledger.settle(parts, "omitted", reason="no-text")
            continue
        found[whole] = Opening(label=opening_label(building, parts[0]), text=text)
        building.ledger.settle(parts, "carried", ["world.json"])
    first = found.pop(opening, None) if opening else None
    return [first or Opening(label="", text=""), *found.values()]


def opening_label(building: Building, piece: Piece) -> str:
    number = (piece.number or 0) + (piece.field == "group_greeting")
    if piece.field == "group_greeting":
        return fill(building.words.group, {"number": number})
    return fill(building.words.alternate, {"number": number}) if number else building.words.first_message


def account_of_the_world(building: Building) -> str:
    """The creator's notes as text, cut at a sentence; else the scenario's first paragraph (D10)."""
    notes = building.of("creator_notes")
    text = building.prose(whole_text(notes))
    building.ledger.settle(notes, "read")
    if not text:
        text = building.prose(whole_text(building.of("scenario"))).partition("\n\n")[0]
    return shortened(text, DESCRIPTION_LIMIT)


def shortened(text: str, limit: int) -> str:
    """At most `limit` characters, cut behind a sentence where one ends in the second half, else with an
    ellipsis.
    """
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    end = max(cut.rfind(mark) for mark in ("。", "！", "？", ". ", "! ", "? ", "\n"))
    return cut[: end + 1].rstrip() if end >= limit // 2 else cut.rstrip() + "…"


def scenario(building: Building) -> None:
    """The scenario is lore that everyone knows (D10)."""
    pieces = building.of("scenario")
    for piece in pieces:
        text = building.lore_text(piece)
        title = building.part_title(building.words.scenario, piece)
        building.lore(piece, title, text, keywords=[], scope="everyone")


def entries(building: Building) -> None:
    """Each lorebook piece, verbatim, as lore that only the game master reads (STRUCT-3, D31, D33)."""
    for piece in building.of("entry"):
        text = building.lore_text(piece)
        if piece.machine or not text.strip():
            building.ledger.settle([piece], "omitted", reason="script-only" if piece.machine else "no-text")
            continue
        assert piece.entry is not None
        written = (building.title(key) for key in (*piece.entry.keys, *piece.entry.secondary_keys))
        keys = list(dict.fromkeys(filter(None, written)))
        name = {"number": (piece.number or 0) + 1}
        title = building.title(piece.title) or next(iter(keys), "") or fill(building.words.entry, name)
        building.lore(piece, building.part_title(title, piece), text, keywords=keys, scope="listed")


def narration_style(building: Building) -> None:
    """System prompt, post-history instructions and the character's note become the narration style
    (STRUCT-4).
    """
    sections: list[str] = []
    used: list[Piece] = []
    for field in ("system", "post_history", "note"):
        pieces = building.of(field)
        text = "".join(building.lore_text(piece) for piece in pieces).strip()
        if not text:
            building.ledger.settle(pieces, "omitted", reason="no-text")
            continue
        if field == "note":
            text = f"## {fill(building.words.note, {'name': building.card.name})}\n\n{text}"
        sections.append(text)
        used += pieces
    if sections:
        files = prompt_files("style", "\n\n".join(sections))
        building.files.update(files)
        building.ledger.settle(used, "guidance", sorted(files))


def world(
    building: Building,
    choices: Choices,
    openings: Sequence[Opening],
    description: str,
    *,
    sha256: str,
    started_at: str,
    tags: Sequence[str] = (),
    starting_location: str | None = None,
) -> None:
    """`world.json` from the card's own fields (STRUCT-5); `tags` are further ones."""
    data = building.card.data
    document = WorldFile(
        name=choices.name or building.card.name,
        description=description,
        tags=list(dict.fromkeys(tag.strip() for tag in [*data["tags"], *tags] if tag.strip())),
        author=data["creator"].strip(),
        language=choices.language,
        opening=openings[0].text,
        alternate_openings=list(openings[1:]),
        cover=building.picture_at("images/cover"),
        starting_location=starting_location,
        source=Source.model_validate(
            {
                "kind": "card",
                "name": building.card.name,
                "version": data["character_version"],
                "sha256": sha256,
            }
        ),
        created_at=started_at,
        updated_at=started_at,
    )
    building.put("world", document)


def name_the_macros(building: Building) -> None:
    """Macros that nothing here knows stay as written, and the report says which (D9)."""
    if building.macros:
        building.notes.append(
            Finding(
                "info",
                "macros-kept",
                "card",
                MACROS_KEPT,
                args={"count": len(building.macros), "names": ", ".join(building.macros)[:400]},
            )
        )


def by_whole(pieces: Sequence[Piece]) -> list[tuple[str, list[Piece]]]:
    """The pieces of a list grouped by the text they are parts of, in order."""
    return [(whole, list(parts)) for whole, parts in groupby(pieces, key=lambda piece: piece.whole)]
