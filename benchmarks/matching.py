"""Matching a lorebook: the index beside a search for each key and beside another program, in the same run.

10,000 entries with 12,000 keys, mostly of two to five Chinese characters, against 100,000 and 20,000
characters. All three have to name the same entries.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from fast_tavern.core.modules.worldbook import get_active_entries

from benchmarks.measure import Measurement, timed, timed_anew
from formats.lorebook import WorldBook, compute_candidates, evaluate_entry, parse

ENTRIES = 10_000
CHARACTERS = 100_000
HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 3000)]
SLOW_RUNS = 3
"""What takes seconds is not run as often as the rest."""


def measure(runs: int) -> Iterator[Measurement]:
    """Building, matching in two lengths of text, and matching without an index."""
    dice = random.Random(7)  # the same book and text in every run
    book = {"entries": {str(number): entry(number, dice) for number in range(ENTRIES)}}
    model = parse(book)
    text = scene(model, dice)
    expected = woken(model, text)
    few = min(runs, SLOW_RUNS)
    yield Measurement(
        "lorebook: build the index of 12,000 keys", timed_anew(lambda: first(book), runs), 1000.0
    )
    for length, goal in ((CHARACTERS, 50.0), (CHARACTERS // 5, None)):
        name = f"lorebook: 10,000 entries against {length:,} characters"
        yield Measurement(name, timed(matched(model, text[:length]), runs), goal)
    for name, search in (("a search for each key", plainly(model)), ("fast-tavern", by_fast_tavern(model))):
        if search(text) != expected:
            raise AssertionError(f"{name} names other entries than the index")
        yield Measurement(f"lorebook: the same with {name}", timed(partial(search, text), few))


def entry(number: int, dice: random.Random) -> dict[str, Any]:
    """An entry with one key; every fifth has a second."""
    keys = [word(dice) for _ in range(2 if number % 5 == 0 else 1)]
    return {"uid": number, "key": keys, "content": "一" * 120, "order": number}


def word(dice: random.Random) -> str:
    return "".join(dice.choices(HAN, k=dice.randint(2, 5)))


def scene(model: WorldBook, dice: random.Random) -> str:
    """A text in which one word of a hundred is a key."""
    keys = [key for one in model.entries for key in one.keys]
    parts = (dice.choice(keys) if dice.random() < 0.01 else word(dice) for _ in range(CHARACTERS))
    return "".join(parts)[:CHARACTERS]


def first(book: dict[str, Any]) -> Callable[[], object]:
    """A first match with a model nobody has asked yet, so that its index is made; the text is nothing."""
    model = parse(book)
    return lambda: compute_candidates(model, text="无")


def matched(model: WorldBook, text: str) -> Callable[[], object]:
    return lambda: compute_candidates(model, text=text)


def woken(model: WorldBook, text: str) -> set[int | str]:
    return {candidate.entry.uid for candidate in compute_candidates(model, text=text).accepted}


def plainly(model: WorldBook) -> Callable[[str], set[int | str]]:
    """Every key of every entry searched by itself."""
    return lambda text: {one.uid for one in model.entries if evaluate_entry(one, text).eligible}


def by_fast_tavern(model: WorldBook) -> Callable[[str], set[int | str]]:
    """fast-tavern 0.1.8 with the entries in its own form, without recursion and dice."""
    entries = [
        {
            "index": one.uid,
            "enabled": True,
            "activationMode": "keyword",
            "key": list(one.keys),
            "secondaryKey": [],
            "selectiveLogic": "andAny",
            "probability": 100,
            "order": one.insertion_order,
            "content": one.content,
            "preventRecursion": True,
        }
        for one in model.entries
    ]
    options = {"recursionLimit": 0, "rng": lambda: 0.0, "defaultCaseSensitive": False}

    def search(text: str) -> set[int | str]:
        given = {"contextText": text, "globalEntries": entries, "options": options}
        return {one["index"] for one in get_active_entries(given)}

    return search
