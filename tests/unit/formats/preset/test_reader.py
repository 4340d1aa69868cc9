"""Files and values become packages: shapes, spellings, limits, and what is no preset."""

from __future__ import annotations

import copy
import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.preset import PresetError, read_preset
from formats.preset.kinds import kind_of_other, shape_of
from formats.preset.reader import DEPTH, FILE_BYTES, MOST_PROMPTS, MOST_VALUES
from formats.preset.refusals import OTHER_KINDS, REFUSALS
from tests.support import preset_files as presets
from tests.support.preset_files import Json, marker, place, preset, prompt, usual
from tests.support.timing import assert_within


def codes(report: Any) -> dict[str, Any]:
    return {finding.code: finding for finding in report.findings}


def refusal(raw: Any) -> PresetError:
    with pytest.raises(PresetError) as caught:
        read_preset(raw)
    return caught.value


@pytest.mark.req("PRE-1", "PRE-14")
def test_every_field_of_a_prompt_survives() -> None:
    file = usual(
        prompt(
            "tide",
            "The tide.",
            role="assistant",
            enabled=False,
            injection_position=1,
            injection_depth=2,
            injection_order=7,
            injection_trigger=["swipe"],
            forbid_overrides=True,
            system_prompt=True,
        )
    )
    package, _ = read_preset(file, id="p-1", name="Harbour")
    assert (package.id, package.name, package.source) == ("p-1", "Harbour", "sillytavern")
    assert package.by_id["tide"].to_json() == {
        "id": "tide",
        "name": "Tide",
        "enabled": False,
        "role": "assistant",
        "content": "The tide.",
        "marker": False,
        "sourceIdentifier": "tide",
        "injection": {"position": 1, "depth": 2, "order": 7},
        "systemPrompt": True,
        "forbidOverrides": True,
        "triggers": ["swipe"],
        "rawIndex": 1,
    }


@pytest.mark.req("PRE-14")
def test_the_package_speaks_the_contracts_spelling() -> None:
    file = usual(temperature=0.5, openai_max_context=8000, squash_system_messages=True, mystery=1)
    written = read_preset(file, id="x")[0].to_json()
    assert written["promptOrder"][0] == {"promptId": "main", "enabled": True, "orderIndex": 0}
    assert written["generation"] == {"temperature": 0.5, "maxContextTokens": 8000}
    assert written["messagePolicy"] == {"squash": "merge"}
    assert written["unsupported"] == [{"path": "mystery", "reason": "An unknown field; it is kept as it is."}]
    assert written["raw"] == file
    assert written["orderCharacterId"] == 100001


@pytest.mark.req("PRE-1")
def test_the_raw_file_is_kept_and_what_is_given_is_not_changed() -> None:
    file = usual(nobody_knows={"deep": [1, {"x": None}]}, proxy_password="hush")
    before = copy.deepcopy(file)
    package, report = read_preset(file)
    assert file == before
    del before["proxy_password"]
    assert package.raw == before
    assert report.secrets == ("proxy_password",)


@pytest.mark.parametrize("as_given", ["dict", "str", "bytes", "bom", "utf-16", "crlf"])
def test_values_texts_and_bytes_are_one(as_given: str) -> None:
    file = usual(prompt("tide", "潮水"))
    text = json.dumps(file, ensure_ascii=False, indent=1)
    raw: dict[str, Any] = {
        "dict": file,
        "str": "\ufeff" + text,
        "bytes": text.encode(),
        "bom": b"\xef\xbb\xbf" + text.encode(),
        "utf-16": text.encode("utf-16"),
        "crlf": text.replace("\n", "\r\n").encode(),
    }
    assert read_preset(raw[as_given])[0] == read_preset(file)[0]


def test_small_mistakes_in_the_json_are_mended_and_told() -> None:
    text = json.dumps(usual())[:-1] + ", // the end\n}"
    package, report = read_preset(text)
    assert package.by_id["main"].content == "Tell the story of the harbour."
    assert "json-lenient" in codes(report)


@pytest.mark.parametrize(
    ("role", "read", "told"),
    [
        ("system", "system", None),
        ("user", "user", None),
        ("assistant", "assistant", None),
        ("model", "assistant", "role-read"),
        ("Assistant", "assistant", None),
        (2, "assistant", "role-read"),
        (None, "system", "role-missing"),
        ("", "system", "role-missing"),
        ("wizard", "system", "role-unknown"),
        ([], "system", "role-unknown"),
    ],
)
def test_roles_row_24(role: Any, read: str, told: str | None) -> None:
    package, report = read_preset(preset([prompt("a", "x", role=role)]))
    assert package.by_id["a"].role == read
    assert [code for code in codes(report) if code.startswith("role")] == ([told] if told else [])


