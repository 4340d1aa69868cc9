"""The pages of prompts: what an action answers, what a form saves, how much a list of a thousand weighs."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from formats.preset.model import PresetPackage
from presets import actions, queries
from presets.kept_states import forget_states
from presets.models import Preset
from presets.pipeline.editing import PROMPT_FIELDS
from presets.pipeline.placing import seen
from presets.prompt_list import changes_between, key_of, list_of
from tests.flow.presets.conftest import MakePreset
from tests.support.people import People, client_of, share
from tests.support.preset_files import marker, preset, prompt
from tests.support.timing import cpu_seconds

pytestmark = [pytest.mark.django_db, pytest.mark.req("PRE-13")]
HTMX = {"HX-Request": "true"}
MARKUP = "<script>alert(1)</script>\u202e"


def entries(preset: Preset, rest: str = "") -> str:
    return f"/presets/{preset.pk}/entries/{rest}"


def post(
    people: People, preset: Preset, rest: str, data: Mapping[str, Any], *, htmx: bool = False
) -> tuple[Any, str]:
    """What Ana gets for a form sent from the page as it is now."""
    preset.refresh_from_db()
    sent = {"seen": preset.fingerprint, **data}
    answer = client_of(people.ana).post(entries(preset, rest), sent, headers=HTMX if htmx else {})
    return answer, answer.content.decode()


def act(people: People, preset: Preset, **data: str) -> str:
    answer, text = post(people, preset, "act/", data, htmx=True)
    assert answer.status_code == 200
    return text


def fields(package: PresetPackage, prompt_id: str, **other: Any) -> dict[str, Any]:
    one = package.by_id[prompt_id]
    place = "history" if one.in_history else "line"
    return {"name": one.name, "role": one.role, "content": one.content, "in_history": place, **other}


def rows_in(text: str) -> list[str]:
    return re.findall(r'<li id="p-(\w+)"(?! hx-swap-oob="delete")', text)


def test_the_list_has_every_prompt_where_it_takes_effect(people: People, harbour: Preset) -> None:
    text = client_of(people.ana).get(entries(harbour)).content.decode()
    before, inside = text.split('<ol id="inside"')
    ids = ["main", "tone", "personaDescription", "off", "worldBookBefore", "chatHistory"]
    assert rows_in(before) == [key_of(one) for one in ids]
    assert rows_in(inside.split("</ol>")[0]) == [key_of("memory")]
    assert rows_in(text.split('<ol id="unused"')[1]) == [key_of("unused")]
    assert f'name="on" value="{key_of("off")}" aria-checked="false"' in text
    assert "6 of 8 on" in text, "places that only we have are not counted"


def test_a_switch_sends_its_row_and_nothing_else(people: People, harbour: Preset) -> None:
    text = act(people, harbour, off=key_of("tone"))
    assert rows_in(text) == [key_of("tone")]
    assert 'hx-swap-oob="true"' in text
    assert 'class="is-off"' in text
    assert "1 change since version 1" in text
    assert "“Tone”, off, at place 2." in text
    assert not queries.prompt_row(harbour, "tone").on
    text = act(people, harbour, on=key_of("tone"))
    assert 'aria-checked="true"' in text
    assert not Preset.objects.get(pk=harbour.pk).has_draft


def test_a_move_sends_the_row_and_where_it_goes(people: People, harbour: Preset) -> None:
    tone, main = key_of("tone"), key_of("main")
    text = act(people, harbour, move=tone, up=tone)
    assert f'<li id="p-{tone}" hx-swap-oob="delete">' in text
    assert '<ol hx-swap-oob="afterbegin:#line">' in text
    assert rows_in(text) == [tone]
    text = act(people, harbour, move=tone, beside=key_of("memory"), after="1")
    assert f'<ol hx-swap-oob="afterend:#p-{key_of("memory")}">' in text
    assert "in the history: 2 messages after it" in text
    text = act(people, harbour, key=tone, to="2")
    assert f'<ol hx-swap-oob="afterend:#p-{main}">' in text
    assert seen(queries.package_of(harbour)).line[:2] == ("main", "tone")


def test_a_list_that_others_changed_is_sent_anew(people: People, harbour: Preset) -> None:
    old = harbour.fingerprint
    actions.switch_prompt(actor=people.ana, preset=harbour, prompt_id="main", on=False)
    answer, text = post(people, harbour, "act/", {"seen": old, "off": key_of("tone")}, htmx=True)
    assert answer.status_code == 200
    assert '<div id="list"' in text
    assert len(rows_in(text)) == 12


def test_the_form_that_is_open_follows_a_move(people: People, harbour: Preset) -> None:
    tone = key_of("tone")
    text = act(people, harbour, move=tone, beside=key_of("memory"), open=tone)
    assert '<fieldset id="where"' in text
    assert f'id="etag" value="{queries.prompt_row(harbour, "tone").etag}"' in text
    assert re.search(r'value="history"[^>]*checked|checked[^>]*value="history"', text)
    assert '<fieldset id="where"' not in act(people, harbour, off=tone, open="")


def test_without_scripts_the_page_comes_again(people: People, harbour: Preset) -> None:
    answer, _text = post(people, harbour, "act/", {"off": key_of("tone"), "q": "calm", "show": ""})
    assert (answer.status_code, answer.headers["Location"]) == (
        303,
        entries(harbour, f"?q=calm#p-{key_of('tone')}"),
    )
    answer, _text = post(people, harbour, "act/", {"out": key_of("tone"), "stay": "1"})
    assert answer.headers["Location"] == entries(harbour, f"{key_of('tone')}/")


@pytest.mark.parametrize("data", [{}, {"off": "nobody"}, {"move": key_of("tone"), "beside": "nobody"}])
def test_an_action_that_no_page_wrote_is_refused(
    people: People, harbour: Preset, data: dict[str, str]
) -> None:
    answer, _text = post(people, harbour, "act/", data)
    assert answer.status_code in (404, 422)
    assert not Preset.objects.get(pk=harbour.pk).has_draft


def test_the_bell_is_answered_with_nothing_new(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    for mark, status in ((harbour.fingerprint, 204), ("old", 200)):
        assert client.get(entries(harbour), {"seen": mark}, headers=HTMX).status_code == status


def test_a_search_finds_names_and_texts(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    for query, found in (({"q": "lamps"}, ["memory"]), ({"q": "last year"}, ["unused"]), ({"q": "??"}, [])):
        text = client.get(entries(harbour), query, headers=HTMX).content.decode()
        assert rows_in(text) == [key_of(one) for one in found]
        assert 'name="move"' not in text, "what is left out cannot be moved past"
    text = client.get(entries(harbour), {"show": "on"}, headers=HTMX).content.decode()
    assert key_of("off") not in text
    answer, _text = post(people, harbour, "act/", {"off": key_of("tone"), "q": "calm"}, htmx=True)
    assert '<div id="list"' in answer.content.decode()


def test_an_address_with_the_id_of_a_prompt_leads_to_it(people: People, harbour: Preset) -> None:
    answer = client_of(people.ana).get(entries(harbour), {"prompt": "tone"})
    assert answer.headers["Location"] == entries(harbour, f"{key_of('tone')}/")


def test_an_autosave_answers_with_what_changed_on_the_page(people: People, harbour: Preset) -> None:
    package = queries.package_of(harbour)
    etag = queries.prompt_row(harbour, "tone").etag
    content = "{{// x}}Write as {{char}}.\r\n{{random::a}} {{random::b}}"
    data = fields(package, "tone", content=content, etag=etag)
    answer, text = post(people, harbour, f"{key_of('tone')}/", data, htmx=True)
    assert answer.status_code == 200
    now = queries.prompt_row(harbour, "tone")
    assert now.prompt.content == content.replace("\r\n", "\n")
    assert f'id="etag" value="{now.etag}"' in text
    assert rows_in(text) == [key_of("tone")]
    for said in ("filled in", "{{char}}", "sent as written", "{{random}}", "×2", "1 comment, not sent"):
        assert said in text
    assert '<span class="m-left">{{random::a}}</span>' in text
    assert '<div id="bar"' in text, "there was no draft before: the bar comes"
    data = fields(queries.package_of(harbour), "tone", name="Mood", etag=now.etag)
    _answer, text = post(people, harbour, f"{key_of('tone')}/", data, htmx=True)
    assert '<div id="bar"' not in text, "a note that is being written in it stays"
    assert 'id="draft-said" hx-swap-oob="true"' in text


def test_a_form_that_nobody_touched_changes_nothing(people: People, make_preset: MakePreset) -> None:
    odd = prompt("odd", "a\r\nb {{x}}  \n", name="  An odd   name ", injection_order=3.5, extra=[1])
    made = make_preset(
        preset([odd, marker("personaDescription", injection_position=1), marker("chatHistory")])
    )
    package = queries.package_of(made)
    for one in package.prompts:
        page = client_of(people.ana).get(entries(made, f"{key_of(one.id)}/"))
        assert page.status_code == 200
        etag = queries.prompt_row(made, one.id).etag
        depth = one.injection.depth_used if one.injection else 4
        order = one.injection.order_used if one.injection else 0
        data = fields(package, one.id, etag=etag, depth=depth, order=order)
        answer, _text = post(people, made, f"{key_of(one.id)}/", data)
        assert answer.status_code == 303
    assert queries.package_of(made) == package
    assert not Preset.objects.get(pk=made.pk).has_draft


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", "  ", "Write a name"),
        ("name", "x" * 301, "at most 300"),
        ("depth", "deep", "Depth"),
        ("depth", "-1", "from 0 to 10,000"),
        ("depth", "2.5", "from 0 to 10,000"),
        ("role", "wizard", "Role"),
        ("order", "1e300", "Write a number"),
        ("depth", "", "from 0 to 10,000"),
    ],
)
def test_what_a_field_cannot_hold_is_said_at_it(
    people: People, harbour: Preset, field: str, value: str, said: str
) -> None:
    package = queries.package_of(harbour)
    data = fields(package, "memory", depth="2", order="0", etag=queries.prompt_row(harbour, "memory").etag)
    for htmx in (True, False):
        answer, text = post(people, harbour, f"{key_of('memory')}/", {**data, field: value}, htmx=htmx)
        assert answer.status_code == 422
        assert said in text
    assert not Preset.objects.get(pk=harbour.pk).has_draft


def test_two_people_in_one_prompt_see_both_and_choose(people: People, harbour: Preset) -> None:
    share(people.ben, "preset", harbour.pk, "edit")
    etag = queries.prompt_row(harbour, "tone").etag
    data = fields(queries.package_of(harbour), "tone", content="Mine.", role="assistant", etag=etag)
    saved = {"content": "Theirs.", "role": "user"}
    actions.save_prompt(actor=people.ben, preset=harbour, prompt_id="tone", fields=saved, if_match=etag)
    answer, text = post(people, harbour, f"{key_of('tone')}/", data, htmx=True)
    assert answer.status_code == 409
    assert "ben saved this meanwhile." in text, "not when: it is known of the sitting alone"
    answer, text = post(people, harbour, f"{key_of('tone')}/", {**data, "compare": "1"}, htmx=True)
    assert answer.status_code == 409
    assert "Two versions of a prompt" in text
    assert "Assistant" in text
    yours = '{"content": "Mine.", "role": "assistant"}'
    now = queries.prompt_row(harbour, "tone").etag
    choice = {"yours": yours, "etag": now, "pick-content": "both", "pick-role": "theirs"}
    answer, _text = post(people, harbour, f"{key_of('tone')}/settle/", choice)
    assert answer.status_code == 303
    one = queries.package_of(harbour).by_id["tone"]
    assert (one.content, one.role) == ("Theirs.\nMine.", "user")
    answer, _text = post(people, harbour, f"{key_of('tone')}/settle/", {**choice, "pick": "yours"})
    assert answer.status_code == 409, "it is another one again"
    answer, _text = post(people, harbour, f"{key_of('tone')}/settle/", {"yours": '{"id": "x"}'})
    assert answer.status_code == 404


@pytest.mark.parametrize("etag", ["", "stale"])
@pytest.mark.parametrize("pick", ["both", "yours"])
def test_a_choice_of_a_wrong_type_is_refused_and_is_no_fault(
    people: People, harbour: Preset, pick: str, etag: str
) -> None:
    odd: list[Any] = [5, None, True, [5], [[]], [{}], {"a": 1}, "x", -1, 1.5, 10**400]
    for name, value in product(PROMPT_FIELDS, odd):
        now = queries.prompt_row(harbour, "tone").etag
        form = {"yours": json.dumps({name: value}), "etag": etag or now, "pick": pick}
        answer, _text = post(people, harbour, f"{key_of('tone')}/settle/", form)
        assert answer.status_code in (303, 409, 422), (name, value, answer.status_code)


def test_new_copied_deleted_and_brought_back(people: People, harbour: Preset) -> None:
    answer, _text = post(people, harbour, "add/", {"after": key_of("main")})
    assert answer.headers["Location"].endswith("/?new=1")
    line = seen(queries.package_of(harbour)).line
    assert line[0] == "main"
    assert answer.headers["Location"] == entries(harbour, f"{key_of(line[1])}/?new=1")
    answer, _text = post(people, harbour, f"{key_of('tone')}/duplicate/", {})
    assert answer.status_code == 303
    before = seen(queries.package_of(harbour))
    client = client_of(people.ana)
    answer = client.post(entries(harbour, f"{key_of('tone')}/delete/"))
    page = client.get(answer.headers["Location"]).content.decode()
    undo = re.search(r'action="([^"]+/entries/back/[^"]+)"', page)
    assert undo
    assert "“Tone” is deleted" in page
    answer = client.post(undo[1].replace("&amp;", "&"))
    assert answer.status_code == 303
    assert seen(queries.package_of(harbour)) == before
    assert client.post(entries(harbour, f"{key_of('chatHistory')}/delete/")).status_code == 422


def test_a_reader_sees_and_cannot_save(people: People, harbour: Preset) -> None:
    share(people.ben, "preset", harbour.pk, "read")
    client = client_of(people.ben)
    text = client.get(entries(harbour, f"{key_of('tone')}/")).content.decode()
    assert "Rain is never far." in text
    for control in ("data-autosave", 'role="switch"', 'name="move"', "Delete", "New one below"):
        assert control not in text


def test_names_from_files_stay_text(people: People, make_preset: MakePreset) -> None:
    one = prompt("../..", f"{MARKUP}{{{{// {MARKUP}}}}}", name=MARKUP)
    made = make_preset(preset([one, marker("chatHistory")]))
    key = key_of("../..")
    for rest in ("", f"{key}/"):
        text = client_of(people.ana).get(entries(made, rest)).content.decode()
        assert "<script>alert" not in text
        assert "&lt;script&gt;" in text
    text = act(people, made, off=key)
    assert "<script>alert" not in text


def a_thousand() -> dict[str, Any]:
    """As people build them: long texts, groups, some in the history, some off, some in no order."""
    prompts = [
        prompt(
            f"{number:08x}-{number * 7919:012x}",
            f"The tide of {{{{user}}}} comes in, {number}. {{{{getvar::mood}}}} " * (1 + number % 20),
            name=f"--- part {number} ---"
            if number % 40 == 0
            else f"✨ {number * 31 % 997} 文风 calm evening",
            role=("system", "user", "assistant")[number % 3],
            injection_position=1 if number % 12 == 5 else 0,
            injection_depth=number % 9,
        )
        for number in range(995)
    ]
    prompts.insert(600, marker("chatHistory"))
    order: list[Any] = [
        {"identifier": one["identifier"], "enabled": number % 5 != 0}
        for number, one in enumerate(prompts[:940])
    ]
    return preset(prompts, order)


def test_a_thousand_prompts_open_at_once(people: People, make_preset: MakePreset) -> None:
    """40 KB as they travel; the time is bounded widely, the page is measured at about 80 ms."""
    made = make_preset(a_thousand())
    client = client_of(people.ana)
    forget_states()
    first = client.get(entries(made))
    assert len(rows_in(first.content.decode())) > 990
    assert len(gzip.compress(first.content)) < 40 * 1024
    assert cpu_seconds(lambda: client.get(entries(made))) < 0.6
    key = rows_in(first.content.decode())[300]
    for data in ({"off": key}, {"move": key, "up": key}, {"key": key, "to": "900"}):
        assert len(act(people, made, **data)) < 4_000, "an action sends what it changed"
    package = queries.package_of(made)
    listed = list_of(package)
    assert changes_between(listed, listed).moved == ()
