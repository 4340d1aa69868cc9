"""What a card's maker relied on besides plain text (PREV-4, OUT-2): counted, never run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from formats.card.addresses import addresses_in
from formats.card.model import Card
from formats.card.pieces import entry_title, whole_texts
from formats.card.scripts import helper_scripts, regex_scripts
from formats.text.ejs import ejs_tag_count
from formats.text.macros import CHARACTER_NAMES, PLAYER_NAMES, macro_names
from formats.text.markup import tag_names

MOST_NAMES = 100
"""So many names of macros and tags are listed; the rarest beyond are only summed up."""

_VARIABLE_SIGNS = (
    "[initvar]",
    "[mvu_",
    "<updatevariable",
    "stat_data",
    "<jsonpatch",
    "<status_current_variable",
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """Counts of what other programs would do with the card.

    `regex_scripts`, `helper_scripts`: scripts. `ejs`: EJS tags. `variables`: texts that hold marks of a
    variable system. `macros`: names other than player and character. `tags`: tag blocks that are not ordinary
    markup. `pictures`: different picture addresses in the texts. Names are sorted by count, then by name.
    """

    regex_scripts: int = 0
    helper_scripts: int = 0
    ejs: int = 0
    variables: int = 0
    macros: Mapping[str, int] = field(default_factory=dict)
    tags: Mapping[str, int] = field(default_factory=dict)
    pictures: int = 0

    @property
    def is_plain(self) -> bool:
        """Whether the card relies on nothing that is not carried; pictures are carried."""
        counts = (self.regex_scripts, self.helper_scripts, self.ejs, self.variables)
        return not any(counts) and not self.macros and not self.tags

    def to_json(self) -> dict[str, Any]:
        """The form shown over HTTP and kept in the import's report (camelCase, D40)."""
        return {
            "regexScripts": self.regex_scripts,
            "helperScripts": self.helper_scripts,
            "ejs": self.ejs,
            "variables": self.variables,
            "macros": dict(self.macros),
            "tags": dict(self.tags),
            "pictures": self.pictures,
        }


@dataclass(frozen=True, slots=True)
class SourceSummary:
    """What an import starts from, in a few numbers (OUT-2)."""

    container: str
    spec: str
    entries: int
    entries_off: int
    openings: int
    dialect: Dialect

    def to_json(self) -> dict[str, Any]:
        """The form kept in the import's report; `notCarried` is the dialect."""
        return {
            "container": self.container,
            "spec": self.spec,
            "entries": self.entries,
            "entriesOff": self.entries_off,
            "openings": self.openings,
            "notCarried": self.dialect.to_json(),
        }


def dialect_of(card: Card) -> Dialect:
    """Read the dialect from every text of the card and from its extensions."""
    texts = [whole.text for whole in whole_texts(card)]
    titles = [entry_title(entry) for entry in card.entries]
    macros = _summed(macro_names(text) for text in texts)
    for mark in PLAYER_NAMES | CHARACTER_NAMES:
        macros.pop(mark, None)
    return Dialect(
        regex_scripts=regex_scripts(card),
        helper_scripts=helper_scripts(card),
        ejs=sum(ejs_tag_count(text) for text in texts),
        variables=sum(1 for text in [*texts, *titles] if _mentions_variables(text)),
        macros=_most_frequent(macros),
        tags=_most_frequent(_summed(tag_names(text) for text in texts)),
        pictures=len({address for text in texts for address in addresses_in(text)}),
    )


def source_summary(card: Card, *, container: str, spec: str) -> SourceSummary:
    """What the import of a card starts from; `container` and `spec` as `CardSource` names them."""
    off = sum(1 for entry in card.entries if entry.get("enabled") is False)
    openings = sum(1 for text in card.greetings if text.strip())
    return SourceSummary(container, spec, len(card.entries), off, openings, dialect_of(card))


def _mentions_variables(text: str) -> bool:
    folded = text.casefold()
    return any(sign in folded for sign in _VARIABLE_SIGNS) or "_.set(" in text


def _summed(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for names in counts:
        for name, count in names.items():
            total[name] = total.get(name, 0) + count
    return total


def _most_frequent(names: Mapping[str, int]) -> dict[str, int]:
    ordered = sorted(names.items(), key=lambda item: (-item[1], item[0]))
    listed = dict(ordered[:MOST_NAMES])
    if len(ordered) > MOST_NAMES:
        listed["…"] = sum(count for _, count in ordered[MOST_NAMES:])
    return listed
