"""Trials that are sent: stored first, asked by jobs, kept with the very body that was sent (PRE-18)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from decimal import Decimal
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from llm.asking import ToolCall
from llm.scripted import Line, Script, ScriptedModel
from llm.scripted.script import Said
from portal import bell
from portal.jobs import run_here
from portal.models import Job, ModelCall, ModelEndpoint
from presets import actions, queries, trials
from presets.actions import trials as trial_actions
from presets.long_texts import MOST_KEPT
from presets.models import Preset, TrialReply, TrialRun, TrialSetup
from presets.trial_replies import SoFar, keep, take_up
from presets.trial_slots import sweep
from tests.flow.presets.conftest import MakePreset
from tests.flow.presets.test_trial import SCENE, text_of, trial
from tests.support.endpoints import an_endpoint, list_address, scripted_beside
from tests.support.people import People, client_of, share
from tests.support.preset_files import prompt, usual

# Jobs run in threads with connections of their own.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.req("PRE-13")]
HELLO = Script.of(Line("Nobody answers, and the fog comes in."))


@contextmanager
def a_model(
    people: People, script: Script = HELLO, **said: Any
) -> Iterator[tuple[ScriptedModel, ModelEndpoint]]:
    with scripted_beside(script) as model:
        list_address(model.address)
        yield model, an_endpoint(people.ana, model.address, **said)


def set_up(client: Client, preset: Preset, *endpoints: ModelEndpoint, **said: object) -> None:
    chosen = [endpoint.pk for endpoint in endpoints]
    assert client.post(trial(preset), {**SCENE, "endpoints": chosen, **said}).status_code == 303


def asked_for(client: Client, preset: Preset) -> dict[str, str]:
    """What the question's form sends."""
    page = client.get(trial(preset, "send/")).content.decode()
    return {name: re.findall(f'name="{name}" value="([^"]+)"', page)[0] for name in ("digest", "run")}


def send(client: Client, preset: Preset) -> TrialRun:
    answer = client.post(trial(preset, "send/"), asked_for(client, preset))
    assert answer.status_code == 303
    return TrialRun.objects.get(pk=answer["Location"].rstrip("/").split("/")[-1])


def run_all() -> None:
    for job in Job.objects.filter(state="queued"):
        run_here(job)


def sent(client: Client, preset: Preset) -> TrialReply:
    run = send(client, preset)
    run_all()
    return run.replies.get()


