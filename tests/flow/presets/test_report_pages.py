"""The report of a preset as a page: its numbers add up and open, and it is right about what it tells."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import resolve, reverse

from presets import queries
from presets.models import Preset
from presets.prompt_list import key_of
from presets.report_words import FATES, THINGS
from tests.flow.presets.conftest import MakePreset
from tests.support.people import People, client_of
from tests.support.preset_files import marker, preset, prompt, usual
from tests.support.presets import as_file, harbour_preset, large_preset, secretive_preset

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_root")]


@pytest.fixture
def ana(people: People) -> Client:
    return client_of(people.ana)


def at(preset: Preset) -> str:
    return reverse("presets:report", args=[preset.pk])


def shown(client: Client, preset: Preset, **asked: str) -> str:
    page = client.get(at(preset), asked).content.decode()
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def imported(client: Client, value: dict[str, Any]) -> Preset:
    upload = SimpleUploadedFile("Harbour.json", as_file(value))
    leads_to = client.post(reverse("presets:import"), {"file": upload})["Location"]
    return Preset.objects.get(pk=resolve(leads_to).kwargs["preset_id"])


@pytest.mark.req("PRE-10")
def test_the_first_sentence_counts_what_is_sent_and_what_differs(ana: Client, harbour: Preset) -> None:
    page = shown(ana, harbour)
    assert "6 of 8 prompts will be sent as the author ordered. 3 things work differently here." in page
    report = queries.report_of(harbour)
    assert (report.as_ordered, report.prompt_count, len(report.fidelity)) == (6, 8, 3)
    assert (harbour.lines_sent + harbour.lines_elsewhere, harbour.departures) == (6, 3)


@pytest.mark.req("PRE-10")
def test_every_number_opens_a_list_of_so_many_rows(ana: Client, harbour: Preset) -> None:
    page = ana.get(at(harbour))
    told = [*page.context["sent"], *page.context["not_sent"]]
    assert sum(int(text.split()[0]) for _code, text in told) == 8
    for code, text in told:
        lines = ana.get(at(harbour), {"show": code}).context["lines"]
        assert len(lines) == int(text.split()[0]), code


@pytest.mark.req("PRE-10")
def test_the_table_says_what_is_in_effect_changed_or_kept(ana: Client, make_preset: MakePreset) -> None:
    prompts = [
        prompt("main", "{{char}} and {{group}} {{roll::1d6}}", system_prompt=True),
        prompt("a", "<style>Calm."),
        prompt("b", "</style>", role="user", enabled=False),
        prompt("c", "</style> {{getvar::mood}}"),
        marker("charDescription"),
        marker("chatHistory"),
        prompt("deep", "Rain.", injection_position=1, injection_depth=1),
    ]
    made = make_preset(preset(prompts, names_behavior=2, assistant_prefill="So:", temperature=0.7, top_k=40))
    page = shown(ana, made)
    for text in (
        "Prompts inside the history in effect",
        "Parameters in effect",
        "Macros sent as written changed",
        "Prompts switched off themselves changed",
        "Variables read before they are set changed",
        "Places for parts of a card kept only",
        "The beginning of the reply kept only",
        "Names of speakers kept only",
        "Random before the history",
        "&lt;style&gt; A → C",
        "not taken by OpenAI",
    ):
        assert text in page, text
    links = ana.get(at(made)).content.decode()
    assert reverse("presets:prompt", args=[made.pk, key_of("b")]) in links


@pytest.mark.req("PRE-10", "PRE-11")
def test_parameters_that_are_moved_or_kept_back_are_named(ana: Client, make_preset: MakePreset) -> None:
    given: dict[str, Any] = {"temperature": 5, "n": 3, "openai_max_tokens": 0, "reasoning_effort": "high"}
    page = shown(ana, make_preset(preset([prompt("main", "Calm.")], **given)))
    for text in (
        "Anthropic: sent as 1",
        "OpenAI: sent as 2",
        "Kept and not sent here: one answer is asked for at a time.",
        "Kept and not sent: this value means nothing to an endpoint.",
        "own setting applies.",
    ):
        assert text in page, text
    assert "where the model is" not in page, "there is no such setting"


@pytest.mark.req("PRE-2", "PRE-10")
def test_which_order_was_taken_and_why(ana: Client) -> None:
    file = usual(prompt("a", "x"))
    only = file["prompt_order"][0]["order"]
    file["prompt_order"] = [
        {"character_id": 7, "order": only},
        {"character_id": 8, "order": only[:1]},
    ]
    page = shown(ana, imported(ana, file))
    assert "The order 7 was taken" in page
    assert "One other order is in the file and has no effect: 8." in page
    assert "SillyTavern would take its own default order." in page
    missing = usual(prompt("b", "y"))
    missing["prompt_order"][0]["order"] = ["a", {"identifier": "ghost", "enabled": True}]
    page = shown(ana, imported(ana, missing))
    assert "In the order, not in the file" in page
    assert "The order lacks" in page


@pytest.mark.req("PRE-10")
def test_what_was_taken_out_is_named_and_not_shown(ana: Client) -> None:
    made = imported(ana, secretive_preset())
    page = shown(ana, made)
    assert "2 private values were taken out" in page
    assert "proxy_password" in page
    assert "ana:pw@" not in page
    report = json.loads(ana.get(reverse("presets:report_json", args=[made.pk])).content)
    assert report["report"]["secrets"] == report["import"]["reading"]["secrets"]
    assert report["report"]["sentCount"] == 6
    assert "ana:pw@" not in json.dumps(report)


@pytest.mark.req("PRE-1", "PRE-10")
def test_scripts_are_counted_by_what_they_would_do(ana: Client) -> None:
    script = {"scriptName": "Hide", "findRegex": "/a/", "placement": [2]}
    extensions = {
        "regex_scripts": [{**script, "markdownOnly": True}, {**script, "promptOnly": True}],
        "tavern_helper": {"scripts": [{"name": "Updates", "enabled": True, "content": "x"}]},
    }
    page = shown(ana, imported(ana, {**harbour_preset(), "extensions": extensions}))
    assert "2 regex scripts." in page
    assert "1 changes what is sent · 1 changes what is shown" in page
    assert "Updates on" in page


def test_a_long_list_is_paged_searched_and_filtered(ana: Client, make_preset: MakePreset) -> None:
    made = make_preset(large_preset(997))
    page = ana.get(at(made))
    assert len(page.context["lines"]) == 50
    assert len(page.content) < 200_000
    found = ana.get(at(made), {"q": "p77", "show": "not-sent"}, headers={"HX-Request": "true"})
    assert "<html" not in found.content.decode()
    assert {line.name for _key, line in found.context["lines"]} <= {f"P77{n}" for n in ("", *range(10))}
    assert all(line.fate == "not-sent" for _key, line in found.context["lines"])


def test_names_of_prompts_are_text(ana: Client, make_preset: MakePreset) -> None:
    made = make_preset(usual(prompt("x", "y", name="<img src=x onerror=alert(1)>")))
    assert "<img src=x" not in ana.get(at(made)).content.decode()


def test_every_difference_and_every_fate_has_its_words() -> None:
    from formats.preset.departures import SENTENCES as DEPARTURES
    from formats.preset.fates import FATES as CODES
    from formats.preset.fidelity import ALIKE, READ_OTHERWISE
    from formats.preset.settings_told import SENTENCES as SETTINGS
    from formats.preset.void import SENTENCES as VOID

    assert {*DEPARTURES, *SETTINGS, *VOID, *READ_OTHERWISE, "variables-unset"} - ALIKE == set(THINGS)
    assert set(FATES) == set(CODES)
