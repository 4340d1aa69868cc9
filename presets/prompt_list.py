"""The prompts of a preset as its editor lists them, and what of that list one action changed.

A list is made of a package alone, so two of them can be compared: an answer to an action holds the rows that
are others than before, and where the one that moved goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Final, Literal

from formats.preset.fates import fate_code
from formats.preset.model import HISTORY, OrderItem, PresetPackage, PresetPrompt
from formats.text.names import compared
from formats.text.tokens import count_tokens
from presets.index import storable
from presets.pipeline.placing import seen

Part = Literal["line", "inside", "unused"]
PARTS: Final[tuple[Part, ...]] = ("line", "inside", "unused")
MOST_CHANGED: Final = 40
"""Rows that an answer sends one by one; beyond it sends the whole list."""
_RULED: Final = re.compile(r"^\W{0,6}([-=_~*#+—–─━═▬])\1{2,}|([-=_~*#+—–─━═▬])\2{2,}\W{0,6}$")


@dataclass(frozen=True, slots=True)
class Row:
    """One prompt of the list: `key` names it in addresses, `code` is a key of `FATES`, `place` counts from 1.

    `place` is the number in its part; `depth` is that of a prompt inside the history, else None; `added` is
    what no file had (a place of ours), which no number counts.
    """

    key: str
    id: str
    name: str
    role: str
    tokens: int
    on: bool
    code: str
    part: Part
    depth: int | None
    is_hole: bool
    is_history: bool
    heads: bool
    added: bool
    place: int

    @property
    def shown(self) -> tuple[object, ...]:
        """All that is to be seen of it where it stands."""
        return (self.name, self.role, self.tokens, self.on, self.code, self.depth)


@dataclass(frozen=True, slots=True)
class PromptList:
    """The rows by the part they stand in, and the numbers above them."""

    line: tuple[Row, ...]
    inside: tuple[Row, ...]
    unused: tuple[Row, ...]
    on: int
    tokens: int

    @property
    def rows(self) -> tuple[Row, ...]:
        """Every row."""
        return (*self.line, *self.inside, *self.unused)

    @property
    def total(self) -> int:
        """How many prompts there are."""
        return sum(not row.added for row in self.rows)

    @property
    def history_at(self) -> int:
        """The place of the history in the line."""
        return next((row.place for row in self.line if row.is_history), 0)

    def row(self, key: str) -> Row | None:
        """The row of a key."""
        return next((row for row in self.rows if row.key == key), None)

    def part(self, name: Part) -> tuple[Row, ...]:
        """The rows of one part."""
        parts: Mapping[Part, tuple[Row, ...]] = {
            "line": self.line,
            "inside": self.inside,
            "unused": self.unused,
        }
        return parts[name]


@dataclass(frozen=True, slots=True)
class Moved:
    """A row that stands elsewhere or is new: the key of the row it comes after, "" as the first of all."""

    row: Row
    after: str


@dataclass(frozen=True, slots=True)
class ListChange:
    """What one action changed in a list; with `whole` it is sent anew."""

    changed: tuple[Row, ...] = ()
    moved: tuple[Moved, ...] = ()
    gone: tuple[str, ...] = ()
    whole: bool = False


def key_of(prompt_id: str) -> str:
    """A short name of a prompt for addresses: an identifier of a file can be anything, `..` and `/` too."""
    return sha256(prompt_id.encode("utf-8", "surrogatepass")).hexdigest()[:10]


def id_of(package: PresetPackage, key: str) -> str:
    """The prompt that a key names; the key itself where it names none, which no prompt has."""
    return next((prompt.id for prompt in package.prompts if key_of(prompt.id) == key), key)


def list_of(package: PresetPackage) -> PromptList:
    """Every prompt of a package where it takes effect."""
    items = {item.prompt_id: item for item in package.prompt_order}
    listed, there = seen(package), set(items)
    unused = [prompt.id for prompt in package.prompts if prompt.id not in there]
    parts = {
        part: tuple(
            _row(package, package.by_id[one], items.get(one), part, place) for place, one in enumerate(ids, 1)
        )
        for part, ids in zip(PARTS, (listed.line, listed.inside, unused), strict=True)
    }
    on = [row for row in (*parts["line"], *parts["inside"]) if row.on]
    return PromptList(
        parts["line"],
        parts["inside"],
        parts["unused"],
        sum(not row.added for row in on),
        sum(row.tokens for row in on),
    )


def narrowed(listed: PromptList, package: PresetPackage, words: str, only_on: bool) -> PromptList:
    """The rows whose name or text has every word, and with `only_on` those that are on alone."""
    wanted = compared(words).split()[:8]

    def fits(row: Row) -> bool:
        if only_on and not row.on:
            return False
        text = compared(f"{row.name}\n{package.by_id[row.id].content}") if wanted else ""
        return all(word in text for word in wanted)

    def of(rows: Iterable[Row]) -> tuple[Row, ...]:
        return tuple(row for row in rows if fits(row))

    return PromptList(of(listed.line), of(listed.inside), of(listed.unused), listed.on, listed.tokens)


def changes_between(old: PromptList, new: PromptList) -> ListChange:
    """What to send so that a page that shows `old` shows `new`."""
    before = {row.key: row for row in old.rows}
    now = {row.key: row for row in new.rows}
    gone = tuple(key for key in before if key not in now)
    moved, whole = _moved(old, new, set(gone))
    places = {one.row.key for one in moved}
    changed = tuple(
        row
        for key, row in now.items()
        if key in before and key not in places and row.shown != before[key].shown
    )
    if whole or len(changed) > MOST_CHANGED:
        return ListChange(whole=True)
    return ListChange(changed, moved, gone)


def _moved(old: PromptList, new: PromptList, gone: set[str]) -> tuple[tuple[Moved, ...], bool]:
    """The few rows whose moving makes the one list the other; `True` where they are not few."""
    stands = {row.key: row.part for row in old.rows}
    moved: list[Moved] = []
    for part in PARTS:
        was = [row.key for row in old.part(part) if row.key not in gone]
        rows = new.part(part)
        is_now = [row.key for row in rows]
        here = set(is_now)
        was = [key for key in was if key in here]
        came = {key for key in is_now if stands.get(key) != part}
        stayed = [key for key in is_now if key not in came]
        came |= _one_out_of_place(was, stayed)
        if [key for key in was if key not in came] != [key for key in stayed if key not in came]:
            return (), True
        moved += [Moved(row, is_now[at - 1] if at else "") for at, row in enumerate(rows) if row.key in came]
    return tuple(moved), len(moved) > MOST_CHANGED


def _one_out_of_place(was: list[str], now: list[str]) -> set[str]:
    """The one row without which both are in the same order, if there is one."""
    at = next((place for place, (a, b) in enumerate(zip(was, now, strict=True)) if a != b), None)
    if at is None:
        return set()
    for one in (now[at], was[at]):
        if [key for key in was if key != one] == [key for key in now if key != one]:
            return {one}
    return set()


def _row(package: PresetPackage, prompt: PresetPrompt, item: OrderItem | None, part: Part, place: int) -> Row:
    text = prompt.content
    return Row(
        key=_kept_key(prompt.id),
        id=prompt.id,
        name=storable(" ".join(prompt.name.split()))[:200],
        role=prompt.role,
        tokens=0 if prompt.is_hole or not text else count_tokens(text),
        on=item is not None and item.enabled and prompt.enabled,
        code=fate_code(package, prompt, item),
        part=part,
        depth=prompt.injection.depth_used if part == "inside" and prompt.injection else None,
        is_hole=prompt.is_hole,
        is_history=prompt.is_hole and prompt.source_identifier == HISTORY,
        added=prompt.was_added,
        heads=bool(_RULED.search(prompt.name)),
        place=place,
    )


@lru_cache(maxsize=8192)
def _kept_key(prompt_id: str) -> str:
    return key_of(prompt_id)
