"""The library's downloads: the same book clean in either format, with a report of what its readers lose
(D18).

The contract's export leaves a converted entry with both spellings of a field; here only the target's stays.
What neither format knows is kept as it was. Nothing is lost in the file itself: the report says what
SillyTavern will pass over or drop at its next save, and what a reader of the bare V2/V3 specification will
not understand.

Entries keep the order of the book, which decides between equals: a list whose numbers would be read in
another order (JavaScript goes through the numbers of a map as they rise) becomes a map with the keys 0, 1,
2 …, and each entry keeps its number inside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from formats.finding import Finding
from formats.lorebook.decorators import parse_decorators
from formats.lorebook.entry_reader import REQUIRED
from formats.lorebook.javascript import in_map_order
from formats.lorebook.model import POSITIONS, Effects, Entry, Group, MatchSources, Recursion, WorldBook
from formats.lorebook.patterns import pattern_of
from formats.lorebook.spellings import CAMEL_SPELLINGS, EXTENSION_SPELLINGS, SNAKE_SPELLINGS
from formats.lorebook.writer import (
    SILLYTAVERN_CONTAINER,
    export_character_book,
    export_sillytavern,
)
from formats.messages import gettext_noop
from formats.notes import Sentence

CARD_TWINS = SNAKE_SPELLINGS | {
    "id",
    "keys",
    "secondary_keys",
    "insertion_order",
    "enabled",
    "character_filter",
}
"""Fields of a character book for which SillyTavern's own file has another name."""
OWN_NAMES = frozenset({"uid", "key", "keysecondary", "order", "disable", "characterFilter"})
SILLYTAVERN_TWINS = OWN_NAMES | EXTENSION_SPELLINGS.keys() | (SNAKE_SPELLINGS - {"case_sensitive"})
KEPT_UNDER_EXTENSIONS = CAMEL_SPELLINGS | frozenset(EXTENSION_SPELLINGS.values()) | {"position"}
SETTINGS = ("description", "scan_depth", "token_budget", "recursive_scanning")
OF_A_BOOK = frozenset(SETTINGS) | {"name", "entries", "extensions", "originalData"}
ONLY_IN_CARDS = ("name", "priority", "use_regex")
KNOWN_IN_CARDS = frozenset(REQUIRED) | {"secondary_keys", "comment", "constant", "selective", "position"}
DECORATORS_OF_SILLYTAVERN = ("activate", "dont_activate")

SENTENCES = {
    "sillytavern-ignores": Sentence(
        "info", gettext_noop("SillyTavern does not use {field}; it stays in the file.")
    ),
    "sillytavern-drops": Sentence(
        "warning", gettext_noop("SillyTavern drops {field} when it saves the card again.")
    ),
    "decorator-without-effect": Sentence(
        "warning",
        gettext_noop("SillyTavern takes the decorator {field} out of the text, without its effect."),
    ),
    "only-under-extensions": Sentence(
        "info",
        gettext_noop("A reader that knows only the V2 or V3 specification does not understand {field}."),
    ),
    "position-approximated": Sentence(
        "info",
        gettext_noop("A reader that knows only the V2 or V3 specification puts {field} after the character."),
    ),
    "pattern-key": Sentence(
        "info",
        gettext_noop(
            "A reader that knows only the V2 specification takes regular expressions for plain keys."
        ),
    ),
    "pattern-keys-mixed": Sentence(
        "warning",
        gettext_noop("A V3 reader takes all keys of an entry as patterns or none; this one has both kinds."),
    ),
    "copy-left-out": Sentence(
        "info",
        gettext_noop("SillyTavern's copy of the book a card once had, {field}, does not go into the card."),
    ),
    "key-differs": Sentence(
        "warning",
        gettext_noop(
            "SillyTavern looks for an entry under its {field}; where the key is another, it cannot edit it."
        ),
    ),
    "number-repeated": Sentence(
        "warning",
        gettext_noop("SillyTavern takes only the last of the entries with the same {field} from a card."),
    ),
    "equal-order-changes": Sentence(
        "warning",
        gettext_noop(
            "SillyTavern sorts entries with the same {field} by their number, which changes their turns."
        ),
    ),
}
PLACES = gettext_noop("Entries concerned: {count}.")


