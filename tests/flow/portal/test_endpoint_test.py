"""The test of an endpoint: three steps, what it can do, and every failure in words (`portal.md` 3.11)."""

from __future__ import annotations

import re

import pytest
from django.utils.html import escape

from llm.abilities import FoundAbilities
from llm.check import EndpointCheck
from llm.endpoint import Abilities
from llm.scripted import Line, Rule, Script
from portal.endpoints import actions, calling, environment, testing, told
from portal.endpoints.queries import endpoint_of
from portal.jobs import run_here
from portal.models import Job, ModelCall, ModelEndpoint
from roleplay.config import Model
from tests.support.endpoints import KEY, an_endpoint, changed, list_address, scripted_beside, sentences
from tests.support.people import People, client_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_root")]
BLUE = {"colour": "blue"}
ABLE = sentences(
    Rule((Line(answer=BLUE),), task="name_colour"), Rule((Line("yes"),)), models=("scripted", "mist-7b")
)


def after_test(people: People, row: ModelEndpoint) -> ModelEndpoint:
    job = run_here(actions.test_endpoint(actor=people.ana, endpoint=row))
    assert job.state == Job.State.DONE, job.error
    row.refresh_from_db()
    return row


def page_of(people: People, row: ModelEndpoint, language: str = "en") -> str:
    people.ana.language = language
    people.ana.save()
    return client_of(people.ana).get(f"/settings/models/{row.pk}/").content.decode()


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_an_endpoint_that_works_is_known_afterwards(people: People) -> None:
    with scripted_beside(ABLE) as model:
        list_address(model.address)
        row = after_test(people, an_endpoint(people.ana, model.address, model=""))
    assert (row.test_outcome, row.model) == ("ok", "scripted"), "the first of the list was asked"
    assert [step["state"] for step in row.steps] == ["passed"] * 4
    assert [model["id"] for model in row.listed] == ["scripted", "mist-7b"]
    able = row.abilities
    assert (able.streaming, able.schema, able.tools, able.system_first, able.many_systems) == (True,) * 5
    assert endpoint_of(row).abilities.answer_form == "schema"
    calls = ModelCall.objects.all()
    assert {(call.purpose, call.about, call.outcome) for call in calls} == {
        ("testing", f"endpoint:{row.pk}", "ok")
    }
    assert len(calls) == 6, "one reply and five questions"
    assert len({call.group for call in calls}) == 1
    page = page_of(people, row)
    assert re.search(r"Works, \d+ ms", page)
    assert "The service lists 2 models." in page
    assert '<option value="mist-7b">' in page


@pytest.mark.parametrize(
    ("fault", "outcome", "state", "words", "own_words"),
    [
        ("401", "key-refused", "Key refused", "The key was refused.", "Incorrect API key provided."),
        ("403", "forbidden", "Key refused", "not allowed to do this", "Your account may not use this model."),
        ("404-model", "not-found", "Does not work", "has nothing at", "The model does not exist."),
        ("429", "rate-limited", "Rate-limited", "The service asks to wait 40 seconds.", "slow down"),
        ("500", "overloaded", "Does not work", "a fault of its own", "internal error"),
        ("503", "overloaded", "Does not work", "a fault of its own", "the model is loading"),
        ("html-200", "web-page", "Does not work", "That is a web page, not an API.", ""),
        ("redirect", "moved", "Does not work", "leads on to another one", ""),
        ("null-content", "empty", "Does not work", "The model answered nothing.", ""),
        ("no-done", "unfinished", "Does not work", "broke off before its end", ""),
    ],
)
def test_every_failure_is_told_in_words(
    people: People, fault: str, outcome: str, state: str, words: str, own_words: str
) -> None:
    with scripted_beside(Script.of(Line("yes", fault=fault, seconds=40))) as model:
        list_address(model.address)
        row = after_test(people, an_endpoint(people.ana, model.address))
    assert row.test_outcome == outcome
    assert [step["state"] for step in row.steps] == ["passed", "passed", "failed"]
    assert told.state_of(row).word == state
    shown = text_of(page_of(people, row))
    assert words in shown
    assert own_words in shown
    assert str(told.state_of(row).word) in text_of(
        client_of(people.ana).get("/settings/models/").content.decode()
    )
    assert [call.outcome for call in ModelCall.objects.all()] == [outcome]


def test_a_key_refused_at_the_list_ends_the_test(people: People) -> None:
    with scripted_beside(ABLE, key="sk-another") as model:
        list_address(model.address)
        row = after_test(people, an_endpoint(people.ana, model.address))
    assert [step["state"] for step in row.steps] == ["passed", "failed", "skipped"]
    assert row.test_outcome == "key-refused"
    assert not ModelCall.objects.exists()


def test_an_address_without_its_version_is_named(people: People) -> None:
    with scripted_beside(ABLE) as model:
        list_address(model.address)
        address = model.address.removesuffix("/v1")
        row = after_test(people, an_endpoint(people.ana, address))
    assert row.test_outcome == "not-found"
    assert f"Did you mean {model.address}?" in text_of(page_of(people, row))


def test_nobody_there_is_told_without_going_on(people: People) -> None:
    list_address("http://127.0.0.1:9")
    row = after_test(people, an_endpoint(people.ana, "http://127.0.0.1:9/v1"))
    assert [step["state"] for step in row.steps] == ["failed", "skipped", "skipped"]
    assert told.state_of(row).word == "Not reachable"
    assert "Nothing answers at this address." in page_of(people, row)


