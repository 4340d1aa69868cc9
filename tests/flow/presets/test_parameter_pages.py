"""The page of parameters: those a preset has, one more, who takes them, merging and tools."""

from __future__ import annotations

import json
import re
from itertools import product
from typing import Any

import pytest

from formats.preset.model import PARAMETERS, Generation
from presets import actions, queries
from presets.models import Preset
from presets.parameter_form import taken_by
from presets.pipeline.editing import OTHER_SETTINGS
from tests.flow.presets.conftest import MakePreset
from tests.support.people import People, client_of, share
from tests.support.presets import harbour_preset

pytestmark = [pytest.mark.django_db, pytest.mark.req("PRE-7", "PRE-11")]
HTMX = {"HX-Request": "true"}


def params(preset: Preset, rest: str = "") -> str:
    return f"/presets/{preset.pk}/params/{rest}"


def sent(preset: Preset, **changed: Any) -> dict[str, Any]:
    """The form as the page shows it, with some fields typed over."""
    value = queries.settings_of(preset)
    there = {name: one for name, one in value.fields.items() if one is not None}
    switches = {True: "on", False: "off"}
    shown = {name: switches[one] if isinstance(one, bool) else one for name, one in there.items()}
    return {**shown, "etag": value.etag, **changed}


def settings(preset: Preset) -> dict[str, Any]:
    return {name: one for name, one in queries.settings_of(preset).fields.items() if one is not None}


def test_only_what_the_preset_says_is_there(people: People, harbour: Preset) -> None:
    text = client_of(people.ana).get(params(harbour)).content.decode()
    assert 'name="temperature"' in text
    assert 'name="top_p"' not in text
    assert '<option value="top_p">' in text
    assert "harbour_mark" in text, "the file without its prompts, to look at"
    assert "Write calmly" not in text
    more = client_of(people.ana).get(params(harbour), {"add": "top_p"}).content.decode()
    assert 'name="top_p"' in more
    assert '<option value="top_p">' not in more


def test_a_save_answers_with_who_takes_it_now(people: People, harbour: Preset) -> None:
    data = sent(harbour, temperature="1,5", top_k="40")
    answer = client_of(people.ana).post(params(harbour), data, headers=HTMX)
    text = answer.content.decode()
    assert answer.status_code == 200
    assert "Anthropic: lowered to 1" in text
    assert "OpenAI: not sent" in text
    assert f'value="{queries.settings_of(harbour).etag}"' in text
    assert "2 changes since version 1" in text
    assert settings(harbour)["temperature"] == 1.5
    assert settings(harbour)["top_k"] == 40


def test_what_nobody_touched_is_not_changed(people: People, make_preset: MakePreset) -> None:
    value = {**harbour_preset(), "seed": -1, "stream_openai": True, "verbosity": "auto", "top_p": 1.0}
    preset = make_preset(value)
    assert client_of(people.ana).post(params(preset), sent(preset)).status_code == 303
    assert not Preset.objects.get(pk=preset.pk).has_draft
    text = client_of(people.ana).get(params(preset)).content.decode()
    assert text.count("By this value it is not set") == 2


def test_an_emptied_field_is_taken_out(people: People, make_preset: MakePreset) -> None:
    preset = make_preset({**harbour_preset(), "stream_openai": True, "verbosity": "high"})
    emptied = {"temperature": "", "stream": "", "verbosity": "", "squash": ""}
    assert client_of(people.ana).post(params(preset), sent(preset, **emptied)).status_code == 303
    assert not emptied.keys() & settings(preset).keys()


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("temperature", "warm", "number"),
        ("temperature", "1e300", "Write a number"),
        ("temperature", "2.1", "Write a number from 0 to 2."),
        ("top_p", "-0.1", "Write a number from 0 to 1."),
        ("presence_penalty", "3", "Write a number from -2 to 2."),
        ("max_output_tokens", "0", "Write a whole number, 1 or more."),
        ("max_output_tokens", "2.5", "Write a whole number, 1 or more."),
        ("variants", "129", "Write a whole number from 1 to 128."),
        ("max_context_tokens", "∞", "number"),
        ("squash", "mash", "Merging"),
        ("tool_mode", "", "Tools"),
    ],
)
def test_what_a_field_cannot_hold_is_said_at_it(
    people: People, harbour: Preset, field: str, value: str, said: str
) -> None:
    for headers in (HTMX, {}):
        answer = client_of(people.ana).post(params(harbour), sent(harbour, **{field: value}), headers=headers)
        assert answer.status_code == 422
        assert said in answer.content.decode()
    assert not Preset.objects.get(pk=harbour.pk).has_draft


