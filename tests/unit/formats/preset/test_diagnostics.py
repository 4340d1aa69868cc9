"""Macros, tags, scripts and tools of a preset, and the parts of a file that have no effect."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from formats.preset import PresetImportReport, assemble, read_preset
from formats.preset.macro_report import macro_report, sends_nothing
from tests.support.assembling import package_of
from tests.support.preset_files import Json, marker, preset, prompt, usual


def report_on(*before: Json, after: Any = (), **fields: Any) -> PresetImportReport:
    return read_preset(usual(*before, after=after, **fields))[1]


def script(name: str, **fields: Any) -> Json:
    return {"scriptName": name, "findRegex": "/(/", "placement": [1, 2], "disabled": False, **fields}


# macros


@pytest.mark.req("PRE-10")
def test_macros_that_expand_and_those_that_stay() -> None:
    macros = report_on(
        prompt("a", "{{user}} {{User}} {{char}} {{time}}"), prompt("b", "{{user}} {{getvar}} {{roll:2d6+3}}")
    ).macros
    assert [(one.name, one.count, list(one.prompts)) for one in macros.expanded] == [
        ("user", 3, ["a", "b"]),
        ("char", 1, ["a"]),
        ("roll", 1, ["b"]),
    ]
    assert [(one.name, list(one.prompts)) for one in macros.raw] == [("time", ["a"]), ("getvar", ["b"])]


@pytest.mark.req("PRE-10")
def test_dice_are_counted_by_what_becomes_of_them() -> None:
    text = "{{roll:1d6}} {{roll:9999999d6}} {{roll}} {{roll:d0}} {{roll:-1d6}} {{roll:{{getvar::n}}}}"
    package = package_of(prompt("a", text), prompt("b", "{{roll:d0}}"), marker("chatHistory"))
    macros = macro_report(package.enabled_prompts())
    for lines, count in ((macros.expanded, 2), (macros.raw, 2), (macros.nothing, 3)):
        assert [line.count for line in lines if line.name == "roll"] == [count]
    assert [(line.count, line.expands) for line in macros.random] == [(2, True), (2, False)]
    assembly = assemble(package)
    sent = "".join(message["content"] for message in assembly.messages)
    assert sent.count("{{") == 2
    assert sends_nothing("{{roll:d0}}")
    assert not sends_nothing("{{roll:d6}}")
    assert [one.reason for one in assembly.unsent if one.prompt_id == "b"] == ["empty"]


@pytest.mark.req("PRE-10")
def test_only_what_is_sent_is_looked_at() -> None:
    file = preset([prompt("a", "{{time}}", enabled=False), prompt("b", "{{date}}")], ["a"])
    assert read_preset(file)[1].macros.raw == ()


@pytest.mark.req("PRE-10")
def test_random_macros_before_the_history_row_39() -> None:
    random = report_on(
        prompt("a", "{{random::x::y}} {{roll:1d6}} {{roll:1d6}} {{pick::x::y}}"),
        prompt("deep", "{{roll:d20}}", injection_position=1, injection_depth=0),
        after=[prompt("b", "{{random::x::y}}")],
    ).macros.random
    assert {(one.prompt, one.name): (one.count, one.before_history, one.expands) for one in random} == {
        ("a", "random"): (1, True, False),
        ("a", "roll"): (2, True, True),
        ("a", "pick"): (1, True, False),
        ("deep", "roll"): (1, False, True),
        ("b", "random"): (1, False, False),
    }


@pytest.mark.req("PRE-10")
def test_variables_read_before_they_are_written_row_28() -> None:
    unset = report_on(
        prompt("a", "{{getvar::mood}} {{setvar::mood::calm}} {{getvar::mood}} {{setvar::x::{{getvar::y}}}}"),
        prompt("b", "{{getvar::x}} {{getvar:: mood }} {{getvar::later}} {{// {{getvar::never}} }}"),
        prompt("c", "{{setvar::later::1}}"),
    ).macros.unset
    assert [(one.variable, one.prompt) for one in unset] == [("mood", "a"), ("y", "a"), ("later", "b")]


@pytest.mark.req("PRE-10")
def test_macros_that_cross_prompts() -> None:
    """Lumiverse #9: `setvar` opened in one prompt and closed in another."""
    file = usual(prompt("a", "{{setvar::x::"), prompt("b", "long"), prompt("c", "text}} {{user}}"))
    report = read_preset(file)[1]
    (pair,) = report.macros.crossing
    assert (pair.opened_in, pair.closed_in) == ("a", "c")
    assert report_on(prompt("a", "}} {{")).macros.crossing == ()


