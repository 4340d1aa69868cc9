"""Edits in any number and order leave a preset that is whole, is stored without loss and leaves as a file."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.errors import DomainError
from formats.preset import read_preset, sillytavern_of
from formats.preset.model import FIXED_HOLES, PresetPackage, PresetPrompt
from formats.preset.reader import read_file
from presets.pipeline import editing, placing
from presets.pipeline.state_file import read_state, state_bytes
from tests.support.preset_files import presets

KINDS = ["save", "add", "twin", "delete", "unplace", "up", "down", "before", "after", "at", "on", "off"]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(KINDS),
        st.integers(0, 30),
        st.integers(0, 30),
    ),
    max_size=8,
)


def edited(package: PresetPackage, step: tuple[str, int, int], number: int) -> PresetPackage:
    what, first, second = step
    prompts = package.prompts
    one, other = prompts[first % len(prompts)], prompts[second % len(prompts)]
    made = PresetPrompt(f"new-{number}", "New", "Words.", source_identifier=f"new-{number}")
    if what == "save":
        fields: dict[str, Any] = {"name": f"N{second}", "role": "assistant"}
        fields |= {} if one.is_hole else {"content": f"Text {second}", "in_history": second % 2 == 0}
        return editing.replaced(package, editing.with_fields(one, fields))
    if what in ("add", "twin"):
        return editing.added(package, made, one.id if what == "twin" else "")
    if what in ("delete", "unplace"):
        act = editing.without if what == "delete" else editing.unplaced
        return act(package, one.id)
    if what in ("up", "down"):
        return placing.stepped(package, one.id, -1 if what == "up" else 1)
    if what in ("before", "after"):
        return placing.put_beside(package, one.id, other.id, after=what == "after")
    if what == "at":
        return placing.put_at(package, one.id, second)
    return editing.switched(package, one.id, what == "on")


def after(package: PresetPackage, steps: list[tuple[str, int, int]]) -> PresetPackage:
    for number, step in enumerate(steps):
        try:
            package = edited(package, step, number)
        except DomainError as error:
            if error.kind != "invalid":  # a place that stays, or a prompt before itself
                raise
    return package


@pytest.mark.req("PRE-13")
@given(presets(), STEPS)
def test_an_edited_preset_is_whole(value: dict[str, Any], steps: list[tuple[str, int, int]]) -> None:
    package = after(read_file(value)[0], steps)
    line = [item.prompt_id for item in package.prompt_order]
    assert len(set(line)) == len(line)
    assert set(line) <= package.by_id.keys()
    assert len(package.by_id) == len(package.prompts)
    assert [item.index for item in package.prompt_order] == list(range(len(line)))
    there = {package.by_id[one].source_identifier for one in line}
    assert there >= FIXED_HOLES
    assert read_state(state_bytes(package), "x", package.raw or {}, id="", name=package.name) == package


@pytest.mark.req("PRE-13", "PRE-14")
@given(presets(), STEPS)
def test_an_edited_preset_leaves_as_a_file_that_sends_the_same(
    value: dict[str, Any], steps: list[tuple[str, int, int]]
) -> None:
    package = after(read_file(value)[0], steps)
    again, _report = read_preset(sillytavern_of(package))

    def said(one: PresetPackage) -> list[tuple[str, str, bool]]:
        sent = (prompt for prompt in one.enabled_prompts() if not prompt.is_hole)
        return [(prompt.role, prompt.content, prompt.in_history) for prompt in sent]

    assert said(again) == said(package)


def test_what_was_not_edited_keeps_its_spelling() -> None:
    prompt = PresetPrompt("a", "A")
    assert editing.with_fields(prompt, editing.fields_of(prompt)) == prompt
    assert editing.with_fields(prompt, {"name": "B"}).injection is None
