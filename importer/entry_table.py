"""The table of a card's entries: searched and paged, so that 1,000 entries are as usable as ten."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext as _

from formats.text.names import compared
from importer.pipeline.preview import CardPreview, PreviewEntry
from importer.words import FACTS, Word

PER_PAGE = 100  # a form may carry 1,000 fields; a page of it stays far below
SHOWN_KEYS = 8


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One line: the entry, whether it is passed on, its keys and facts in words."""

    entry: PreviewEntry
    on: bool
    facts: list[tuple[Word, str]]

    @property
    def number(self) -> int:
        """Counted from 1, as people do."""
        return self.entry.number + 1

    @property
    def name(self) -> str:
        """Its title, or its number where it has none."""
        return self.entry.title or _("Entry %(n)s") % {"n": self.number}

    @property
    def html_id(self) -> str:
        """An id for the page: `entry-12`."""
        return self.entry.id.replace(":", "-")

    @property
    def values_only(self) -> bool:
        """Off in the card as makers do with lists of first values, which are read all the same."""
        return {"off-in-card", "variable-data"} <= set(self.entry.facts)

    @property
    def keys(self) -> list[str]:
        """The first keys."""
        return self.entry.keys[:SHOWN_KEYS]

    @property
    def more_keys(self) -> int:
        """How many keys are not shown."""
        return max(0, len(self.entry.keys) - SHOWN_KEYS)


@dataclass(frozen=True, slots=True)
class EntryTable:
    """What a search found, and the page of it that is shown. `chosen` counts over the whole card."""

    words: str
    found: list[PreviewEntry]
    page: Page[PreviewEntry]
    off: frozenset[str]
    total: int

    @classmethod
    def of(cls, card: CardPreview, off: tuple[str, ...], words: str, page: object) -> EntryTable:
        """The table for these words (every one must stand in the title or a key) and this page."""
        wanted = compared(words[:100]).split()
        found = [entry for entry in card.entries if fits(entry, wanted)]
        shown = Paginator(found, PER_PAGE).get_page(page if isinstance(page, int | str) else 1)
        return cls(words[:100], found, shown, frozenset(off), len(card.entries))

    @property
    def chosen(self) -> int:
        """How many entries are passed on."""
        return self.total - len(self.off)

    @property
    def shown(self) -> str:
        """The ids on this page: a form says which ticks it knows of."""
        return " ".join(entry.id for entry in self.page.object_list)

    def rows(self) -> Iterator[EntryRow]:
        """The lines of this page."""
        for entry in self.page.object_list:
            yield EntryRow(entry, entry.id not in self.off, [FACTS[fact] for fact in entry.facts])


def fits(entry: PreviewEntry, wanted: list[str]) -> bool:
    """Whether every word stands somewhere in the title or the keys."""
    if not wanted:
        return True
    text = compared(" ".join((entry.title, *entry.keys)))
    return all(word in text for word in wanted)