def test_it_asks_first_with_an_estimate(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    prices: dict[str, Any] = {"price_input": Decimal(2), "price_output": Decimal(8)}
    with a_model(people, **prices) as (model, endpoint):
        set_up(client, harbour, endpoint)
        page = text_of(client.get(trial(harbour, "send/")).content.decode())
        assert "Send 1 request?" in page
        assert re.search(r"\d+ messages?, about [\d,]+ tokens", page)
        assert re.search(r"≈ 0\.00\d+ USD", page)
        assert not model.asked
    assert not TrialRun.objects.exists()


@pytest.mark.req("PRE-18")
def test_what_was_sent_is_kept_message_for_message(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    with a_model(people) as (model, endpoint):
        set_up(client, harbour, endpoint, policy="none")
        reply = sent(client, harbour)
        received = model.asked[0]
    assert reply.state == "done"
    assert reply.sent.encode() == received.body
    inputs = trials.setup_of(people.ana, harbour).inputs
    assembled = queries.assembled(harbour, "draft", inputs).messages
    assert json.loads(reply.sent)["messages"] == received.value["messages"] == assembled
    page = text_of(client.get(trial(harbour, f"runs/{reply.run_id}/0/sent/")).content.decode())
    assert "Tell the story of Fog in the harbour." in page
    body = client.get(trial(harbour, f"runs/{reply.run_id}/0/sent/?as=file"))
    assert body.content == received.body


@pytest.mark.req("PRE-18")
def test_what_is_stored_before_sending_is_what_is_sent(people: People, harbour: Preset) -> None:
    """A reply that never ends well shows the body made before; it must be the same one."""
    seen: list[str] = []
    client = client_of(people.ana)
    with a_model(people) as (model, endpoint):
        set_up(client, harbour, endpoint)
        run = send(client, harbour)
        taken = take_up(run.replies.get().pk)
        assert taken is not None
        seen.append(run.replies.get().sent)
        TrialReply.objects.update(state="waiting")
        run_all()
        assert [request.body.decode() for request in model.asked] == seen


@pytest.mark.req("PRE-12")
def test_nothing_stands_before_the_order(people: People, harbour: Preset) -> None:
    """A trial is a session: the request is the assembly, with no system message of our own anywhere."""
    client = client_of(people.ana)
    with a_model(people) as (model, endpoint):
        set_up(client, harbour, endpoint, policy="none", world_before="", persona="", story="")
        sent(client, harbour)
        messages = model.asked[0].value["messages"]
    ours = [message["content"] for message in messages]
    assert ours == [
        "Tell the story of Fog in the harbour.",
        "Write calmly. Rain is never far.",
        "I open the door.",
        "Stay in the story.",
        "Remember the lamps.",
    ]


def test_the_reply_is_shown_with_usage_time_and_cost(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    prices: dict[str, Any] = {"price_input": Decimal(2), "price_output": Decimal(8), "currency": "CNY"}
    with a_model(people, **prices) as (_model, endpoint):
        set_up(client, harbour, endpoint)
        reply = sent(client, harbour)
    page = text_of(client.get(trial(harbour, f"runs/{reply.run_id}/")).content.decode())
    assert "Nobody answers, and the fog comes in." in page
    assert "complete" in page
    assert re.search(r"[\d,]+ in \(0 of them cached\), \d+ out", page)
    assert re.search(r"\d\.\d s, first word after \d\.\d s", page)
    assert "CNY" in page
    call = ModelCall.objects.get()
    assert (call.purpose, call.about, call.group) == ("trial", f"preset:{harbour.pk}", reply.run_id)
    assert reply.tokens_in == call.tokens_in


def test_three_endpoints_answer_side_by_side_and_four_do_not(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    with a_model(people) as (model, first):
        others = [an_endpoint(people.ana, model.address, name=f"Other {n}") for n in range(3)]
        chosen = [first.pk, *(row.pk for row in others)]
        refused = client.post(trial(harbour), {**SCENE, "endpoints": chosen})
        assert "At most three endpoints" in refused.content.decode()
        set_up(client, harbour, first, *others[:2])
        run = send(client, harbour)
        run_all()
        assert len(model.asked) == 3
    assert [reply.state for reply in run.replies.all()] == ["done"] * 3
    page = text_of(client.get(trial(harbour, f"runs/{run.pk}/")).content.decode())
    assert all(name in page for name in ("Fog", "Other 0", "Other 1"))


def test_sent_twice_it_is_one_run(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    with a_model(people) as (model, endpoint):
        set_up(client, harbour, endpoint)
        data = asked_for(client, harbour)
        first, second = (client.post(trial(harbour, "send/"), data) for _ in range(2))
        assert first["Location"] == second["Location"]
        run_all()
        assert len(model.asked) == 1
    assert TrialRun.objects.count() == TrialReply.objects.count() == 1


def test_sent_four_times_at_one_moment_it_is_one_run(
    people: People, harbour: Preset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every one of them has looked and found no run before the first one stores it."""
    client, together = client_of(people.ana), Barrier(4, timeout=20)
    refuse = trial_actions._refuse_unsendable

    def together_then_refuse(*said: Any) -> None:
        together.wait()
        refuse(*said)

    monkeypatch.setattr(trial_actions, "_refuse_unsendable", together_then_refuse)
    with a_model(people) as (model, endpoint):
        set_up(client, harbour, endpoint)
        data = asked_for(client, harbour)

        def post(_number: int) -> str:
            mine = client_of(people.ana)
            try:
                return mine.post(trial(harbour, "send/"), data)["Location"]
            finally:
                connection.close()

        with ThreadPoolExecutor(4) as pool:
            assert len(set(pool.map(post, range(4)))) == 1
        run_all()
        assert len(model.asked) == 1
    assert TrialRun.objects.count() == TrialReply.objects.count() == 1


def test_the_number_of_a_run_of_another_preset_is_no_fault(people: People, make_preset: MakePreset) -> None:
    client = client_of(people.ana)
    one, other = make_preset(usual(prompt("x", "y"))), make_preset(usual(prompt("x", "z")))
    with a_model(people) as (_model, endpoint):
        set_up(client, one, endpoint)
        set_up(client, other, endpoint)
        run = send(client, one)
        answer = client.post(trial(other, "send/"), {**asked_for(client, other), "run": run.pk})
    assert answer.status_code == 303
    assert TrialRun.objects.count() == 2


def test_what_changed_since_the_question_is_asked_again(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    with a_model(people) as (_model, endpoint):
        set_up(client, harbour, endpoint)
        data = asked_for(client, harbour)
        etag = queries.prompt_row(harbour, "tone").etag
        actions.save_prompt(
            actor=people.ana, preset=harbour, prompt_id="tone", fields={"content": "Louder."}, if_match=etag
        )
        answer = client.post(trial(harbour, "send/"), data)
    assert answer.status_code == 409
    assert "has changed since you looked. Nothing was sent." in text_of(answer.content.decode())
    assert not TrialRun.objects.exists()


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("401", "The key was refused."),
        ("403", "not allowed to do this"),
        ("404-model", "has nothing at"),
        ("400", "does not take this request"),
        ("400-too-long", "longer than the model can take"),
        ("429", "takes no more requests for now"),
        ("500", "a fault of its own"),
        ("html-200", "a web page, not an API"),
        ("error-event", "broke off its answer with an error"),
        ("no-done", "broke off before its end"),
        ("garbage-event", "not what the protocol says"),
        ("null-content", "answered nothing"),
        ("redirect", "leads on to another one"),
    ],
)
def test_every_fault_is_told_in_words(people: People, harbour: Preset, fault: str, told: str) -> None:
    client = client_of(people.ana)
    with a_model(people, Script.of(Line("Part of an answer.", fault=fault))) as (_model, endpoint):
        set_up(client, harbour, endpoint)
        reply = sent(client, harbour)
    assert reply.state == "fault"
    page = text_of(client.get(trial(harbour, f"runs/{reply.run_id}/")).content.decode())
    assert told in page
    assert "Try again" in page
    assert json.loads(reply.sent)["messages"]


@pytest.mark.req("PRE-7")
def test_what_stands_in_the_history_is_named_where_no_shape_helps(
    people: People, make_preset: MakePreset
) -> None:
    client = client_of(people.ana)
    memory = prompt("memory", "Remember.", injection_position=1, injection_depth=1, role="system")
    made = make_preset(usual(memory))
    with a_model(people) as (_model, endpoint):
        set_up(client, made, endpoint, policy="none")
        run = send(client, made)
    fields = {"state": "fault", "fault": "refused", "message": "x", "said": "System role not supported"}
    TrialReply.objects.update(**fields)
    page = text_of(client.get(trial(made, f"runs/{run.pk}/")).content.decode())
    assert "These prompts stand inside the story as system messages, which no shape changes: Memory." in page
    assert "Try with" not in page
    etag = queries.prompt_row(made, "memory").etag
    actions.save_prompt(
        actor=people.ana, preset=made, prompt_id="memory", fields={"role": "user"}, if_match=etag
    )
    page = text_of(client.get(trial(made, f"runs/{run.pk}/")).content.decode())
    assert "Try with “strict”" in page
    assert "which no shape changes" not in page


def test_a_refusal_of_roles_suggests_another_shape(people: People, make_preset: MakePreset) -> None:
    client = client_of(people.ana)
    harbour = make_preset(usual(prompt("tone", "Write calmly.")))
    with a_model(people) as (_model, endpoint):
        set_up(client, harbour, endpoint, policy="none")
        run = send(client, harbour)
    fields = {"state": "fault", "fault": "refused", "message": "x", "said": "System role not supported"}
    TrialReply.objects.update(**fields)
    page = client.get(trial(harbour, f"runs/{run.pk}/")).content.decode()
    assert "Try with “strict”" in text_of(page)
    answer = client.post(trial(harbour, "fill/"), {"policy": "strict"})
    assert answer["Location"] == trial(harbour, "send/")
    assert trials.setup_of(people.ana, harbour).inputs.policy == "strict"
    assert trials.setup_of(people.ana, harbour).inputs.current_turn == SCENE["current_turn"]


def test_tool_calls_and_thinking_are_kept(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    line = Line(thinking="The lamps…", calls=(Said("roll_dice", '{"sides": 6}'),))
    with a_model(people, Script.of(line)) as (_model, endpoint):
        set_up(client, harbour, endpoint)
        reply = sent(client, harbour)
    assert (reply.finish, reply.thinking) == ("tool-calls", "The lamps…")
    assert reply.calls == [{"name": "roll_dice", "arguments": '{"sides": 6}'}]
    page = text_of(client.get(trial(harbour, f"runs/{reply.run_id}/")).content.decode())
    assert 'roll_dice({"sides": 6})' in page


def test_an_endless_answer_is_shown_in_part_and_kept_in_bounds(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    text = "The tide comes in. " * (MOST_KEPT // 19 + 5)
    with a_model(people) as (_model, endpoint):
        set_up(client, harbour, endpoint)
        run = send(client, harbour)
    reply = run.replies.get()
    calls = tuple(ToolCall("", "roll_dice", text) for _ in range(3))
    assert keep(reply.pk, run.pk, SoFar(text, text, calls))
    page = client.get(trial(harbour, f"runs/{run.pk}/")).content.decode()
    assert len(page) < 100_000
    told = text_of(page)
    assert "978,000 characters are left out here." in told
    assert "only its first 1,000,000 characters are kept" in told
    part = trial(harbour, f"runs/{run.pk}/0/")
    assert len(client.get(part).content) < 100_000
    for name in ("text", "thinking"):
        assert client.get(f"{part}?as={name}").content.decode() == text[:MOST_KEPT]
    assert len(client.get(f"{part}?as=calls").json()) == 1
    assert client_of(people.ben).get(f"{part}?as=text").status_code == 404


def test_an_answer_cut_at_its_length_says_so(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    with a_model(people, Script.of(Line("And then", fault="finish-length"))) as (_model, endpoint):
        set_up(client, harbour, endpoint)
        reply = sent(client, harbour)
    assert (reply.state, reply.finish) == ("done", "length")
    page = text_of(client.get(trial(harbour, f"runs/{reply.run_id}/")).content.decode())
    assert "cut at the limit of its length" in page


def test_after_a_crash_nothing_is_asked_again_by_itself(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    with a_model(people) as (model, endpoint):
        set_up(client, harbour, endpoint)
        run = send(client, harbour)
        TrialReply.objects.update(state="running", text="Nobody ans")  # as a killed server leaves it
        run_all()
        assert not model.asked
        page = text_of(client.get(trial(harbour, f"runs/{run.pk}/")).content.decode())
        assert "The server stopped while this was being answered." in page
        assert "Nobody ans" in page
        assert client.post(trial(harbour, f"runs/{run.pk}/0/again/")).status_code == 303
        run_all()
        assert len(model.asked) == 1
    assert run.replies.get().text == "Nobody answers, and the fog comes in."


def test_a_job_that_vanished_leaves_no_reply_waiting_for_ever(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    with a_model(people) as (_model, endpoint):
        set_up(client, harbour, endpoint)
        run = send(client, harbour)
    Job.objects.all().delete()
    assert "Interrupted" in client.get(trial(harbour, f"runs/{run.pk}/")).content.decode()


def test_a_reply_that_waits_can_be_stopped_and_asked(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    with a_model(people) as (model, endpoint):
        set_up(client, harbour, endpoint)
        run = send(client, harbour)
        assert client.post(trial(harbour, f"runs/{run.pk}/0/stop/")).status_code == 303
        run_all()
        assert not model.asked
        assert run.replies.get().state == "stopped"
        client.post(trial(harbour, f"runs/{run.pk}/0/stop/"))  # nothing is left to stop
        client.post(trial(harbour, f"runs/{run.pk}/0/again/"))
        asked = client.post(trial(harbour, f"runs/{run.pk}/0/again/"))
        assert asked.status_code == 409
        run_all()
        assert len(model.asked) == 1
    assert run.replies.get().state == "done"


def test_an_endpoint_taken_away_meanwhile_is_told(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    with a_model(people) as (model, endpoint):
        set_up(client, harbour, endpoint)
        run = send(client, harbour)
        endpoint.delete()
        run_all()
        assert not model.asked
    assert run.replies.get().state == "fault"
    page = client.get(trial(harbour, f"runs/{run.pk}/")).content.decode()
    assert "The endpoint “Fog” is gone." in text_of(page)


def test_an_answer_is_kept_when_its_endpoint_is_gone(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    with a_model(people) as (_model, endpoint):
        set_up(client, harbour, endpoint)
        reply = sent(client, harbour)
    endpoint.delete()
    answer = client.post(trial(harbour, f"runs/{reply.run_id}/0/again/"))
    assert answer.status_code == 409
    assert "The endpoint “Fog” is gone." in text_of(answer.content.decode())
    run_all()
    kept = TrialReply.objects.get()
    assert (kept.state, kept.text, kept.sent) == ("done", reply.text, reply.sent)
    assert "Nobody answers" in client.get(trial(harbour, f"runs/{reply.run_id}/")).content.decode()


def test_the_fragment_says_nothing_while_nothing_changed(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    with a_model(people) as (_model, endpoint):
        set_up(client, harbour, endpoint)
        run = send(client, harbour)
        part = trial(harbour, f"runs/{run.pk}/0/")
        version = run.replies.get().version
        assert client.get(f"{part}?seen={version}").status_code == 204
        run_all()
        done = client.get(f"{part}?seen={version}").content.decode()
    assert "hx-trigger" not in done
    assert 'role="status"' in done


def test_twenty_runs_are_kept_and_the_page_says_what_went(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    with a_model(people) as (_model, endpoint):
        set_up(client, harbour, endpoint)
        runs = [send(client, harbour) for _ in range(trials.MOST_RUNS)]
        data = asked_for(client, harbour)
        answer = client.post(trial(harbour, "send/"), data, follow=True)
    assert "The oldest run was deleted to make room: the last 20 are kept." in text_of(
        answer.content.decode()
    )
    assert TrialRun.objects.count() == 20
    gone = client.get(trial(harbour, f"runs/{runs[0].pk}/"))
    assert gone.status_code == 404
    assert "This trial run is not here any more." in text_of(gone.content.decode())


def test_a_run_is_compared_with_the_preset_in_its_own_scene(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    with a_model(people) as (_model, endpoint):
        set_up(client, harbour, endpoint, policy="none")
        run = send(client, harbour)
    set_up(client, harbour, endpoint, policy="none", current_turn="Something else.")
    address = trial(harbour, f"compare/?old=run-{run.pk}&new=draft")
    assert "The messages are the same." in text_of(client.get(address).content.decode())
    etag = queries.prompt_row(harbour, "tone").etag
    actions.save_prompt(
        actor=people.ana, preset=harbour, prompt_id="tone", fields={"content": "Louder."}, if_match=etag
    )
    assert "1 message differs" in text_of(client.get(address).content.decode())
    other = trial(harbour, f"compare/?old=run-{run.pk}&new=run-{run.pk}")
    assert "The messages are the same." in text_of(client.get(other).content.decode())
    assert client_of(people.ben).get(address).status_code == 404


def test_runs_are_told_apart_by_number_state_endpoint_and_turn(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    with a_model(people) as (_model, endpoint):
        set_up(client, harbour, endpoint, current_turn="I open the\ndoor.")
        send(client, harbour)
        set_up(client, harbour, endpoint, current_turn="I wait " * 20)
        second = send(client, harbour)
    compare = client.get(trial(harbour, "compare/")).content.decode()
    told = re.findall(r"<option[^>]*>(Run \d.*?)</option>", compare)
    assert told[:2] == told[2:]  # on either side
    assert re.fullmatch(r"Run 2 · .+ · Version 1 · Fog · (I wait ){8}I w…", told[0])
    assert re.fullmatch(r"Run 1 · .+ · Version 1 · Fog · I open the door\.", told[1])
    page = client.get(trial(harbour, f"runs/{second.pk}/")).content.decode()
    assert "Run 2" in text_of(page)
    assert "Run 1 · " in page
    listed = text_of(client.get(trial(harbour)).content.decode())
    assert "I open the door." in listed


def test_a_run_names_the_version_where_there_is_no_draft(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    with a_model(people) as (_model, endpoint):
        set_up(client, harbour, endpoint)
        run = send(client, harbour)
        page = text_of(client.get(trial(harbour, f"runs/{run.pk}/")).content.decode())
        assert "Version 1 · " in page
        assert "Draft after" not in page
        etag = queries.prompt_row(harbour, "tone").etag
        actions.save_prompt(
            actor=people.ana, preset=harbour, prompt_id="tone", fields={"content": "Louder."}, if_match=etag
        )
        run = send(client, harbour)
    page = text_of(client.get(trial(harbour, f"runs/{run.pk}/")).content.decode())
    assert "Draft after version 1 · " in page


def test_a_run_is_its_persons_own(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    share(people.ben, "preset", harbour.pk, "edit")
    with a_model(people) as (_model, endpoint):
        set_up(client, harbour, endpoint)
        run = send(client, harbour)
    ben = client_of(people.ben)
    for rest in ("", "0/", "0/sent/"):
        assert ben.get(trial(harbour, f"runs/{run.pk}/{rest}")).status_code == 404
    for rest in ("delete/", "0/stop/", "0/again/"):
        assert ben.post(trial(harbour, f"runs/{run.pk}/{rest}")).status_code == 404
    assert bell.may_hear(people.ana, f"trial:{run.pk}")
    assert not bell.may_hear(people.ben, f"trial:{run.pk}")
    assert "Sent before" not in ben.get(trial(harbour)).content.decode()


def test_an_endpoint_of_somebody_else_cannot_be_chosen(people: People, harbour: Preset) -> None:
    theirs = an_endpoint(people.cyd, "https://models.example/v1")
    refused = client_of(people.ana).post(trial(harbour), {**SCENE, "endpoints": [theirs.pk]})
    assert refused.status_code == 422
    setup = trials.Setup(endpoints=(theirs.pk,))
    actions.keep_setup(actor=people.ana, preset=harbour, setup=setup)
    assert "No endpoint is chosen" in client_of(people.ana).get(trial(harbour, "send/")).content.decode()


def test_a_deleted_run_is_gone_with_its_work(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    with a_model(people) as (model, endpoint):
        set_up(client, harbour, endpoint)
        run = send(client, harbour)
        assert client.post(trial(harbour, f"runs/{run.pk}/delete/")).status_code == 303
        run_all()
        assert not model.asked
    assert not TrialRun.objects.exists()


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda row: ModelEndpoint.objects.update(model=""), "has no model chosen yet"),
        (lambda row: None, ""),
    ],
)
def test_without_a_model_nothing_is_sent(
    people: People, harbour: Preset, spoil: Callable[[ModelEndpoint], object], code: str
) -> None:
    client = client_of(people.ana)
    endpoint = an_endpoint(people.ana, "https://models.example/v1")
    spoil(endpoint)
    set_up(client, harbour, endpoint)
    answer = client.post(trial(harbour, "send/"), asked_for(client, harbour))
    assert (answer.status_code == 303) is (not code)
    assert code in text_of(answer.content.decode())


def test_a_preset_without_a_message_is_not_sent(people: People, make_preset: MakePreset) -> None:
    made = make_preset(usual())
    for prompt_id in ("main", "jailbreak"):
        actions.switch_prompt(actor=people.ana, preset=made, prompt_id=prompt_id, on=False)
    client = client_of(people.ana)
    endpoint = an_endpoint(people.ana, "https://models.example/v1")
    empty = dict.fromkeys(("story", "current_turn", "world_before", "persona"), "")
    set_up(client, made, endpoint, **empty)
    answer = client.post(trial(made, "send/"), asked_for(client, made))
    assert "This preset gives no message here. Nothing was sent." in text_of(answer.content.decode())
    assert not TrialRun.objects.exists()


def test_openai_itself_gets_only_what_it_knows(people: People, make_preset: MakePreset) -> None:
    made = make_preset(usual(prompt("x", "y"), temperature=0.5, top_k=20, min_p=0.1, n=3))
    client = client_of(people.ana)
    for address, names in (
        ("https://api.openai.com/v1", {"temperature"}),
        ("https://models.example/v1", {"temperature", "top_k", "min_p"}),
    ):
        set_up(client, made, an_endpoint(people.ana, address, name=address))
        run = send(client, made)
        settings = json.loads(run.replies.get().settings)
        assert names <= settings.keys()
        assert not {"n", "stream"} & settings.keys()
        assert ("top_k" in settings) is ("top_k" in names)


def test_runs_go_with_a_preset_that_is_gone_for_good(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    with a_model(people) as (_model, endpoint):
        set_up(client, harbour, endpoint)
        send(client, harbour)
    entry = actions.trash_preset(actor=people.ana, preset=harbour)
    sweep()
    assert TrialRun.objects.exists()  # it may come back
    actions.empty_trash(actor=people.ana, entry_ids=[str(entry)])
    sweep()
    assert not TrialRun.objects.exists()
    assert not TrialSetup.objects.exists()


def test_a_job_leads_to_its_run(people: People, harbour: Preset) -> None:
    client = client_of(people.ana)
    with a_model(people) as (_model, endpoint):
        set_up(client, harbour, endpoint)
        run = send(client, harbour)
        run_all()
    page = client.get("/jobs/").content.decode()
    assert trial(harbour, f"runs/{run.pk}/") in page
    assert "Fog: Finished" in page
