"""A scan of a lorebook by the activation simulator: what the match tester does while somebody types."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from benchmarks.matching import entry, word
from benchmarks.measure import Measurement, timed, timed_anew
from formats.lorebook import WorldBook, parse
from formats.lorebook.simulator import (
    Activation,
    Book,
    ScanSettings,
    Scene,
    SceneMessage,
    Verdict,
    fixed_dice,
    simulate,
)
from formats.text.tokens import count_tokens

MESSAGES = 20


def measure(runs: int) -> Iterator[Measurement]:
    """A first scan, later ones, and the verdicts on all entries; every fiftieth entry is always on."""
    dice = random.Random(11)  # the same book and story in every run
    for entries, characters, goal in ((1_000, 20_000, 30.0), (10_000, 100_000, 150.0)):
        book = {"entries": {str(number): _entry(number, dice) for number in range(entries)}}
        model = parse(book)
        scene = _scene(model, characters, dice)
        name = f"scan: {entries:,} entries, {MESSAGES} messages of {characters:,} characters"
        yield Measurement(f"{name}, first", timed_anew(partial(_first, book, scene), runs))
        yield Measurement(name, timed(partial(_scan, model, scene), runs), goal)
        yield Measurement(f"{name}, with all verdicts", timed(partial(_verdicts, model, scene), runs))


def _entry(number: int, dice: random.Random) -> dict[str, Any]:
    return {**entry(number, dice), "constant": number % 50 == 0}


def _scene(model: WorldBook, characters: int, dice: random.Random) -> Scene:
    """Twenty messages with three keys each."""

    def text() -> str:
        words = [word(dice) for _ in range(characters // MESSAGES // 4)]
        for one in dice.sample(model.entries, 3):
            words.insert(dice.randrange(len(words)), one.keys[0])
        return "".join(words)[: characters // MESSAGES]

    return Scene(tuple(SceneMessage(text(), "Lina") for _ in range(MESSAGES)))


def _first(book: dict[str, Any], scene: Scene) -> Callable[[], Activation]:
    """A scan of a book that was never scanned."""
    return partial(_scan, parse(book), scene)


def _verdicts(model: WorldBook, scene: Scene) -> tuple[Verdict, ...]:
    return _scan(model, scene).verdicts


def _scan(model: WorldBook, scene: Scene) -> Activation:
    return simulate(
        [Book("b", model)],
        scene,
        ScanSettings(scan_depth=MESSAGES),
        dice=fixed_dice("benchmark"),
        run_patterns=None,
        count_tokens=count_tokens,
    )
