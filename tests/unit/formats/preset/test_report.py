"""The report: every prompt has a line, and what SillyTavern does otherwise is said where it does.

Rows are those of the table of differences in the facts about presets. Rows without a test here: 8 (it changes
nothing that is sent), 11, 19, 25 to 27, 29, 31 to 33, 35 to 38, 44 to 47 (they say what is sent: tests of
assembly and macros), 2 to 6, 9, 12, 21 (tests of order and reader), 28, 39, 52 to 54 (tests of diagnostics).
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from formats.preset import PresetError, PresetImportReport, read_preset
from formats.preset.departures import SENTENCES as DEPARTURES
from formats.preset.fates import FATES
from formats.preset.settings_told import SENTENCES as SETTINGS
from formats.preset.void import SENTENCES as VOID
from tests.support.preset_files import Json, marker, place, preset, presets, prompt, usual


def report_on(file: Json) -> PresetImportReport:
    return read_preset(file)[1]


def tavern(file: Json, id: str) -> set[str]:
    line = report_on(file).line(id)
    assert line is not None
    return {one.code for one in line.tavern}


def fate(file: Json, id: str) -> tuple[str, str]:
    line = report_on(file).line(id)
    assert line is not None
    return line.fate, line.code


def void(file: Json) -> dict[str, Any]:
    return {one.code: one for one in report_on(file).void}


def differences(file: Json) -> dict[str, Any]:
    return {one.code: one for one in report_on(file).differences}


DEEP = {"injection_position": 1, "injection_depth": 2}


@pytest.mark.req("PRE-10")
def test_the_numbers_of_section_six() -> None:
    off = prompt("c", "z", enabled=False)
    file = preset(
        [prompt("a", "x"), prompt("b", "y"), off, prompt("d"), prompt("d", "twin"), marker("chatHistory")],
        ["a", place("b", False), "c", "ghost", "chatHistory"],
        temperature=0.5,
    )
    file["prompt_order"].append({"character_id": 100000, "order": []})
    written = report_on(file).to_json()
    assert (written["promptCount"], written["enabledCount"], written["unreferencedCount"]) == (6, 2, 2)
    assert written["unreferenced"] == ["d", "d#2"]
    assert written["missingIdentifiers"] == ["ghost"]
    assert written["order"] == {
        "found": True,
        "characterId": 100001,
        "others": [100000],
        "missingCore": ["main", "jailbreak"],
    }
    assert [line["fileName"] for line in written["parameters"]] == ["temperature"]
    assert json.loads(json.dumps(written)) == written


@pytest.mark.req("PRE-10")
@pytest.mark.parametrize(
    ("made", "in_order", "expected"),
    [
        (prompt("a", "x"), True, ("sent", "in-line")),
        (prompt("a", "x", **DEEP), True, ("sent-elsewhere", "in-history")),
        (prompt("a", "x"), False, ("not-sent", "off-in-order")),
        (prompt("a", "x", enabled=False), True, ("not-sent", "off-itself")),
        (prompt("a", "x", enabled=False), False, ("not-sent", "off-in-order")),
        (prompt("a", "x"), None, ("not-sent", "not-in-order")),
        (prompt("a", " \n"), True, ("not-sent", "no-text")),
        (
            prompt("a", "{{// a }}\n{{setvar::x::1}}{{addvar::x::2}}{{trim}}"),
            True,
            ("not-sent", "writes-only"),
        ),
        (prompt("a", "{{setvar::x}}"), True, ("sent", "in-line")),
        (prompt("a", "{{getvar::x}}"), True, ("sent", "in-line")),
        (prompt("a", "{{// a }}b"), True, ("sent", "in-line")),
        (marker("charDescription"), True, ("not-sent", "never-filled")),
        (marker("personaDescription"), True, ("sent", "filled-persona")),
        (marker("personaDescription", **DEEP), True, ("sent-elsewhere", "persona-in-history")),
        (marker("worldInfoAfter", **DEEP), True, ("not-sent", "never-filled")),
    ],
)
def test_fates(made: Json, in_order: bool | None, expected: tuple[str, str]) -> None:
    places = [] if in_order is None else [place(made["identifier"], in_order)]
    file = preset([made, marker("chatHistory")], [*places, "chatHistory"])
    assert fate(file, made["identifier"]) == expected


def test_fates_of_holes_twins_and_tool_prompts() -> None:
    file = usual(prompt("a", "x"), prompt("a", "y"), prompt("t", "Call %TOOL_NAME%."))
    assert fate(file, "chatHistory") == ("sent", "filled-history")
    assert fate(file, "currentTurn") == ("sent", "filled-hole")
    assert fate(file, "a#2") == ("not-sent", "same-identifier")
    assert fate(file, "t") == ("sent", "in-line")
    assert fate({**file, "toolPolicy": "app"}, "t") == ("not-sent", "tool-protocol")


@pytest.mark.req("PRE-10")
@given(presets())
def test_every_prompt_has_one_line_and_every_line_a_known_reason(file: Json) -> None:
    try:
        package, report = read_preset(file)
    except PresetError:
        return
    assert sorted(line.id for line in report.prompts) == sorted(package.by_id)
    sent = {prompt.id for prompt in package.enabled_prompts()}
    for line in report.prompts:
        assert FATES[line.code][0] == line.fate
        assert line.said.text
        assert line.fate == "not-sent" or line.id in sent


# the table: SillyTavern beside us, prompt by prompt


@pytest.mark.req("PRE-10")
def test_on_there_and_off_here_row_1() -> None:
    file = usual(prompt("a", "x", enabled=False), prompt("b", "y", enabled=False), prompt("c", "z"))
    assert "tavern-sends" in tavern(file, "a")
    assert "tavern-sends" not in tavern(file, "c")
    assert void(file)["off-here-only"].args == {"count": 2, "names": "A, B"}
    both_off = preset([prompt("a", "x", enabled=False)], [place("a", False)])
    assert tavern(both_off, "a") == set()
    assert tavern(usual(prompt("a", "", enabled=False)), "a") == set()


@pytest.mark.parametrize(("system_prompt", "never"), [(True, True), (None, True), (False, False)])
def test_what_sillytavern_never_sends_row_7(system_prompt: bool | None, never: bool) -> None:
    made = prompt("a", "x")
    made["system_prompt"] = system_prompt
    assert ("tavern-never-sends" in tavern(usual(made), "a")) is never
    deep = {**made, **DEEP}
    assert "tavern-never-sends" not in tavern(usual(deep), "a")
    assert tavern(usual(), "main") == {"tavern-card-replaces"}


@pytest.mark.req("PRE-10")
def test_holes_that_stay_empty_row_10() -> None:
    file = usual(marker("charDescription"), marker("worldInfoBefore"), marker("personaDescription"))
    assert tavern(file, "charDescription") == {"tavern-fills"}
    assert tavern(file, "worldInfoBefore") == {"tavern-lore"}
    assert tavern(file, "personaDescription") == {"tavern-persona"}
    assert tavern(file, "worldBookBefore") == set()
    assert void(file)["holes-empty"].args["count"] == 2
    assert "holes-empty" not in void(usual(marker("personaDescription")))


@pytest.mark.parametrize(
    ("depth", "code"), [(0, "tavern-after-turn"), (1, "tavern-later"), (9, "tavern-later")]
)
def test_the_depth_is_one_further_row_14(depth: int, code: str) -> None:
    file = usual(prompt("a", "x", injection_position=1, injection_depth=depth))
    assert tavern(file, "a") == {code}
    line = report_on(file).line("a")
    assert line is not None
    assert line.said.args == {"depth": depth}
    assert void(file)["depth-prompts"].args["names"] == f"A ({depth})"


def test_a_missing_depth_is_never_placed_there() -> None:
    assert "tavern-never-places" in tavern(usual(prompt("a", "x", injection_position=1)), "a")


def test_a_missing_order_is_100_there_row_16() -> None:
    named = prompt("b", "y", **DEEP, injection_order=50)
    assert "tavern-order" in tavern(usual(prompt("a", "x", **DEEP), named), "a")
    assert "tavern-order" not in tavern(usual(prompt("a", "x", **DEEP)), "a")
    assert "tavern-order" not in tavern(usual(prompt("a", "x", **DEEP), named), "b")
    elsewhere = {**named, "injection_depth": 3}
    assert "tavern-order" not in tavern(usual(prompt("a", "x", **DEEP), elsewhere), "a")


def test_roles_and_joins_at_one_depth_rows_17_and_18() -> None:
    same = usual(prompt("a", "x", **DEEP), prompt("b", "y", **DEEP, injection_order=100))
    assert "tavern-joins" in tavern(same, "a")
    roles = usual(prompt("a", "x", **DEEP), prompt("b", "y", **DEEP, role="user"))
    assert tavern(roles, "a") == {"tavern-later", "tavern-roles"}
    apart = usual(prompt("a", "x", **DEEP), prompt("b", "y", **DEEP, injection_order=0))
    assert "tavern-joins" not in tavern(apart, "a")


def test_markers_at_a_depth_row_20() -> None:
    package, _ = read_preset(usual(marker("personaDescription", **DEEP), after=[]))
    assert package.by_id["personaDescription"].in_history
    history = preset([marker("chatHistory", **DEEP)])
    assert not read_preset(history)[0].by_id["chatHistory"].in_history


def test_triggers_row_22() -> None:
    file = usual(
        prompt("a", "x", injection_trigger=["swipe", "continue"]), prompt("b", "y", injection_trigger=[])
    )
    line = report_on(file).line("a")
    assert line is not None
    (told,) = [one for one in line.tavern if one.code == "tavern-triggers"]
    assert told.text.count("swipe, continue") == 1
    assert tavern(file, "b") == set()


def test_overrides_by_cards_row_23() -> None:
    file = usual(prompt("a", "x", forbid_overrides=True))
    assert "tavern-card-replaces" in tavern(file, "main")
    assert "tavern-card-replaces" in tavern(file, "jailbreak")
    file["prompts"][0]["forbid_overrides"] = True
    assert tavern(file, "main") == set()
    assert void(file)["forbid-overrides"].args["count"] == 2


def test_unknown_roles_row_24() -> None:
    assert tavern(usual(prompt("a", "x", role="wizard")), "a") == {"tavern-role"}
    assert tavern(usual(prompt("a", "x", role="")), "a") == set()


def test_trim_inside_a_text_row_30() -> None:
    assert tavern(usual(prompt("a", "x\n{{trim}}\ny")), "a") == {"tavern-trim"}
    assert tavern(usual(prompt("a", "{{trim}}\nx {{ Trim }}")), "a") == set()


# the table: the whole preset


@pytest.mark.req("PRE-7", "PRE-10")
@pytest.mark.parametrize(
    ("value", "code"),
    [
        (True, "squash-merge"),
        (False, None),
        ("merge", "squash-merge"),
        ("semi", "squash-ours"),
        (3, "squash-ours"),
    ],
)
def test_the_meaning_of_squash_rows_40_41_43(value: Any, code: str | None) -> None:
    told = differences(usual(squash_system_messages=value))
    assert [one for one in told if one.startswith("squash")] == ([code] if code else [])


def test_post_processing_is_never_mapped_row_43() -> None:
    file = usual(custom_prompt_post_processing="semi")
    assert read_preset(file)[0].squash == "none"
    assert differences(file)["post-processing"].args == {"value": "semi"}
    assert differences(usual(custom_prompt_post_processing="")) == {}


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"names_behavior": -1}, None),
        ({"names_behavior": 0}, "names-in-groups"),
        ({"names_behavior": 1}, "names"),
        ({"names_behavior": 2}, "names"),
        ({"names_in_completion": True}, "names"),
        ({"use_sysprompt": True}, "system-field"),
        ({"claude_use_sysprompt": True}, "system-field"),
        ({"assistant_prefill": "Sure"}, "prefill"),
        ({"assistant_impersonation": "As"}, "prefill"),
        ({"assistant_prefill": ""}, None),
        ({"continue_prefill": True}, "continuing"),
        ({"continue_postfix": "\n\n"}, "continuing"),
        ({"continue_postfix": " "}, None),
        ({"send_if_empty": "Go on."}, "texts-not-carried"),
        ({"new_chat_prompt": "[Start]", "group_nudge_prompt": "[Now]"}, "texts-not-carried"),
        ({"new_chat_prompt": ""}, None),
        ({"wi_format": "<lore>{0}</lore>"}, "formats-not-carried"),
        ({"wi_format": "{0}", "scenario_format": "{{scenario}}", "personality_format": ""}, None),
        ({"stop": ["\nUser:"]}, "stops"),
        ({"custom_stopping_strings": []}, None),
        ({"top_a": 0.2}, "samplers-not-sent"),
        ({"top_a": 0}, None),
        ({"reasoning_effort": "min"}, "effort"),
    ],
)
def test_settings_rows_13_48_49_50_51(fields: Json, code: str | None) -> None:
    """Marinara #2703: stops, prefill, verbosity and effort were dropped without a word."""
    told = differences(usual(**fields))
    assert list(told) == ([code] if code else [])


