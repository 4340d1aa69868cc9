"""Reading a lorebook that people give us: strict where it is sound, mended where it is not (D6).

Entry by entry: one that reads without a word is taken as it is; any other goes through the repair that cards
have too, in the form of a character book. So one bad entry costs neither the book nor the form of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from formats import leniency
from formats.finding import Finding
from formats.lorebook.diagnostics import as_diagnostic
from formats.lorebook.entry_reader import CHARACTER_BOOK, SILLYTAVERN, Dialect, read_entry
from formats.lorebook.entry_repair import repair_entry
from formats.lorebook.foreign import chub
from formats.lorebook.model import BookSource, Diagnostic, Entry, WorldBook
from formats.lorebook.reader import (
    DIALECTS,
    detect_format,
    entry_path,
    listed_entries,
    parse,
    read_settings,
    repeated_uids,
)
from formats.lorebook.repair import repair_book, repair_setting
from formats.lorebook.sentences import BOOK_SENTENCES
from formats.lorebook.spellings import (
    BOOK_KINDS,
    BOOK_SPELLINGS,
    ENTRY_SPELLINGS,
    EXTENSION_SPELLINGS,
    OFF_SPELLINGS,
)
from formats.messages import gettext_noop
from formats.notes import Notes

OWN_NAMES = {"keys": "key", "secondary_keys": "keysecondary", "insertion_order": "order", "id": "uid"}
"""How SillyTavern's own file spells what a character book calls otherwise."""

CARD_NAMES = {own: ours for ours, own in OWN_NAMES.items()}

PLACES = gettext_noop("This holds for {count} places; the first is {first}.")


class Rescued(NamedTuple):
    """The book, everything that was told about it, and the form it was in (also `chub`, a hybrid)."""

    model: WorldBook
    findings: list[Finding]
    format_found: str


def read_leniently(value: dict[str, Any], name: str | None = None) -> Rescued:
    """Read a value that has a format (`detect_format`); `name` is for a book that has none of its own."""
    found = detect_format(value) or ""
    if found in DIALECTS:
        model, findings = _read_native(value, DIALECTS[found])
        found = chub.SHAPE.name if chub.recognise(value) else found
    else:
        model, findings = _read_foreign(value, found)
    if name and not model.name.strip():
        model = replace(model, name=name)
    told = grouped(findings)
    return Rescued(replace(model, diagnostics=tuple(map(as_diagnostic, told))), told, found)


def _read_foreign(value: dict[str, Any], found: str) -> tuple[WorldBook, list[Finding]]:
    repaired = repair_book(value, "$")
    model = parse(repaired.value or {"entries": []})
    findings = [*repaired.findings, *(told for told in model.diagnostics if told.code != "duplicate-uid")]
    return replace(model, source=replace(model.source, format=found)), findings


def _read_native(value: dict[str, Any], dialect: Dialect) -> tuple[WorldBook, list[Finding]]:
    notes = Notes(BOOK_SENTENCES)
    book = {BOOK_SPELLINGS.get(name, name) if name not in BOOK_KINDS else name: value[name] for name in value}
    for name in [name for name in book if name in BOOK_KINDS]:
        repair_setting(book, name, f"$.{name}", notes)
    findings = notes.findings()
    entries = _read_entries(book["entries"], dialect, findings)
    told: list[Diagnostic] = [*repeated_uids(entries)]
    name, description, settings = read_settings(book, None, told)
    source = BookSource(dialect.name, dialect.container, book)
    return WorldBook(name, description, settings, tuple(entries), source), [*findings, *told]


def _read_entries(raw_entries: Any, dialect: Dialect, findings: list[Finding]) -> list[Entry]:
    entries: list[Entry] = []
    for index, key, raw in listed_entries(raw_entries):
        path = partial(entry_path, key, dialect)
        if not isinstance(raw, dict):
            notes = Notes(BOOK_SENTENCES)
            notes.add("entry-empty" if raw is None else "entry-unreadable", path())
            findings += notes.findings()
            continue
        told: list[Diagnostic] = []
        read = partial(read_entry, path=path, key=key, index=index, place=len(entries))
        entry = read(raw, dialect, told)
        if told or _is_misspelt(raw, dialect):
            told = []
            mended, found = _mended(raw, dialect, path())
            entry = read(mended, CHARACTER_BOOK, told)
            if "id" not in mended and dialect is SILLYTAVERN:
                entry = replace(entry, uid=key or str(index))
            findings += [*found, *told]
        entries.append(entry)
    return entries


def _other_spellings(dialect: Dialect) -> dict[str, str]:
    """Every other spelling of a top field, with the dialect's own."""
    own = OWN_NAMES if dialect is SILLYTAVERN else {}
    names = {other: own.get(ours, ours) for other, ours in ENTRY_SPELLINGS.items()}
    names |= own
    off = "disable" if dialect is SILLYTAVERN else "enabled"
    names |= dict.fromkeys((*OFF_SPELLINGS, "enabled"), off)
    return {other: ours for other, ours in names.items() if other != ours}


OTHER_SPELLINGS: Mapping[str, Mapping[str, str]] = {
    dialect.name: _other_spellings(dialect) for dialect in (SILLYTAVERN, CHARACTER_BOOK)
}


def _is_misspelt(raw: Mapping[str, Any], dialect: Dialect) -> bool:
    """Whether a field stands there in another spelling only."""
    others = OTHER_SPELLINGS[dialect.name]
    return any(others[name] not in raw for name in raw.keys() & others.keys())


def _mended(raw: dict[str, Any], dialect: Dialect, where: str) -> tuple[dict[str, Any], list[Finding]]:
    notes = Notes(BOOK_SENTENCES)
    form = _in_card_form(raw) if dialect is SILLYTAVERN else raw
    return repair_entry(form, where, notes), notes.findings()


def _in_card_form(raw: dict[str, Any]) -> dict[str, Any]:
    """An entry of SillyTavern's own file with what a card keeps under `extensions` there, and with that
    file's defaults where a card has others."""
    extensions = raw.get("extensions")
    moved = {ours: raw[name] for name, ours in EXTENSION_SPELLINGS.items() if name in raw}
    entry = {
        CARD_NAMES.get(name, name): value for name, value in raw.items() if name not in EXTENSION_SPELLINGS
    }
    if "disable" in raw and (off := leniency.boolean(entry.get("disable"))) is not None:
        del entry["disable"]
        entry["enabled"] = not off
    entry["extensions"] = {**(extensions if isinstance(extensions, dict) else {}), **moved}
    if entry.get("selective") is None:
        entry["selective"] = True
    if entry.get("position") is None and entry["extensions"].get("position") is None:
        entry["position"] = 0
    return entry


def grouped(findings: Iterable[Finding]) -> list[Finding]:
    """Findings of one code about one field as one line, at the place of the first, with their number in
    `args` (`count`, `first`) and in the hint: a sparse book would give thousands."""
    groups: dict[tuple[str, Any], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.code, finding.args.get("field")), []).append(finding)
    return [_one_line(group) for group in groups.values()]


def _one_line(group: list[Finding]) -> Finding:
    first = group[0]
    if len(group) == 1:
        return first
    args = {**first.args, "count": len(group), "first": first.where}
    return Finding(first.severity, first.code, first.where, first.message, first.hint or PLACES, args)
