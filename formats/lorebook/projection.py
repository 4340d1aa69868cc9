"""The candidates of a book as the loader takes them: entries before or after the history, and one resource.

The loader knows two places. What stands elsewhere in SillyTavern goes to the nearer of them and is told; an
outlet has no place of its own, so its entry is left out and told, and so is an entry without a text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from formats.finding import Finding
from formats.lorebook.javascript import BLANKS
from formats.lorebook.model import Entry, Position, WorldBook
from formats.lorebook.policy import Candidates
from formats.messages import gettext_noop
from formats.notes import Sentence

Place = Literal["before", "after"]

EXACT: dict[Position, Place] = {
    "before_character_definition": "before",
    "after_character_definition": "after",
}
NEAREST: dict[Position, Place] = {
    "before_example_messages": "before",
    "before_author_note": "before",
    "after_example_messages": "after",
    "after_author_note": "after",
    "at_depth": "after",
}
APPROXIMATED = {
    "before": gettext_noop("The entry's own place is not available here; it stands before the character."),
    "after": gettext_noop("The entry's own place is not available here; it stands after the character."),
}
OUTLET = Sentence(
    "info", gettext_noop("The entry belongs to the outlet {outlet} and is not placed by itself.")
)
NO_TEXT = Sentence("info", gettext_noop("The entry has no text, so there is nothing to place."))


@dataclass(frozen=True, slots=True)
class LoreEntry:
    """An entry the loader is given."""

    id: str
    uid: int | str
    content: str
    position: Place

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return {"id": self.id, "uid": self.uid, "content": self.content, "position": self.position}


@dataclass(frozen=True, slots=True)
class LoreResource:
    """The book the entries came from, and how many of its entries matched."""

    id: str
    name: str
    format: str
    entry_count: int
    matched_entry_count: int
    active_entry_ids: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return {
            "id": self.id,
            "name": self.name,
            "format": self.format,
            "entryCount": self.entry_count,
            "matchedEntryCount": self.matched_entry_count,
            "activeEntryIds": list(self.active_entry_ids),
        }


@dataclass(frozen=True, slots=True)
class LoaderDiagnostic(Finding):
    """Something about an entry on its way to the loader; `entry_id` is the entry's uid."""

    entry_id: int | str = ""


@dataclass(frozen=True, slots=True)
class LoaderResult:
    """What the loader is given of one book or of several."""

    lore_entries: tuple[LoreEntry, ...] = ()
    resources: tuple[LoreResource, ...] = ()
    diagnostics: tuple[Finding, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return {
            "loreEntries": [entry.to_json() for entry in self.lore_entries],
            "resources": [resource.to_json() for resource in self.resources],
            "diagnostics": [_told(diagnostic) for diagnostic in self.diagnostics],
        }


def project_for_loader(
    model: WorldBook, candidates: Candidates, *, resource_id: str = "", resource_name: str = ""
) -> LoaderResult:
    """The accepted candidates of a book, in their order, after what reading the book told.

    An entry's id is `<resource_id>:<uid>`; without a resource id it is the entry's candidate key. A book
    without a name given here has its own.
    """
    entries: list[LoreEntry] = []
    told: list[Finding] = list(model.diagnostics)
    for candidate in candidates.accepted:
        entry = candidate.entry
        place = EXACT.get(entry.position) or NEAREST.get(entry.position)
        finding = _finding(entry, place)
        if finding is not None:
            told.append(finding)
        if place is not None and not _is_empty(entry):
            name = f"{resource_id}:{entry.uid}" if resource_id else entry.candidate_key
            entries.append(LoreEntry(name, entry.uid, entry.content, place))
    resource = LoreResource(
        id=resource_id,
        name=resource_name or model.name,
        format=model.source.format,
        entry_count=len(model.entries),
        matched_entry_count=len(candidates.accepted),
        active_entry_ids=tuple(entry.id for entry in entries),
    )
    return LoaderResult(tuple(entries), (resource,), tuple(told))


def merge_loader_results(results: Iterable[LoaderResult]) -> LoaderResult:
    """Several books one after the other; nothing is chosen, reordered or left out."""
    given = list(results)
    return LoaderResult(
        tuple(entry for result in given for entry in result.lore_entries),
        tuple(resource for result in given for resource in result.resources),
        tuple(diagnostic for result in given for diagnostic in result.diagnostics),
    )


def _is_empty(entry: Entry) -> bool:
    return not entry.content.strip(BLANKS)


def _finding(entry: Entry, place: Place | None) -> LoaderDiagnostic | None:
    """The one thing to tell of an entry: that it has no text, no place, or another place."""
    if _is_empty(entry):
        return _diagnostic(entry, "WORLD_BOOK_EMPTY_CONTENT_SKIPPED", NO_TEXT)
    if place is None:
        return _diagnostic(entry, "WORLD_BOOK_OUTLET_SKIPPED", OUTLET, outlet=entry.outlet_name)
    if entry.position in EXACT:
        return None
    sentence = Sentence("warning", APPROXIMATED[place])
    return _diagnostic(entry, "WORLD_BOOK_POSITION_APPROXIMATED", sentence, position=entry.position)


def _diagnostic(entry: Entry, code: str, sentence: Sentence, **args: Any) -> LoaderDiagnostic:
    where = f"$.entries[{entry.source.index}]"
    return LoaderDiagnostic(sentence.severity, code, where, sentence.message, args=args, entry_id=entry.uid)


def _told(finding: Finding) -> dict[str, Any]:
    stated: dict[str, Any] = {"severity": finding.severity, "code": finding.code, "message": finding.text}
    return {**stated, "entryId": finding.entry_id} if isinstance(finding, LoaderDiagnostic) else stated