def test_an_address_no_longer_listed_is_told(people: People) -> None:
    list_address("http://127.0.0.1:9")
    row = an_endpoint(people.ana, "http://127.0.0.1:9/v1")
    actions.save_rules(actor=people.hal, members_add=True, addresses=[])
    assert after_test(people, row).test_outcome == "not-allowed"
    assert "once the host of the server lists it" in page_of(people, row)


def test_a_key_said_back_is_shown_to_nobody(people: People, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    with scripted_beside(Script.of(Line(thinking=KEY, fault="echo-key"))) as model:
        list_address(model.address)
        row = after_test(people, an_endpoint(people.ana, model.address))
    assert "No such key:" in page_of(people, row)
    assert KEY not in page_of(people, row)
    assert KEY not in caplog.text
    assert KEY not in str(list(ModelEndpoint.objects.values())) + str(list(Job.objects.values()))


def test_words_of_a_service_are_text(people: People) -> None:
    nasty = "<script>alert(1)</script> {{ reader }} %(name)s {count}"
    with scripted_beside(Script.of(Line(thinking=nasty, fault="echo-key"))) as model:
        list_address(model.address)
        row = after_test(people, an_endpoint(people.ana, model.address))
    page = page_of(people, row, "zh-hans")
    assert escape(nasty) in page
    assert nasty not in page


def test_what_was_found_earlier_stays_when_a_question_gets_no_answer(people: People) -> None:
    with scripted_beside(ABLE) as model:
        list_address(model.address)
        row = after_test(people, an_endpoint(people.ana, model.address))
    lines = (Line("yes"), Line(fault="429", seconds=1))
    with scripted_beside(sentences(Rule(lines))) as model:
        list_address(model.address)
        moved = changed(row, base_url=model.address)
        actions.save_endpoint(actor=people.ana, endpoint=row, fields=moved, key=KEY)
        ModelEndpoint.objects.filter(pk=row.pk).update(abilities_found={"schema": True})
        row = after_test(people, row)
    assert row.test_outcome == "ok"
    assert row.abilities_found == {"schema": True}
    assert "Answers word by word: The service takes no more requests" in text_of(page_of(people, row))


@pytest.mark.parametrize(
    "change", [{"model": "mist-7b"}, {"base_url": "https://other.example/v1"}, {"kind": "anthropic"}]
)
def test_a_test_of_what_was_changed_meanwhile_is_not_kept(people: People, change: dict[str, str]) -> None:
    row = an_endpoint(people.ana)
    opened = calling.open_endpoint(people.ana.pk, row.pk)
    actions.save_endpoint(actor=people.ana, endpoint=row, fields=changed(row, **change), key=KEY)
    testing.store_check(opened, "scripted", EndpointCheck((), (), None, "key-refused"))
    testing.store_abilities(opened, "scripted", FoundAbilities(Abilities(tools=True), ()))
    row.refresh_from_db()
    assert (row.test_outcome, row.abilities_found, row.steps) == ("", {}, [])


def test_an_endpoint_deleted_before_its_test_is_no_fault_of_ours(people: People) -> None:
    row = an_endpoint(people.ana)
    job = actions.test_endpoint(actor=people.ana, endpoint=row)
    assert told.being_tested(people.ana) == {row.pk}
    assert "Being tested" in page_of(people, row)
    actions.delete_endpoint(actor=people.ana, endpoint=row)
    ended = run_here(job)
    assert (ended.state, ended.error_code) == (Job.State.FAILED, "not-found")


def test_a_key_that_cannot_be_read_ends_the_job_in_words(people: People) -> None:
    row = an_endpoint(people.ana)
    ModelEndpoint.objects.filter(pk=row.pk).update(sealed_key="gone")
    job = run_here(actions.test_endpoint(actor=people.ana, endpoint=row))
    assert (job.state, job.error_code) == (Job.State.FAILED, "endpoint.key-unreadable")
    page = text_of(page_of(people, row))
    assert "Type the key again" in page
    assert "The stored key can no longer be read. Type the key again." in page
    listed = client_of(people.ana).get("/settings/models/").content.decode()
    assert "Type the key again" in listed


def test_the_host_tests_the_environments_endpoint(people: People, settings: object) -> None:
    with scripted_beside(ABLE) as model:
        settings.MODEL = Model(model.address, KEY, "")  # type: ignore[attr-defined]
        row = environment.in_step()
        assert row is not None
        job = run_here(actions.test_endpoint(actor=people.hal, endpoint=row))
        assert job.state == Job.State.DONE, job.error
        row.refresh_from_db()
        assert (row.test_outcome, row.model) == ("ok", "scripted")
        page = client_of(people.hal).get("/settings/models/environment/").content.decode()
        assert "LLM_BASE_URL" in page
        assert KEY not in page
        assert "Works" in client_of(people.cyd).get("/settings/models/").content.decode()


def test_the_job_leads_to_the_endpoint_and_says_how_it_stands(people: People) -> None:
    list_address("http://127.0.0.1:9")
    row = an_endpoint(people.ana, "http://127.0.0.1:9/v1")
    job = run_here(actions.test_endpoint(actor=people.ana, endpoint=row))
    page = client_of(people.ana).get(f"/jobs/{job.pk}/").content.decode()
    assert f'href="/settings/models/{row.pk}/"' in page
    assert "Not reachable" in page