def test_marks_such_as_user_row_55() -> None:
    told = differences(
        usual(prompt("a", "<user>I</user> <USER> <rule>"), prompt("b", "<user>", enabled=False))
    )
    assert told["tags-kept"].args == {"count": 2}


# what is void


@pytest.mark.req("PRE-10")
def test_program_code_and_inline_regexes_are_named() -> None:
    file = usual(
        prompt("a", "<% if (x) { %>b<% } %>"),
        prompt("b", '<regex order=2>"/a/g":"b"</regex> <regex>"/c/":""</regex>'),
        prompt("c", "<%", enabled=False),
    )
    told = void(file)
    assert told["ejs"].args == {"count": 2, "names": "A"}
    assert told["inline-regex"].args == {"count": 2, "names": "B"}


@pytest.mark.req("PRE-10")
def test_macros_that_stay_are_named_row_34() -> None:
    told = void(usual(prompt("a", "{{random::a::b}} {{charPrompt}} {{user}} {{// {{time}} }}")))
    assert told["macros-raw"].args == {"count": 2, "names": "{{random}}, {{charprompt}}"}


def test_a_preset_without_texts_of_its_own_says_so() -> None:
    assert "no-own-texts" in void(preset([marker("chatHistory"), marker("scenario"), prompt("main", "")]))
    assert "no-own-texts" not in void(usual())


def test_an_ordinary_preset_has_nothing_to_complain_of() -> None:
    report = report_on(usual(prompt("a", "Calm.")))
    assert report.void == ()
    assert report.differences == ()
    assert report.findings == ()


def test_every_sentence_is_fit_to_be_shown() -> None:
    for sentences in (DEPARTURES, SETTINGS, VOID):
        for one in sentences.values():
            assert one.message.endswith(".")
            assert one.severity in ("info", "warning")