def test_what_a_file_has_beyond_the_range_stays_until_it_is_typed_over(
    people: People, make_preset: MakePreset
) -> None:
    preset = make_preset({**harbour_preset(), "temperature": 5, "openai_max_tokens": 0, "n": 3})
    client = client_of(people.ana)
    text = client.get(params(preset)).content.decode()
    assert "OpenAI: lowered to 2" in text
    assert "OpenAI: not sent, the value means nothing there" in text
    assert "one answer is asked for at a time" in text
    assert client.post(params(preset), sent(preset, top_p="0.5", add="top_p")).status_code == 303
    assert (settings(preset)["temperature"], settings(preset)["top_p"]) == (5, 0.5)
    assert client.post(params(preset), sent(preset, temperature="6")).status_code == 422
    assert client.post(params(preset), sent(preset, temperature="2", seed="-1")).status_code == 303
    assert (settings(preset)["temperature"], settings(preset)["seed"]) == (2, -1)


def test_two_people_choose_for_each_parameter(people: People, harbour: Preset) -> None:
    share(people.ben, "preset", harbour.pk, "edit")
    data = sent(harbour, temperature="0.5", squash="merge")
    etag = queries.settings_of(harbour).etag
    theirs = {"temperature": 0.9, "top_p": 0.7}
    actions.save_parameters(actor=people.ben, preset=harbour, fields=theirs, if_match=etag)
    client = client_of(people.ana)
    answer = client.post(params(harbour), data, headers=HTMX)
    assert answer.status_code == 409
    assert "ben saved this meanwhile." in answer.content.decode()
    text = client.post(params(harbour), {**data, "compare": "1"}, headers=HTMX).content.decode()
    assert "Two versions of the parameters" in text
    carried = re.search(r'<textarea name="yours"[^>]*>\s*([^<]+)</textarea>', text)
    assert carried
    assert "top_p" not in carried[1], "what only they changed is theirs"
    yours = carried[1].replace("&quot;", '"')
    now = queries.settings_of(harbour).etag
    choice = {"yours": yours, "etag": now, "pick-temperature": "theirs", "pick-squash": "yours"}
    assert client.post(params(harbour, "settle/"), choice).status_code == 303
    found = settings(harbour)
    assert (found["temperature"], found["squash"], found["top_p"]) == (0.9, "merge", 0.7)
    stale = client.post(params(harbour, "settle/"), {**choice, "pick": "yours"})
    assert stale.status_code == 409
    assert client.post(params(harbour, "settle/"), {"yours": "[]"}).status_code == 404


@pytest.mark.parametrize("etag", ["", "stale"])
@pytest.mark.parametrize("pick", ["both", "yours"])
def test_a_choice_of_a_wrong_type_is_refused_and_is_no_fault(
    people: People, harbour: Preset, pick: str, etag: str
) -> None:
    odd: list[Any] = [5, None, True, [5], [[]], [{}], {"a": 1}, "x", -1, 1.5, 10**400]
    client = client_of(people.ana)
    for name, value in product((*PARAMETERS, *OTHER_SETTINGS), odd):
        now = queries.settings_of(harbour).etag
        form = {"yours": json.dumps({name: value}), "etag": etag or now, "pick": pick}
        answer = client.post(params(harbour, "settle/"), form)
        assert answer.status_code in (303, 409, 422), (name, value, answer.status_code)


def test_a_reader_cannot_save(people: People, harbour: Preset) -> None:
    share(people.ben, "preset", harbour.pk, "read")
    client = client_of(people.ben)
    assert "data-autosave" not in client.get(params(harbour)).content.decode()
    assert client.post(params(harbour), sent(harbour, temperature="2")).status_code == 403


def test_a_preset_that_says_nothing(people: People) -> None:
    made = actions.create_preset(actor=people.ana, name="Blank")
    text = client_of(people.ana).get(params(made)).content.decode()
    assert "says nothing about how a model answers" in text
    assert "As the file has it" not in text


@pytest.mark.parametrize(
    ("name", "value", "how"),
    [
        ("temperature", 0.5, ["taken"] * 4),
        ("temperature", 1.5, ["taken", "taken", "lowered", "taken"]),
        ("top_k", 40, ["ignored", "taken", "taken", "taken"]),
        ("min_p", 0.1, ["ignored", "taken", "ignored", "ignored"]),
        ("stream", True, ["taken"] * 4),
        ("max_context_tokens", 8192, []),
        ("reasoning_effort", "high", []),
    ],
)
def test_who_takes_what(name: str, value: Any, how: list[str]) -> None:
    assert [one.how for one in taken_by(name, Generation(**{name: value}))] == how
