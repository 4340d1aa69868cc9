"""Sections as a test wants them, with what is in them: in one change, past the pages."""

from __future__ import annotations

from lorebooks.actions.writing import changing, rewrite_item
from lorebooks.models import Lorebook
from lorebooks.pipeline.item_file import Section
from portal.models import Person


def put_sections(owner: Person, lorebook: Lorebook, *sections: Section) -> None:
    """Give a book these sections."""
    with changing(actor=owner, lorebook=lorebook, what="sections") as change:
        rewrite_item(change, sections=[section.model_dump() for section in sections])