@dataclass(frozen=True, slots=True)
class Download:
    """A book to be saved, and what its readers will lose."""

    value: dict[str, Any]
    findings: tuple[Finding, ...]


def download_sillytavern(model: WorldBook) -> Download:
    """The book as SillyTavern's own file, each field once."""
    book = export_sillytavern(model)
    if model.source.entry_container != SILLYTAVERN_CONTAINER:
        book["entries"] = dict(zip(_keys_in_order(model), book["entries"].values(), strict=True))
    for entry in book["entries"].values():
        _drop(entry, CARD_TWINS)
        extensions = entry.get("extensions")
        if extensions:
            entry["extensions"] = _without(extensions, KEPT_UNDER_EXTENSIONS)
    return Download(book, tuple(_report(_losses_in_sillytavern(model, book))))


def download_character_book(model: WorldBook) -> Download:
    """The book as the `character_book` of a card, each field once, with all that V3 requires."""
    book = export_character_book(model)
    for entry, written in zip(model.entries, book["entries"], strict=True):
        _drop(written, SILLYTAVERN_TWINS)
        _drop(written["extensions"], CAMEL_SPELLINGS)
        if entry.case_sensitive is None:
            del written["case_sensitive"]
        if not isinstance(written.get("use_regex"), bool):
            written["use_regex"] = _patterns(entry) == len(entry.keys) > 0
    return Download(book, tuple(_report(_losses_in_cards(model))))


def _keys_in_order(model: WorldBook) -> list[str]:
    """Keys under which a list stays in its order as a map: the entries' numbers, else their places."""
    numbers = [str(entry.uid) for entry in model.entries]
    keeps_all = len(set(numbers)) == len(numbers) and in_map_order(numbers) == numbers
    return numbers if keeps_all else [str(place) for place in range(len(numbers))]


def _drop(entry: dict[str, Any], names: frozenset[str]) -> None:
    for name in entry.keys() & names:
        del entry[name]


def _without(value: Mapping[str, Any], names: frozenset[str]) -> dict[str, Any]:
    return {name: item for name, item in value.items() if name not in names}


def _patterns(entry: Entry) -> int:
    return sum(pattern_of(key) is not None for key in entry.keys)


Loss = tuple[str, str]
"""A code of `SENTENCES` and the field it is about."""


def _report(losses: Iterator[Loss]) -> Iterator[Finding]:
    for (code, field), count in Counter(losses).items():
        sentence = SENTENCES[code]
        yield Finding(
            sentence.severity, code, "$", sentence.message, PLACES, {"field": field, "count": count}
        )


def _losses_in_sillytavern(model: WorldBook, book: Mapping[str, Any]) -> Iterator[Loss]:
    for name in SETTINGS:
        if book.get(name) not in (None, ""):
            yield "sillytavern-ignores", name
    for name in sorted(model.source.raw.keys() - OF_A_BOOK):
        yield "sillytavern-ignores", name
    for key, entry in zip(book["entries"], model.entries, strict=True):
        if key != str(entry.uid):
            yield "key-differs", "uid"
        for name in ONLY_IN_CARDS:
            if entry.source.raw.get(name) not in (None, "", False) and not (
                name == "name" and entry.source.raw["name"] == entry.comment
            ):
                yield "sillytavern-ignores", name
        yield from _lost_decorators(entry)


def _lost_decorators(entry: Entry) -> Iterator[Loss]:
    found = parse_decorators(entry.content, lambda one: one.name in DECORATORS_OF_SILLYTAVERN)
    for name in dict.fromkeys(found.ignored):
        yield "decorator-without-effect", f"@@{name}"


