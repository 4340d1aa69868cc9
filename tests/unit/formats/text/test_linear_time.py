"""Card text is untrusted: no step may cost more than in proportion to the length of what it reads."""

from collections.abc import Callable

import pytest

from formats.card.sections import sections_of
from formats.text.cleaning import clean_lore, clean_prose
from formats.text.markup import tag_names
from formats.text.split import sentences, split_text
from tests.support.timing import assert_linear

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
    "<script>",
    "<update>\n",
    "```\n[",
    "@@a\n",
    "_.set(",
    "\n ",
    "[a: ",
    "<外貌>",
    "<外貌>\n</性格>\n",
    "外貌：高\n",
    "# 外貌\n【性格】\n",
    'a("',
    "。'",
    "“",
    "( ",
]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("step", STEPS)
def test_hostile_repetition_costs_linear_time(step: str, unit: str) -> None:
    assert_linear(STEPS[step], unit, 80_000)