# tags


@pytest.mark.req("PRE-10")
@pytest.mark.parametrize(
    ("made", "scattered"),
    [
        ([prompt("a", "<rules>"), prompt("b", "</rules>")], False),
        ([prompt("a", "<rules>"), prompt("b", "</rules>", role="user")], True),
        ([prompt("a", "<rules>"), marker("personaDescription"), prompt("b", "</Rules>")], True),
    ],
)
def test_tags_that_cross_prompts(made: list[Json], scattered: bool) -> None:
    (pair,) = report_on(*made).tag_pairs
    assert pair.to_json() == {"name": "rules", "openedIn": "a", "closedIn": "b", "scattered": scattered}


@pytest.mark.req("PRE-10")
def test_tags_around_the_history() -> None:
    (pair,) = report_on(prompt("a", '<story part="1">'), after=[prompt("b", "</story>")]).tag_pairs
    assert (pair.opened_in, pair.closed_in, pair.scattered) == ("a", "b", True)


@pytest.mark.parametrize(
    "texts",
    [
        ("<a>x</a>", "<a></a>"),
        ("<user>", "</br>"),
        ("<br>", "<img/>"),
        ("</a>", "<a>"),
        ("a < b", "c > d"),
        ("<规则>内</规则>", ""),
    ],
)
def test_tags_that_do_not(texts: tuple[str, str]) -> None:
    assert report_on(*(prompt(str(at), text) for at, text in enumerate(texts))).tag_pairs == ()


def test_chinese_tags_and_nesting() -> None:
    pairs = report_on(prompt("a", "<规则><a>"), prompt("b", "</a>"), prompt("c", "</规则>")).tag_pairs
    assert [(one.name, one.opened_in, one.closed_in) for one in pairs] == [
        ("a", "a", "b"),
        ("规则", "a", "c"),
    ]


# tools


@pytest.mark.req("PRE-10")
def test_pseudo_tool_protocols_row_53() -> None:
    tools = report_on(
        prompt("a", "Call %TOOL_NAME% with stream_target = display_stream."),
        prompt("b", "50% APPROVED%"),
        extensions={
            "SPreset": {
                "ToolBindings": [
                    {
                        "form": {
                            "name": "write_scene",
                            "description": "Writes.",
                            "parameters": {"text": {"type": "string"}},
                        }
                    }
                ]
            }
        },
    ).tools
    assert tools.to_json() == {
        "prompts": ["a"],
        "placeholders": ["%TOOL_NAME%"],
        "fields": ["display_stream"],
        "declared": [
            {
                "name": "write_scene",
                "description": "Writes.",
                "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": []},
                "path": "extensions.SPreset.ToolBindings[0]",
            }
        ],
    }


@pytest.mark.req("PRE-8", "PRE-10")
def test_settings_carried_by_a_prompt() -> None:
    tools = {"tools": [{"form": {"name": "w", "parameters": {}}}]}
    settings = json.dumps({"ToolBindings": tools, "ChatSquash": {"enabled": True}})
    package, report = read_preset(usual(prompt("SPresetSettings", settings)))
    assert [tool.path for tool in package.declared_tools] == ["prompts[1].content.ToolBindings.tools[0]"]
    assert report.scripts.chat_squash
    assert {"settings-sent", "chat-squash"} <= {one.code for one in report.void}


# scripts