def test_a_missing_switch_is_on_row_1() -> None:
    file = usual()
    for one in file["prompts"]:
        one.pop("enabled", None)
    package, _ = read_preset(file)
    assert all(one.enabled for one in package.prompts)


@pytest.mark.parametrize(
    ("switch", "on"), [("false", False), (0, False), ("yes", True), ("maybe", True), ({}, True)]
)
def test_odd_switches(switch: Any, on: bool) -> None:
    package, report = read_preset(preset([prompt("a", "x", enabled=switch)]))
    assert package.by_id["a"].enabled is on
    assert ("switch-unreadable" in codes(report)) == (switch in ("maybe", {}))


def test_equal_identifiers_row_6() -> None:
    file = preset([prompt("main", "one"), prompt("main", "two"), prompt("main", "three")], ["main"])
    package, report = read_preset(file)
    assert [one.id for one in package.prompts][:3] == ["main", "main#2", "main#3"]
    assert [one.source_identifier for one in package.prompts][:3] == ["main"] * 3
    assert [one.content for one in package.enabled_prompts() if not one.is_hole] == ["one"]
    assert codes(report)["identifier-repeated"].args["count"] == 2
    assert package.raw is not None
    assert len(package.raw["prompts"]) == 3


def test_ids_stay_unique_whatever_the_file_calls_its_prompts() -> None:
    file = preset([prompt("a"), prompt("a#2"), prompt("a"), {"content": "n"}, prompt("prompt-4")], [])
    ids = [one.id for one in read_preset(file)[0].prompts]
    assert len(set(ids)) == len(ids)
    assert ids[:2] == ["a", "a#2"]


def test_prompts_without_identifier_are_kept_and_named() -> None:
    package, report = read_preset(preset([prompt("a", "x"), {"name": "Lost", "content": "y"}], ["a"]))
    assert package.by_id["prompt-2"].content == "y"
    assert codes(report)["identifier-missing"].args["names"] == "Lost"


@pytest.mark.parametrize(
    ("content", "read"),
    [(None, ""), ("", ""), ("text", "text"), (7, "7"), (["a", "b"], "a\nb"), ([], ""), ({"no": 1}, "")],
)
def test_contents(content: Any, read: str) -> None:
    package, report = read_preset(preset([{"identifier": "a", "content": content}]))
    assert package.by_id["a"].content == read
    assert ("content-unusable" in codes(report)) == isinstance(content, dict)


def test_items_that_are_no_prompts_are_told_and_left_out() -> None:
    file = preset([prompt("a", "x")], ["a"])
    file["prompts"] += [None, "b", 3]
    package, report = read_preset(file)
    assert [one.id for one in package.prompts if not one.was_added] == ["a"]
    assert codes(report)["prompt-skipped"].args["count"] == 3


@pytest.mark.parametrize("position", [2, -1, 0.5])
def test_other_positions_are_ordinary_row_21(position: float) -> None:
    package, report = read_preset(preset([prompt("a", "x", injection_position=position)]))
    assert not package.by_id["a"].in_history
    assert "position-odd" in codes(report)


def test_a_depth_that_is_missing_is_told() -> None:
    package, report = read_preset(preset([prompt("a", "x", injection_position=1)]))
    injection = package.by_id["a"].injection
    assert injection is not None
    assert (injection.depth, injection.depth_used, injection.order_used) == (None, 4, 0)
    assert codes(report)["depth-missing"].args["depth"] == 4


def test_numbers_written_as_text_are_numbers_and_others_are_told() -> None:
    file = preset([prompt("a", "x", injection_position="1", injection_depth="deep")])
    package, report = read_preset(file)
    assert package.by_id["a"].in_history
    assert "number-unusable" in codes(report)


def test_marker_flags() -> None:
    file = preset(
        [
            {"identifier": "chatHistory", "content": "not a text", "marker": False},
            {"identifier": "charDescription"},
            {"identifier": "scenario", "marker": False, "content": "A scenario of the preset's own."},
            {"identifier": "mine", "marker": True, "content": "sent"},
        ]
    )
    holes = {one.id: one.is_hole for one in read_preset(file)[0].prompts}
    assert {name: holes[name] for name in ("chatHistory", "charDescription", "scenario", "mine")} == {
        "chatHistory": True,
        "charDescription": True,
        "scenario": False,
        "mine": False,
    }


# shapes


