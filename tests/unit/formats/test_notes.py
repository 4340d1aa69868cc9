"""Findings are grouped; texts of the file are quoted briefly."""

import pytest

from formats.finding import Finding
from formats.notes import LONGEST_ARG, SHOWN_EACH, Notes, Sentence

SENTENCES = {"a": Sentence("warning", "A {name}", "Do it"), "b": Sentence("info", "B")}


def test_the_first_few_are_listed_and_the_rest_counted() -> None:
    notes = Notes(SENTENCES)
    for index in range(SHOWN_EACH + 3):
        notes.add("a", f"x[{index}]", name=index)
    notes.add("b", "y")
    found = notes.findings()
    assert [finding.where for finding in found[:SHOWN_EACH]] == [f"x[{index}]" for index in range(SHOWN_EACH)]
    assert found[SHOWN_EACH].text == "3 more places needed the same as x[0]."
    assert found[SHOWN_EACH].severity == "warning"
    assert found[-1].code == "b"


def test_a_reason_stands_in_place_of_the_hint() -> None:
    notes = Notes(SENTENCES)
    notes.add("a", "x", because="It has {size} bytes.", name="y", size=3)
    assert notes.findings()[0].hint == "It has {size} bytes."


def test_long_texts_are_shortened() -> None:
    notes = Notes(SENTENCES)
    notes.add("a", "x", name="y" * 1000)
    assert len(notes.findings()[0].args["name"]) == LONGEST_ARG + 1


def test_an_unknown_code_is_a_mistake_of_the_program() -> None:
    with pytest.raises(KeyError):
        Notes(SENTENCES).add("c", "x")


def test_findings_of_another_reader_are_taken_as_they_are() -> None:
    notes = Notes(SENTENCES)
    other = [Finding("info", "other", str(index), "M") for index in range(9)]
    notes.take(other)
    assert notes.findings() == other