@pytest.mark.req("PRE-1", "PRE-10")
def test_regex_scripts_by_count_and_effect_row_52() -> None:
    report = report_on(
        extensions={
            "regex_scripts": [
                script("Text"),
                script("Shown", markdownOnly=True, placement=[2, 6]),
                script("Sent", promptOnly=True),
                script("Both", markdownOnly=True, promptOnly=True),
                script("Off", disabled=True),
                "junk",
            ],
            "SPreset": {"RegexBinding": {"regexes": [script("Bound", promptOnly=True)]}},
        }
    )
    assert report.scripts.effects == {"text": 1, "sent": 2, "shown": 1, "both": 1}
    shown = report.scripts.regex[1]
    assert (shown.effect, shown.changes_prompt, shown.placements) == (
        "shown",
        False,
        ("ai-output", "reasoning"),
    )
    told = {one.code: one.args.get("count") for one in report.void}
    assert told == {"regex-changes-prompt": 4, "regex-changes-display": 1, "regex-off": 1}
    paths = {one.path for one in report.unsupported}
    assert paths >= {f"extensions.regex_scripts[{n}]" for n in range(6)}
    assert "extensions.SPreset.RegexBinding.regexes[0]" in paths


@pytest.mark.req("PRE-1", "PRE-14")
def test_scripts_and_sections_of_extensions() -> None:
    report = report_on(
        extensions={
            "tavern_helper": {
                "scripts": [
                    {"name": "Update", "enabled": False, "content": "import 'x'"},
                    {"type": "script", "value": {"name": "Wrapped"}},
                    {"type": "folder", "scripts": [{"name": "Inner"}]},
                ],
                "variables": {"a": 1},
            },
            "SPreset": {
                "ChatSquash": {
                    "enabled": True,
                    "squashed_post_script_enable": True,
                    "squashed_post_script": "x()",
                },
                "MacroNest": True,
            },
            "other": {"deep": 1},
        }
    )
    assert [(one.name, one.enabled) for one in report.scripts.extension] == [
        ("Update", False),
        ("Wrapped", True),
        ("Inner", True),
    ]
    assert {"extension-scripts", "chat-squash", "post-script"} <= {one.code for one in report.void}
    assert {one.path for one in report.unsupported} == {
        "extensions.tavern_helper.scripts[0]",
        "extensions.tavern_helper.scripts[1]",
        "extensions.tavern_helper.scripts[2].scripts[0]",
        "extensions.tavern_helper.variables",
        "extensions.SPreset.ChatSquash",
        "extensions.SPreset.MacroNest",
        "extensions.other",
    }


@pytest.mark.parametrize(
    "extensions", [None, [], "x", {"regex_scripts": {}}, {"tavern_helper": []}, {"SPreset": "x"}]
)
def test_odd_extensions(extensions: Any) -> None:
    report = report_on(extensions=extensions)
    assert (report.scripts.regex, report.scripts.extension) == ((), ())


# parts without effect


@pytest.mark.req("PRE-1", "PRE-14")
def test_each_part_without_effect_has_its_path_and_a_reason_row_54() -> None:
    file = usual(
        prompt("a", "x", tooltip="t", extra={"x": 1}),
        prompt("b", "x", extra={}),
        mystery={"deep": 1},
        openai_model="m",
        some_new_model="m",
        bias_preset_selected="None",
        top_a=0,
        new_chat_prompt="",
        assistant_prefill="",
    )
    file["prompt_order"].insert(0, {"character_id": 100000, "order": [], "odd": 1})
    package, report = read_preset(file)
    reasons = {one.path: one.reason for one in package.unsupported}
    assert set(reasons) == {
        "prompts[1].tooltip",
        "prompts[1].extra",
        "mystery",
        "openai_model",
        "some_new_model",
        "bias_preset_selected",
        "top_a",
        "assistant_prefill",
        "prompt_order[0]",
        "prompt_order[0].odd",
    }
    assert reasons["mystery"] == reasons["prompts[1].tooltip"]
    assert reasons["openai_model"] == reasons["some_new_model"]
    assert len(set(reasons.values())) == 6
    assert report.unsupported == package.unsupported
    assert package.raw == file


def test_thousands_of_crossing_tags_end_in_time() -> None:
    began = time.process_time()
    report = report_on(prompt("a", "<x>" * 200_000), prompt("b", "</x>" * 200_000))
    assert len(report.tag_pairs) == 200
    assert time.process_time() - began < 2
