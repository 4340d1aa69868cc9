"""Card text is untrusted: no step may cost more than in proportion to the length of what it reads."""

import time
from collections.abc import Callable

import pytest

from formats.card.sections import sections_of
from formats.text.cleaning import clean_lore, clean_prose
from formats.text.markup import tag_names
from formats.text.split import sentences, split_text

STEPS: dict[str, Callable[[str], object]] = {
    "prose": lambda text: clean_prose(text, "Lina"),
    "lore": lambda text: clean_lore(text, "Lina"),
    "split": split_text,
    "sentences": sentences,
    "sections": sections_of,
    "tags": tag_names,
}
UNITS = [
    "<%",
    "...",
    "{{",
    "{{// ",
    "<user>",
    "```\n[",
    "@@a\n",
    "_.set(",
    "\n ",
    "[a: ",
    'a("',
    "。'",
    "“",
    "( ",
]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("step", STEPS)
def test_hostile_repetition_costs_linear_time(step: str, unit: str) -> None:
    def seconds(size: int) -> float:
        begun = time.perf_counter()
        STEPS[step](unit * (size // len(unit)))
        return time.perf_counter() - begun

    small = max(seconds(5_000), 0.002)
    assert seconds(80_000) < 16 * 6 * small
