"""Who knows of whom and what, once everything is written: in a closed world a missing edge means "does not
know" (BUILD-5, BUILD-8)."""

from __future__ import annotations

from collections.abc import Mapping

from importer.pipeline.build.part import Part
from worlds.rules.documents import Character, Document, Lore, Relationship, Relationships
from worlds.rules.documents.people import PLAIN_RELATION
from worlds.rules.paths import document_path


def complete_awareness(documents: Mapping[str, Document]) -> Part:
    """The documents that change: lore about a character joins what they know, and whoever a relation names
    without an edge of their own gets a plain one."""
    part = Part()
    for document in documents.values():
        if isinstance(document, Character):
            lore = [*document.knowledge.lore, *_lore_about(document.id, documents)]
            if lore != document.knowledge.lore:
                known = document.knowledge.model_copy(update={"lore": list(dict.fromkeys(lore))})
                part.put(document.model_copy(update={"knowledge": known}))
    relations = documents.get(document_path("relationships", ""))
    if isinstance(relations, Relationships):
        people = {document.id for document in documents.values() if isinstance(document, Character)}
        edges = _both_ways(relations.relationships, people)
        if edges != relations.relationships:
            part.put(relations.model_copy(update={"relationships": edges}))
    return part


def _lore_about(character: str, documents: Mapping[str, Document]) -> list[str]:
    """Lore about somebody, but for what the narrators keep to themselves (D31)."""
    return [
        lore.id
        for lore in documents.values()
        if isinstance(lore, Lore) and character in lore.about and (lore.scope == "everyone" or lore.known_by)
    ]


def _both_ways(edges: list[Relationship], people: set[str]) -> list[Relationship]:
    there = {(edge.source, edge.target) for edge in edges}
    there |= {(edge.target, edge.source) for edge in edges if edge.mutual}
    missing = [(edge.target, edge.source) for edge in edges if (edge.target, edge.source) not in there]
    added = [
        Relationship.model_validate({"from": source, "to": target, "type": PLAIN_RELATION})
        for source, target in dict.fromkeys(missing)
        if source in people
    ]
    return [*edges, *added]
