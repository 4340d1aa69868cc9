"""Small books and scenes for the activation simulator, and a scan of them in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from formats.lorebook.model import (
    BookSettings,
    BookSource,
    CharacterFilter,
    Effects,
    Entry,
    EntrySource,
    Group,
    MatchSources,
    Recursion,
    WorldBook,
)
from formats.lorebook.patterns import PatternRunner
from formats.lorebook.simulator import (
    Activation,
    Book,
    Dice,
    ScanSettings,
    Scene,
    SceneMessage,
    TimedState,
    fixed_dice,
    simulate,
)

PARTS: dict[str, Callable[..., Any]] = {
    "recursion": Recursion,
    "effects": Effects,
    "match_sources": MatchSources,
}


def entry(uid: int | str, keys: str = "", content: str = "", **fields: Any) -> Entry:
    """An entry whose keys stand between bars; `group` is its names, other parts are given as dicts."""
    group = Group(fields.pop("group", ""), fields.pop("override", False), fields.pop("weight", 100))
    for name, part in PARTS.items():
        if name in fields:
            fields[name] = part(**fields[name])
    second = tuple(filter(None, fields.pop("second", "").split("|")))
    return Entry(
        uid=uid,
        keys=tuple(filter(None, keys.split("|"))),
        secondary_keys=second,
        comment=fields.pop("comment", f"E{uid}"),
        content=content or f"text of {uid}",
        source=EntrySource(str(uid), fields.pop("index", 0), {}),
        group=group,
        **fields,
    )


def only_for(*names: str, tags: Sequence[str] = (), is_exclude: bool = False) -> CharacterFilter:
    """A character filter."""
    return CharacterFilter(is_exclude, names, tuple(tags), {})


def book_of(*entries: Entry, **settings: Any) -> WorldBook:
    """A book; each entry's candidate key is `<uid>@0`."""
    source = BookSource("sillytavern-world-info", "object-map", {})
    return WorldBook("Fog lore", "", BookSettings(**settings), entries, source)


def story(*texts: str, **fields: Any) -> Scene:
    """A scene with these messages, the newest last."""
    return Scene(messages=tuple(map(SceneMessage, texts)), **fields)


def scan(
    book: WorldBook | Sequence[Book],
    scene: Scene | str,
    state: TimedState | None = None,
    *,
    rolls: dict[int | str, float] | None = None,
    group_rolls: dict[str, float] | None = None,
    run_patterns: PatternRunner | None = None,
    count_tokens: Callable[[str], int] = len,
    **settings: Any,
) -> Activation:
    """Scan a book named `b`, or several."""
    books = [Book("b", book)] if isinstance(book, WorldBook) else book
    said = {("b", f"{uid}@0"): roll for uid, roll in (rolls or {}).items()}
    return simulate(
        books,
        story(scene) if isinstance(scene, str) else scene,
        ScanSettings(**settings),
        state or TimedState(),
        dice=Dice(fixed_dice("tests").otherwise, said, group_rolls or {}),
        run_patterns=run_patterns,
        count_tokens=count_tokens,
    )


def came_in(activation: Activation) -> list[Any]:
    """The uids of what came in, in order."""
    return [verdict.entry.uid for verdict in activation.accepted]


def code_of(activation: Activation, uid: int | str, book: str = "b") -> str:
    """Why an entry is in or out."""
    return activation.verdict(book, f"{uid}@0").code
