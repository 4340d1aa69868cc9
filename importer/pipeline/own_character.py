"""The card's own character from its description, personality and example dialogue (STRUCT-2, D10)."""

from __future__ import annotations

from formats.card.section_tags import tagged_sections
from formats.card.sections import listed, sections_of
from formats.finding import Finding
from formats.messages import gettext_noop
from formats.text.names import element_id
from importer.pipeline.building import Building, whole_text
from importer.pipeline.dialogue import dialogues, told_apart
from importer.pipeline.summary import person_summary
from worlds.rules.documents import Character, Portrait, Speech

FIELDS = ("description", "personality", "example")


def describe_own_character(building: Building) -> None:
    """Add the character the card speaks of; a card that describes nobody gives a world without characters
    (D10).
    """
    pieces = building.of(*FIELDS)
    description, personality, example = (
        whole_text(piece for piece in pieces if piece.field == field) for field in FIELDS
    )
    described, interview = told_apart(description)
    told = building.prose(headed(described))
    manner = building.prose(personality)
    spoken = (building.prose(part) for part in [*dialogues(example), *interview])
    examples = [text for text in spoken if text]
    if not told and not manner and not examples:
        building.ledger.settle(pieces, "omitted", reason="no-text")
        building.notes.append(nobody_described(building))
        return
    character = written_character(building, told, manner, examples)
    path = building.put("character", character, character.id)
    for piece in pieces:
        building.ledger.settle([piece], "converted", [path])


def nobody_described(building: Building) -> Finding:
    """Why the world has no people, and how it gets some: code does not know a person in a lorebook (D33)."""
    return Finding(
        "info",
        "nobody-described",
        "",
        gettext_noop(
            "The card's own fields describe nobody, so the world has no people yet. Without a model nobody is"
            " recognised in lorebook entries: those that describe people are lore."
        )
        if building.lore_count
        else gettext_noop("The card's own fields describe nobody, so the world has no people yet."),
        gettext_noop(
            "Open such an entry under Lore, then add a person under People and paste what the entry says."
        )
        if building.lore_count
        else gettext_noop("Add a person under People, or let whoever plays bring a character of their own."),
    )


def headed(description: str) -> str:
    """The description with `<外貌>…</外貌>` as a heading: as a tag of HTML its label would be lost."""
    found, rest = tagged_sections(description)
    return "\n\n".join([rest.strip(), *(f"【{section.label}】\n{section.text}" for section in found)])


def written_character(building: Building, told: str, manner: str, examples: list[str]) -> Character:
    """The labelled sections of the description go to their fields, the rest stays where it was."""
    card, sections = building.card, sections_of(told)
    fields = dict(sections.fields)
    document_id = element_id(card.name, "character", 1, set())
    portrait = building.picture_at(f"images/portraits/{document_id}")
    nickname = card.nickname.strip()
    traits = fields.get("personality", "")
    notes = building.prose(card.data["creator_notes"])
    summary = person_summary(card.name, sections.rest, manner, told, notes, traits)
    return Character(
        id=document_id,
        name=card.name.strip() or document_id,
        aliases=[nickname] if nickname and nickname != card.name.strip() else [],
        playable=False,
        summary=summary,
        description=sections.rest,
        appearance=fields.get("appearance", ""),
        personality="\n\n".join(text for text in (manner, traits) if text),
        background=fields.get("background", ""),
        goals=listed(fields.get("goals", "")),
        secrets=fields.get("secrets", ""),
        speech=Speech(style=fields.get("speech", ""), examples=examples),
        portrait=(
            Portrait(file=portrait, source="uploaded", original_name=building.picture or "")
            if portrait
            else None
        ),
    )
