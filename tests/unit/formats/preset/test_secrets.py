"""Private values leave the preset and are named by their paths; everything else stays."""

from __future__ import annotations

import json
from typing import Any

import pytest

from formats.preset import read_preset, sillytavern_of
from formats.preset.secrets import SENSITIVE, is_secret_name, without_secrets
from tests.support.preset_files import prompt, usual

HUSH = "a-value-nobody-may-see"
KEY = "sk-" + "q1W2" * 8


@pytest.mark.req("PRE-1")
@pytest.mark.parametrize("field", sorted(SENSITIVE))
def test_sillytaverns_own_list(field: str) -> None:
    """SillyTavern #2413, #1738, #803: such values travel with presets."""
    package, report = read_preset(usual(**{field: HUSH}))
    assert report.secrets == (field,)
    everything = json.dumps([package.to_json(), report.to_json(), sillytavern_of(package)])
    assert HUSH not in everything
    (told,) = [one for one in report.findings if one.code == "secrets-removed"]
    assert (told.severity, told.args["names"]) == ("warning", field)


@pytest.mark.req("PRE-1")
@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"extensions": {"plug": {"apiKey": HUSH}}}, "extensions.plug.apiKey"),
        (
            {"extensions": {"plug": {"list": [{"x": 1}, {"api_key": HUSH}]}}},
            "extensions.plug.list[1].api_key",
        ),
        ({"extensions": {"p": {"headers": {"X": HUSH}}}}, "extensions.p.headers"),
        ({"my_proxy_address": HUSH}, "my_proxy_address"),
        ({"groq_endpoint": "https://private.example"}, "groq_endpoint"),
        ({"extra_body": {"user": HUSH}}, "extra_body"),
        ({"accessToken": HUSH}, "accessToken"),
        ({"token": HUSH}, "token"),
        ({"note": f"my key is {KEY}"}, "note"),
        ({"site": "https://ana:hunter2@proxy.example/v1"}, "site"),
        ({KEY: 1}, "…"),
    ],
)
def test_unknown_and_nested_ones(fields: dict[str, Any], path: str) -> None:
    package, report = read_preset(usual(**fields))
    assert report.secrets == (path,)
    everything = json.dumps([package.to_json(), report.to_json()])
    assert all(hidden not in everything for hidden in (HUSH, KEY, "hunter2", "private.example"))


def test_a_key_inside_a_text_leaves_the_text() -> None:
    package, _ = read_preset(usual(note=f"before {KEY} after"))
    assert package.raw is not None
    assert package.raw["note"] == "before  after"


@pytest.mark.parametrize(
    "name",
    [
        "openai_max_tokens",
        "keys",
        "key",
        "tokenizer",
        "max_tokens",
        "author",
        "secret_door",
        "projection",
        "monkey",
        "new_chat_prompt",
        "custom_model",
        "names_behavior",
        "show_external_models",
        "continue_prefill",
    ],
)
def test_names_that_only_look_like_it(name: str) -> None:
    assert not is_secret_name(name)


@pytest.mark.parametrize("value", ["", None, True, False, [], {}])
def test_nothing_private_is_in_an_empty_field(value: Any) -> None:
    package, report = read_preset(usual(reverse_proxy=value, use_proxy=value))
    assert report.secrets == ()
    assert package.raw is not None
    assert package.raw["reverse_proxy"] == value


def test_texts_of_prompts_are_not_looked_into() -> None:
    package, report = read_preset(usual(prompt("a", f"Say {KEY} and Bearer abcdefghijklmnopqrst.")))
    assert report.secrets == ()
    assert KEY in package.by_id["a"].content
    assert read_preset(usual(prompt("a", "x", api_key=HUSH)))[1].secrets == ("prompts[1].api_key",)


def test_secrets_of_a_wrapped_and_of_a_native_file() -> None:
    wrapped = {"version": 1, "data": {"prompts": [prompt("a")], "proxy_password": HUSH}}
    assert read_preset(wrapped)[1].secrets == ("data.proxy_password",)
    native = read_preset(usual())[0].to_json()
    native["raw"]["proxy_password"] = HUSH
    package, report = read_preset(native)
    assert report.secrets == ("raw.proxy_password",)
    assert HUSH not in json.dumps(package.to_json())


def test_clearing_twice_changes_nothing_more() -> None:
    once = without_secrets(usual(proxy_password=HUSH, extensions={"a": {"password": HUSH, "b": [KEY]}}))
    assert len(once.paths) == 3
    assert without_secrets(once.value) == (once.value, [])