@pytest.mark.req("PRE-1")
def test_a_prompt_managers_export() -> None:
    file = {
        "version": 1,
        "type": "full",
        "data": {
            "prompts": [prompt("tide", "The tide."), prompt("after", "After.")],
            "prompt_order": [place("main"), place("tide"), place("chatHistory"), place("after")],
        },
    }
    package, report = read_preset(file)
    assert report.shape == "manager"
    assert report.missing_identifiers == ("main",)
    ids = [item.prompt_id for item in package.prompt_order]
    assert ids == [
        "tide",
        "worldBookBefore",
        "chatHistory",
        "worldBookAfter",
        "currentTurn",
        "after",
        "postTurn",
    ]
    assert {one.path for one in package.unsupported} == {"version", "type"}


@pytest.mark.req("PRE-1")
def test_very_old_keys_become_prompts() -> None:
    file = {"main_prompt": "Main.", "nsfw_prompt": "", "jailbreak_prompt": "Break.", "temperature": 0.9}
    package, report = read_preset(file)
    assert report.shape == "old-keys"
    sent = [(one.id, one.content) for one in package.enabled_prompts() if not one.is_hole]
    assert sent == [("main", "Main."), ("jailbreak", "Break.")]
    line = [item.prompt_id for item in package.prompt_order]
    assert line.index("main") < line.index("chatHistory") < line.index("jailbreak")
    assert package.generation.temperature == 0.9
    assert codes(report)["old-texts"].args["names"] == "main, jailbreak"


def test_old_texts_win_over_the_prompts_they_became() -> None:
    package, _ = read_preset(usual(main_prompt="Older, and still there."))
    assert package.by_id["main"].content == "Older, and still there."


def test_a_preset_without_prompts_is_one_all_the_same() -> None:
    package, report = read_preset({"openai_max_context": 4095, "names_behavior": -1, "temperature": 0.2})
    assert report.shape == "chat-completion"
    assert package.generation.temperature == 0.2


def test_a_preset_cut_out_of_settings_is_read_and_told() -> None:
    package, report = read_preset(usual(temp_openai=0.3, freq_pen_openai=0.1))
    assert (package.generation.temperature, package.generation.frequency_penalty) == (0.3, 0.1)
    assert "runtime-names" in codes(report)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({"temp": 1, "rep_pen": 1.1, "top_p": 1, "sampler_order": []}, "text-completion"),
        ({"temperature": 1, "top_p": 1, "top_k": 40, "min_p": 0.1, "rep_pen": 1}, "text-completion"),
        ({"input_sequence": "A", "output_sequence": "B", "name": "x"}, "instruct"),
        ({"story_string": "{{system}}", "name": "x"}, "context"),
        ({"name": "x", "content": "You are."}, "system-prompt"),
        ({"prefix": "<t>", "suffix": "</t>", "separator": "\n", "name": "x"}, "reasoning"),
        ({"instruct": {"input_sequence": "a"}, "context": {"story_string": ""}}, "master"),
        ({"oai_settings": {"prompts": []}, "power_user": {}}, "settings"),
        (
            {"temp_openai": 1, "freq_pen_openai": 0, "openai_max_context": 1, "stream_openai": True},
            "settings",
        ),
        ({"spec": "chara_card_v2", "data": {"name": "Lina"}}, "card"),
        ({"name": "Lina", "first_mes": "Hi", "description": "A pilot."}, "card"),
        ({"entries": {"0": {"key": ["a"], "content": "b"}}}, "lorebook"),
        ({"user_name": "A", "character_name": "B", "chat_metadata": {}}, "chat"),
        ([{"role": "user", "content": "Hi"}], "chat"),
        ({"findRegex": "/a/", "scriptName": "x"}, "regex-script"),
        ({"qrList": []}, "quick-replies"),
        ({"blur_strength": 1, "main_text_color": "x"}, "theme"),
        ({"schema": "dsh-roleplay/world"}, "world"),
    ],
)
def test_other_files_are_named(value: Any, kind: str) -> None:
    error = refusal(value if isinstance(value, dict) else json.dumps(value))
    assert (error.code, error.kind_of_file, error.kind) == ("other-file", kind, "unsupported")
    assert str(error) == OTHER_KINDS[kind]


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (
            b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00",
            "picture",
        ),
        (b"PK\x03\x04zip", "archive"),
        (b"<!doctype html><p>", "html"),
        (b"Just some words.", "text"),
        (b'{"user_name":"A","character_name":"B"}\n{"mes":"x","is_user":true}\n', "chat"),
    ],
)
def test_other_bytes_are_named(data: bytes, kind: str) -> None:
    assert refusal(data).kind_of_file == kind


@pytest.mark.parametrize("value", [{}, {"x": 1}, {"prompts": []}, {"prompts": [1]}])
def test_json_that_is_nothing_known(value: Json) -> None:
    assert refusal(value).code == "not-a-preset"
    assert shape_of(value) is None
    assert kind_of_other(value) is None


