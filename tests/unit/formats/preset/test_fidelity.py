"""What works differently, each thing once: the numbers of the report's first sentence add up."""

from __future__ import annotations

from typing import Any

import pytest

from formats.preset.departures import SENTENCES as DEPARTURES
from formats.preset.fidelity import ALIKE, KEPT, READ_OTHERWISE
from formats.preset.reader import read_preset
from formats.preset.report import PresetImportReport
from formats.preset.settings_told import SENTENCES as SETTINGS
from formats.preset.telling import SENTENCES as READING
from formats.preset.void import SENTENCES as VOID
from tests.support.preset_files import marker, preset, prompt, usual


def report_on(file: dict[str, Any]) -> PresetImportReport:
    return read_preset(file)[1]


@pytest.mark.req("PRE-10")
def test_each_prompt_of_the_file_has_one_fate_and_what_is_sent_adds_up() -> None:
    prompts = [prompt("main", "x"), prompt("off", "y"), prompt("loose", "z"), prompt("deep", "d")]
    prompts[3] |= {"injection_position": 1, "injection_depth": 2}
    order: list[Any] = ["main", {"identifier": "off", "enabled": False}, "deep", "chatHistory"]
    report = report_on(preset([*prompts, marker("chatHistory")], order))
    assert report.prompt_count == sum(report.fates.values()) == 5
    assert report.as_ordered == 3
    assert report.fates == {
        "in-line": 1,
        "off-in-order": 1,
        "in-history": 1,
        "filled-history": 1,
        "not-in-order": 1,
    }


@pytest.mark.req("PRE-10")
def test_a_difference_stands_once_with_all_its_prompts() -> None:
    file = preset([marker("charDescription"), marker("scenario"), prompt("a", "x"), marker("chatHistory")])
    [fills] = [one for one in report_on(file).fidelity if one.code == "tavern-fills"]
    assert (fills.becomes, fills.count, fills.prompts) == ("kept", 2, ("charDescription", "scenario"))
    assert not any(one.code == "holes-empty" for one in report_on(file).fidelity)


def test_what_is_no_difference_is_not_counted() -> None:
    deep = prompt("deep", "d", injection_position=1, injection_depth=0)
    codes = {one.code for one in report_on({**usual(deep), "use_sysprompt": True}).fidelity}
    assert codes == {"tavern-after-turn", "tavern-card-replaces"}


def test_warnings_come_first_and_a_prompt_off_itself_is_told_once() -> None:
    report = report_on({**usual(prompt("a", "x", enabled=False)), "names_behavior": 0})
    first, *others = report.fidelity
    assert (first.code, first.becomes, first.prompts) == ("tavern-sends", "changed", ("a",))
    assert [one.code for one in others] == ["tavern-card-replaces", "names-in-groups"]


def test_variables_that_nothing_sets_are_one_difference() -> None:
    report = report_on(usual(prompt("a", "{{getvar::x}}{{getvar::y}}"), prompt("b", "{{getvar::x}}")))
    [unset] = [one for one in report.fidelity if one.code == "variables-unset"]
    assert (unset.count, unset.prompts) == (2, ("a", "b"))
    assert unset.said.text.startswith("2 variables are read before anything sets them")


def test_what_reading_took_otherwise_than_sillytavern_counts() -> None:
    file = usual(prompt("a", "x"))
    del file["prompt_order"][0]["order"][0]["enabled"]
    assert "order-switch-missing" in {one.code for one in report_on(file).fidelity}


def test_every_code_that_is_sorted_is_one_that_is_told() -> None:
    assert {*DEPARTURES, *SETTINGS, *VOID, *READING} >= ALIKE | KEPT | READ_OTHERWISE
