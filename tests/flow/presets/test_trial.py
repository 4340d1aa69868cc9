"""The trial page: what a preset would send, message by message, and what stays out."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace
from html import unescape

import pytest
from django.test import Client

from portal.models import Person
from presets import actions, queries, trials
from presets.models import Preset, TrialRun
from tests.flow.presets.conftest import MakePreset
from tests.support.endpoints import an_endpoint
from tests.support.people import People, client_of, share
from tests.support.preset_files import marker, preset, prompt, usual
from tests.support.presets import chinese_preset, large_preset
from tests.support.worlds import rich_world
from worlds.actions import index_world
from worlds.models import World
from worlds.queries import shelf_of
from worlds.store.paths import new_item_id

pytestmark = [pytest.mark.django_db, pytest.mark.req("PRE-13")]

SCENE = {
    "state": "draft",
    "story": "## user\nI knock.\n## assistant\nNobody answers.",
    "current_turn": "I open the door.",
    "world_before": "=== The quay\nIt is wet.",
    "char": "Fog",
    "user": "Robin",
    "persona": "Robin is brave.",
    "seed": "3",
}


def trial(preset: Preset, rest: str = "") -> str:
    return f"/presets/{preset.pk}/trial/{rest}"


def a_world(owner: Person) -> World:
    world_id = new_item_id("harbour")
    shelf_of(owner).create(world_id, rich_world())
    world = index_world(owner=owner, world_id=world_id)
    assert world is not None
    return world


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def assemble(client: Client, preset: Preset, **said: object) -> str:
    answer = client.post(trial(preset), {**SCENE, **said}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_page_shows_every_message_with_where_it_comes_from(people: People, harbour: Preset) -> None:
    text = text_of(assemble(client_of(people.ana), harbour, policy="none"))
    assert "9 messages will be sent" in text
    for told in (
        "Tell the story of Fog",
        "story, turn 1",
        "Memory · depth 2",
        "this turn",
        "The quay It is wet.",
    ):
        assert told in text
    assert "Nobody reads this" not in text
    assert "estimate-cjk" in text


def test_what_was_set_is_there_again(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    answer = client.post(trial(harbour), SCENE)
    assert (answer.status_code, answer["Location"]) == (303, trial(harbour))
    page = client.get(trial(harbour)).content.decode()
    assert "I open the door." in page
    assert 'value="Robin"' in page
    assert trials.setup_of(people.ana, harbour).inputs.seed == 3
    assert trials.setup_of(people.hal, harbour) == trials.Setup()


def test_the_messages_are_those_of_the_assembly(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    client.post(trial(harbour), SCENE)
    setup = trials.setup_of(people.ana, harbour)
    wanted = queries.assembled(harbour, "draft", setup.inputs).messages
    for number, message in enumerate(wanted, 1):
        page = text_of(client.get(trial(harbour, f"messages/{number}/")).content.decode())
        assert " ".join(str(message["content"]).split()) in page
    assert client.get(trial(harbour, f"messages/{len(wanted) + 1}/")).status_code == 404


def test_origins_lead_to_their_prompts_while_the_draft_is_tried(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    link = re.compile(rf'href="(/presets/{harbour.pk}/entries/[^"]+)"><span>Tone')
    found = link.search(assemble(client, harbour, policy="none"))
    assert found is not None
    assert "Write calmly." in client.get(found[1]).content.decode()
    assert not link.search(assemble(client, harbour, policy="none", state="1"))


def test_words_are_found_in_messages_and_origins(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    client.post(trial(harbour), {**SCENE, "policy": "strict"})
    html = client.get(trial(harbour, "?find=tone")).content.decode()
    assert "Write calmly." in html
    assert "Stay in the story." not in html
    assert "fits this search" in client.get(trial(harbour, "?find=zebra")).content.decode()


def test_what_the_shape_changed_is_marked(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    assert "changed by it" not in text_of(assemble(client, harbour, policy="none"))
    strict = text_of(assemble(client, harbour, policy="strict"))
    assert "changed by it" in strict
    assert "was system" in strict


def test_unknown_macros_are_marked_and_named(people: People, make_preset: MakePreset) -> None:
    made = make_preset(usual(prompt("hear", "Hear {{wizardry::x}} and {{char}}.")))
    html = assemble(client_of(people.ana), made)
    assert re.search(r"<mark[^>]*>\{\{wizardry::x\}\}</mark>", html)
    assert "wizardry is not expanded" in text_of(html)


def test_a_random_macro_before_the_story_is_told(people: People, make_preset: MakePreset) -> None:
    made = make_preset(usual(prompt("dice", "{{roll:1d6}}")))
    assert "A random macro stands before the story" in text_of(assemble(client_of(people.ana), made))


def test_prompts_of_which_nothing_is_left_are_listed_with_the_reason(
    people: People, make_preset: MakePreset
) -> None:
    made = make_preset(
        preset(
            [prompt("main", "Hi"), prompt("vars", "{{setvar::a::b}}"), marker("chatHistory")],
            ["main", "vars", "chatHistory"],
        )
    )
    text = text_of(assemble(client_of(people.ana), made))
    assert "Nothing is left of it once its macros have run." in text


def test_a_story_too_long_for_the_context_is_cut_and_told(people: People, harbour: Preset) -> None:
    story = "\n".join(f"## user\n{n} " + "fog " * 50 for n in range(40))
    text = text_of(assemble(client_of(people.ana), harbour, story=story, context_length="600"))
    assert re.search(r"All of it needs [\d,]+ tokens, the context has 600: the oldest \d+ turns", text)
    assert "600 tokens · context as typed" in text


def test_prompts_that_do_not_fit_at_all_are_told(people: People, make_preset: MakePreset) -> None:
    made = make_preset(large_preset(30))
    text = text_of(assemble(client_of(people.ana), made, context_length="256"))
    assert "Without any of the story it still needs" in text


def test_the_endpoint_says_the_context_unless_it_is_typed(people: People, harbour: Preset) -> None:
    endpoint = an_endpoint(people.ana, "https://models.example/v1", context_length=1000)
    client = client_of(people.ana)
    assert "of 8,192 tokens · context the preset asks for" in text_of(assemble(client, harbour))
    told = text_of(assemble(client, harbour, endpoints=[endpoint.pk]))
    assert "of 1,000 tokens · context of the endpoint" in told


def test_tool_calls_of_the_story_are_shown_as_code(people: People, harbour: Preset) -> None:
    call = '{"id": "c1", "type": "function", "function": {"name": "roll", "arguments": "{}"}}'
    turns = [
        '{"role": "user", "content": "Roll"}',
        f'{{"role": "assistant", "content": "", "tool_calls": [{call}]}}',
        '{"role": "tool", "content": "4", "tool_call_id": "c1"}',
    ]
    story = f"[{', '.join(turns)}]"
    html = assemble(client_of(people.ana), harbour, story=story)
    assert "tool_calls" in html
    assert "<code>" in html


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("story", "[1]", "cannot be read as one"),
        ("story", "x" * 400_001, "at most 400000 characters"),
        ("world_before", "=== a\nb\n" * 1001, "at most 1000 texts"),
        ("context_length", "3", "greater than or equal to 256"),
        ("state", "7", "not one of the available choices"),
        ("endpoints", ["nobody's"], "not one of the available choices"),
    ],
)
def test_what_cannot_be_read_is_told_and_kept(
    people: People, harbour: Preset, field: str, value: object, told: str
) -> None:
    client = client_of(people.ana)
    for headers in ({}, {"HX-Request": "true"}):
        answer = client.post(trial(harbour), {**SCENE, field: value}, headers=headers)
        assert answer.status_code == 422
        assert told in text_of(answer.content.decode())
    assert trials.setup_of(people.ana, harbour) == trials.Setup()


def test_the_sample_is_in_the_readers_language(people: People, make_preset: MakePreset) -> None:
    made = make_preset(chinese_preset())
    client = client_of(people.ana)
    client.post(trial(made, "fill/"), headers={"Accept-Language": "zh-hans"})
    assert "雾" in trials.setup_of(people.ana, made).inputs.current_turn
    client.post(trial(made, "fill/"), headers={"Accept-Language": "en"})
    assert "fog" in trials.setup_of(people.ana, made).inputs.current_turn


def test_a_world_fills_the_scene(people: People, harbour: Preset) -> None:
    world = a_world(people.ana)
    client = client_of(people.ana)
    assert client.post(trial(harbour, "fill/"), {"world": world.pk}).status_code == 303
    setup = trials.setup_of(people.ana, harbour)
    inputs = trials.assemble_setup(harbour, setup, None).fitted.inputs
    assert inputs.char == world.name
    assert "雾笛响了三声，沈青踏上旧码头。" in str(inputs.history)
    assert "用第三人称" in inputs.world_before[0].text
    assert "每一次潮水涨落" in inputs.post_turn[0].text
    assert "[PLAYER]" not in str(inputs)


def test_texts_of_a_world_follow_the_name_of_the_player(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    client.post(trial(harbour, "fill/"), {"world": a_world(people.ana).pk})
    setup = trials.setup_of(people.ana, harbour)
    renamed = replace(setup, inputs=setup.inputs.model_copy(update={"user": "Robin"}))
    messages = str(trials.assemble_setup(harbour, renamed, None).fitted.assembly.messages)
    assert "Robin踏上旧码头" in messages
    assert "[PLAYER]" not in messages


@pytest.mark.req("PRE-16")
@pytest.mark.parametrize(
    ("language", "character", "player"), [("en", "the character", "the player"), ("zh-hans", "角色", "玩家")]
)
def test_without_names_words_of_the_readers_language_stand_for_them(
    people: People, make_preset: MakePreset, language: str, character: str, player: str
) -> None:
    made = make_preset(preset([prompt("main", "{{char}} / {{user}}"), marker("chatHistory")]))
    client = client_of(people.ana)
    texts = {"story": "## assistant\n[PLAYER] waits.", "world_before": "[PLAYER] is late."}
    headers = {"HX-Request": "true", "Accept-Language": language}
    said = {**SCENE, **texts, "char": "", "user": ""}
    text = text_of(client.post(trial(made), said, headers=headers).content.decode())
    for told in (f"{character} / {player}", f"{player} waits.", f"{player} is late."):
        assert told in text
    page = client.get(trial(made), headers={"Accept-Language": language}).content.decode()
    assert f'placeholder="{character}"' in page
    assert f'placeholder="{player}"' in page


def test_somebody_elses_world_fills_nothing(people: People, harbour: Preset) -> None:
    world = a_world(people.cyd)
    assert client_of(people.ana).post(trial(harbour, "fill/"), {"world": world.pk}).status_code == 404
    assert trials.setup_of(people.ana, harbour) == trials.Setup()


def test_a_reader_may_try_what_is_shared(people: People, harbour: Preset) -> None:
    share(people.ben, "preset", harbour.pk)
    assert "9 messages" in text_of(assemble(client_of(people.ben), harbour, policy="none"))


def test_without_an_endpoint_the_page_says_what_to_do(people: People, harbour: Preset) -> None:
    page = text_of(client_of(people.ana).get(trial(harbour)).content.decode())
    assert "No model endpoint is there." in page
    send = text_of(client_of(people.ana).get(trial(harbour, "send/")).content.decode())
    assert "No endpoint is chosen for this trial." in send
    share(people.hal, "preset", harbour.pk)
    assert "LLM_BASE_URL" in text_of(client_of(people.hal).get(trial(harbour)).content.decode())
    assert not TrialRun.objects.exists()


def test_a_copy_has_the_messages_and_no_key(people: People, harbour: Preset) -> None:
    endpoint = an_endpoint(people.ana, "https://models.example/v1", model="big")
    client = client_of(people.ana)
    assemble(client, harbour, endpoints=[endpoint.pk], policy="none")
    body = client.get(trial(harbour, "copy/?as=file")).json()
    setup = trials.setup_of(people.ana, harbour)
    assert body["messages"] == queries.assembled(harbour, "draft", setup.inputs).messages
    assert body["model"] == "big"
    curl = client.get(trial(harbour, "copy/?form=curl")).content.decode()
    assert "$API_KEY" in unescape(curl)
    assert "sk-" not in curl


def test_a_version_that_is_gone_is_no_dead_end(people: People, harbour: Preset) -> None:
    setup = trials.with_state(trials.setup_of(people.ana, harbour), 9)
    actions.keep_setup(actor=people.ana, preset=harbour, setup=setup)
    assert client_of(people.ana).get(trial(harbour)).status_code == 200


def test_five_hundred_prompts_are_a_small_page(people: People, make_preset: MakePreset) -> None:
    made = make_preset(large_preset(900))
    client = client_of(people.ana)
    assemble(client, made, policy="none")
    page = client.get(trial(made))
    assert len(gzip.compress(page.content)) < 40 * 1024
    assert "Page 1 of 8" in text_of(page.content.decode())
    assert "#304" in client.get(trial(made, "?page=8")).content.decode()


def test_the_endpoint_of_stories_is_ticked_as_the_settings_say(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    usual = an_endpoint(people.ana, "https://models.example/v1", name="Usual")
    stories = an_endpoint(people.ana, "https://stories.example/v1", name="Stories")
    client.post("/settings/models/use/", {"use_": usual.pk})
    assert trials.setup_of(people.ana, harbour).endpoints == (usual.pk,)
    client.post("/settings/models/use/", {"use_": usual.pk, "use_story": stories.pk})
    assert trials.setup_of(people.ana, harbour).endpoints == (stories.pk,)
    page = text_of(client.get("/settings/models/").content.decode())
    assert "Trial runs of presets begin with the one for stories" in page
