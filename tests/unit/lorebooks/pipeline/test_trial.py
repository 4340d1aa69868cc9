"""How a pasted text becomes messages, and how a trial travels in an address."""

from __future__ import annotations

import json
import string
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.errors import DomainError
from formats.lorebook.model import MatchSources
from formats.lorebook.simulator import ScanSettings
from lorebooks.pipeline.trial import Trial
from lorebooks.pipeline.trial_address import packed, unpacked


def said(text: str, **fields: object) -> list[tuple[str, str, str]]:
    return [
        (one.name, one.text, one.role) for one in Trial.model_validate({"text": text, **fields}).messages()
    ]


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("", []),
        (" \n\n \t\n", []),
        ("one\ntwo", ["one\ntwo"]),
        ("one\n\ntwo\n \u3000\n\n\nthree\n", ["one", "two", "three"]),
        ("one\r\n\r\ntwo\rthree", ["one", "two\nthree"]),
        ("one\n\nstill one\n---\ntwo", ["one\n\nstill one", "two"]),
        ("---\none\n-----\n\ntwo\n---", ["one", "two"]),
        ("a --- b\n\nc", ["a --- b", "c"]),
    ],
)
def test_messages_are_parted_by_blank_lines_or_by_dashes(text: str, messages: list[str]) -> None:
    assert [one[1] for one in said(text)] == messages


def test_names_stand_before_messages() -> None:
    assert said("Ana: fog\n\n少女：雾") == [("Ana", "fog", "assistant"), ("少女", "雾", "assistant")]
    assert said("Ana: fog", user="Ana") == [("Ana", "fog", "user")]
    assert said(":x\n\nhttp://x\n\n" + "n" * 41 + ": x")[0] == ("", ":x", "assistant")
    assert said("n" * 41 + ": x")[0][0] == ""
    assert said("Ana:\nnext line")[0][:2] == ("", "Ana:\nnext line")


def test_whoever_has_no_name_speaks_in_turn() -> None:
    assert [one[2] for one in said("a\n\nb\n\nc")] == ["assistant", "user", "assistant"]
    assert Trial(text="a\n\nb\n\nc").scene().assistant_messages == 2
    assert Trial(text="a", chat_length=7).scene().assistant_messages == 4
    assert Trial(text="a", chat_length=7, replies=1).scene().assistant_messages == 1


def test_the_page_sets_everything_that_can_be_set() -> None:
    """No option of the simulator that no page sets."""
    fields = set(Trial.model_fields)
    assert set(ScanSettings.__dataclass_fields__) <= fields
    assert set(MatchSources.__dataclass_fields__) <= fields
    assert Trial().settings() == ScanSettings()


trials = st.builds(
    Trial,
    text=st.text(max_size=200, alphabet=st.characters(exclude_categories=["Cs"])),
    scan_depth=st.none() | st.integers(0, 1000),
    recursion=st.none() | st.booleans(),
    whole_words=st.booleans(),
    dice=st.integers(0, 9999),
    books=st.lists(st.text(string.ascii_lowercase, min_size=1, max_size=30), max_size=3).map(tuple),
)


@given(trials)
def test_an_address_brings_the_same_trial(trial: Trial) -> None:
    text = packed(trial)
    assert unpacked(text) == trial
    assert set(text) <= set(string.ascii_letters + string.digits + "-_")


@given(st.text(max_size=60))
def test_no_address_does_harm(text: str) -> None:
    with suppress(DomainError):
        assert isinstance(unpacked(text), Trial)


def test_a_trial_of_a_later_program_is_read_as_far_as_it_is_known() -> None:
    assert Trial.model_validate(json.loads('{"text": "a", "weather": "fog"}')) == Trial(text="a")
