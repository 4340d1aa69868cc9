"""What moved is told with as few prompts as can be."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.preset.model import OrderItem, PresetPackage, PresetPrompt
from presets.pipeline.differences import diff_presets


def in_line(ids: Sequence[str]) -> PresetPackage:
    prompts = tuple(PresetPrompt(id, id) for id in sorted(ids))
    order = tuple(OrderItem(id, True, index) for index, id in enumerate(ids))
    return PresetPackage("", "", "native", prompts, order)


@pytest.mark.req("PRE-13")
@given(st.permutations("abcdef"))
def test_the_fewest_moves_are_told(new: list[str]) -> None:
    old = "abcdef"
    diff = diff_presets(in_line(old), in_line(new))
    moved = {move.id for move in diff.moved}
    assert [id for id in old if id not in moved] == [id for id in new if id not in moved]
    for fewer in combinations(old, max(0, len(moved) - 1)):
        if moved:
            assert [id for id in old if id not in fewer] != [id for id in new if id not in fewer]
    for move in diff.moved:
        assert (old[move.before - 1], new[move.after - 1]) == (move.id, move.id)


def test_what_came_or_went_moves_nothing() -> None:
    diff = diff_presets(in_line("abcd"), in_line("xbydz"))
    assert not diff.moved
    assert [prompt.id for prompt in diff.added] == ["x", "y", "z"]
    assert [prompt.id for prompt in diff.removed] == ["a", "c"]


def test_a_prompt_that_lost_its_place_is_told_as_off() -> None:
    old, new = in_line("ab"), in_line("ab")
    new = PresetPackage("", "", "native", new.prompts, new.prompt_order[:1])
    [change] = diff_presets(old, new).changed
    assert (change.id, change.names) == ("b", ("on",))