def _losses_in_cards(model: WorldBook) -> Iterator[Loss]:
    for name in SETTINGS:
        if getattr(model.settings, name, model.description) not in (None, ""):
            yield "sillytavern-drops", name
    if model.settings.extensions:
        yield "sillytavern-drops", "extensions"
    for name in sorted(model.source.raw.keys() - OF_A_BOOK):
        yield "sillytavern-drops", name
    if "originalData" in model.source.raw:
        yield "copy-left-out", "originalData"
    yield from _misplaced_in_cards(model)
    for entry in model.entries:
        yield from _dropped_fields(entry)
        yield from _lost_decorators(entry)
        yield from _beyond_the_specification(entry)


def _misplaced_in_cards(model: WorldBook) -> Iterator[Loss]:
    """Entries that change when SillyTavern makes a map of a card's list, by their numbers."""
    numbers = [str(entry.uid) for entry in model.entries]
    turns = {number: turn for turn, number in enumerate(in_map_order(dict.fromkeys(numbers)))}
    latest: dict[float, int] = {}
    for number, entry in zip(numbers, model.entries, strict=True):
        if turns[number] < latest.get(entry.insertion_order, 0):
            yield "equal-order-changes", "insertion_order"
        latest[entry.insertion_order] = max(turns[number], latest.get(entry.insertion_order, 0))
    for _ in range(len(numbers) - len(turns)):
        yield "number-repeated", "id"


def _dropped_fields(entry: Entry) -> Iterator[Loss]:
    """Fields at the top of an entry for which SillyTavern has no slot when it writes a card."""
    own = KNOWN_IN_CARDS | SILLYTAVERN_TWINS | CARD_TWINS | {"use_regex"}
    for name, value in entry.source.raw.items():
        if name not in own and value not in (None, "") and name != "addMemo":
            yield "sillytavern-drops", name
    if entry.character_filter is not None:
        yield "sillytavern-drops", "character_filter"


BEYOND: tuple[tuple[str, Callable[[Entry], bool]], ...] = (
    ("vectorized", lambda entry: entry.vectorized),
    ("selectiveLogic", lambda entry: entry.selective_logic != "and_any"),
    ("probability", lambda entry: entry.use_probability and entry.probability != 100),
    ("scan_depth", lambda entry: entry.scan_depth is not None),
    ("match_whole_words", lambda entry: entry.match_whole_words is not None),
    ("use_group_scoring", lambda entry: entry.use_group_scoring is not None),
    ("group", lambda entry: entry.group != Group()),
    ("recursion", lambda entry: entry.recursion not in (Recursion(), Recursion(delay_until=0))),
    ("effects", lambda entry: any(vars_of(entry.effects))),
    ("match_sources", lambda entry: entry.match_sources != MatchSources()),
    ("triggers", lambda entry: bool(entry.triggers)),
    ("ignore_budget", lambda entry: entry.ignore_budget),
    ("automation_id", lambda entry: bool(entry.automation_id)),
    ("role", lambda entry: entry.position == "at_depth" and entry.role != "system"),
)
"""What a character book keeps under `extensions` only: its name there, and whether an entry makes use of
it."""


def vars_of(effects: Effects) -> tuple[Any, Any, Any]:
    """The three timed effects; none, and 0, is none."""
    return effects.sticky, effects.cooldown, effects.delay


def _beyond_the_specification(entry: Entry) -> Iterator[Loss]:
    for name, uses in BEYOND:
        if uses(entry):
            yield "only-under-extensions", name
    if entry.position not in POSITIONS[:2]:
        yield "position-approximated", entry.position
    patterns = _patterns(entry)
    if patterns:
        yield "pattern-key", "keys"
    if 0 < patterns < len(entry.keys):
        yield "pattern-keys-mixed", "keys"