# limits


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty-file"),
        ("  \n", "empty-file"),
        (b'{"prompts": [', "bad-json"),
        (b'{"a":' * 100_000, "too-deep"),
        (b"[" * 2_000, "too-deep"),
        (b'{"a": ' + b"\xfe\xfd\xfc" * 400 + b"}", "bad-json"),
    ],
)
def test_damaged_files(data: bytes | str, code: str) -> None:
    assert refusal(data).code == code


def test_the_limits() -> None:
    assert refusal(b" " * (FILE_BYTES + 1)).code == "too-large"
    assert refusal(" " * (FILE_BYTES + 1)).code == "too-large"
    most = preset([prompt(f"p{n}") for n in range(MOST_PROMPTS)], [])
    package = read_preset(most)[0]
    assert len(package.prompts) > MOST_PROMPTS  # with the places that reading put in
    assert read_preset(package.to_json())[0].prompts == package.prompts
    most["prompts"].append(prompt("one-more"))
    error = refusal(most)
    assert (error.code, error.values["count"]) == ("too-many-prompts", MOST_PROMPTS + 1)
    assert refusal({"data": {"prompts": most["prompts"]}}).code == "too-many-prompts"
    assert refusal(usual(many=[0] * (MOST_VALUES + 1))).code == "too-many-values"
    deep: Any = 1
    for _ in range(DEPTH + 1):
        deep = [deep]
    assert refusal(usual(deep=deep)).code == "too-deep"
    assert refusal(json.dumps(usual(deep=deep))).code == "too-deep"


def test_what_no_store_holds_is_taken_out_and_told() -> None:
    raw = (
        json.dumps(usual(prompt("a", "x"), seed=1))
        .replace('"x"', '"a\\u0000b\\ud800"')
        .replace('"seed": 1', '"seed": 1e999')
    )
    package, report = read_preset(raw)
    assert package.by_id["a"].content == "ab\ufffd"
    assert {"text-cleaned", "number-unusable"} <= codes(report).keys()
    json.dumps(package.to_json(), allow_nan=False).encode()
    package, report = read_preset({**usual(), "x": "\ud800", "y": float("inf")})
    assert package.raw is not None
    assert (package.raw["x"], package.raw["y"]) == ("\ufffd", "inf")


def test_every_refusal_has_words() -> None:
    assert all(one.message and one.hint for one in REFUSALS.values())


@given(st.binary(max_size=60) | st.text(max_size=60) | presets.JSON_VALUES.map(json.dumps))
def test_anything_is_read_or_refused(raw: bytes | str) -> None:
    try:
        package, report = read_preset(raw)
    except PresetError:
        return
    json.dumps(package.to_json())
    json.dumps(report.to_json())


@given(presets.presets())
def test_any_preset_is_read_and_its_order_is_sound(file: Json) -> None:
    try:
        package, report = read_preset(copy.deepcopy(file))
    except PresetError:
        assert shape_of(file) is None
        return
    ids = [one.id for one in package.prompts]
    assert len(set(ids)) == len(ids)
    placed = [item.prompt_id for item in package.prompt_order]
    assert len(set(placed)) == len(placed)
    assert set(placed) <= set(ids)
    assert [item.index for item in package.prompt_order] == list(range(len(placed)))
    assert {line.id for line in report.prompts} == set(ids)
    assert read_preset(json.dumps(file))[0] == package


def test_nothing_of_one_import_is_seen_in_the_next() -> None:
    """SillyTavern #1074: switching presets."""
    read_preset(usual(prompt("only-here", "x", role="wizard"), mystery=1, proxy_password="x"))
    package, report = read_preset(usual())
    assert "only-here" not in package.by_id
    assert (report.secrets, report.unsupported) == ((), ())
    assert {"only-here", "Only-Here"}.isdisjoint(json.dumps(report.to_json()).split('"'))


@pytest.mark.req("PRE-1")
def test_a_large_preset_is_read_in_time() -> None:
    data = presets.large(3_000_000)
    assert len(data) > 2_900_000
    assert_within(0.3, lambda: read_preset(data))


def test_a_hostile_preset_is_read_in_time() -> None:
    for text in (
        "{{" * 500_000,
        "<a>" * 300_000 + "</a>",
        "<" * 900_000,
        "%A" * 400_000,
        "{{setvar::x::" * 70_000,
    ):
        began = time.process_time()
        read_preset(usual(prompt("a", text)))
        assert time.process_time() - began < 3


def test_a_marker_keeps_its_name() -> None:
    package, _ = read_preset(usual(marker("charDescription", name="Who it is about")))
    assert package.by_id["charDescription"].name == "Who it is about"
