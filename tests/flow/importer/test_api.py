"""The importer over HTTP: shapes, status codes, waiting for the reading, and who gets what."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from importer import actions
from importer.api import uploads as api
from importer.models import Upload
from importer.pipeline.record import ImportRecord
from portal.models import Job
from tests.support.cards import (
    chinese_card,
    english_card,
    json_bytes,
    png,
    png_card,
    sillytavern_book,
    text_chunk,
    v3,
)
from tests.support.endpoints import an_endpoint
from tests.support.importing import imported, ran, ready, started, was_read
from tests.support.people import People, client_of, share
from worlds.data import data_folder
from worlds.models import World
from worlds.queries import folder_of, shelf_of
from worlds.store.staging import Staging

pytestmark = [pytest.mark.usefixtures("data_root"), pytest.mark.django_db]
IMPORT = "/roleplay-api/worlds/import"
NO_GREETING = v3(first_mes="", alternate_greetings=[])
WROTE = "application/json"


@pytest.fixture
def ana(people: People) -> Client:
    return client_of(people.ana)


@pytest.fixture(autouse=True)
def reading_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """While an answer waits, the files that came are read, as the engine of a server would do."""

    def pause(_seconds: float) -> None:
        for upload in Upload.objects.filter(state=Upload.State.READING):
            was_read(upload)

    monkeypatch.setattr(api, "time", SimpleNamespace(sleep=pause, monotonic=lambda: 0.0))


def file(data: bytes, name: str = "mira.png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def sent(call: Callable[..., Any], where: str, value: Any) -> Any:
    return call(where, json.dumps(value), content_type=WROTE)


def error_of(answer: Any) -> dict[str, str]:
    error: dict[str, str] = answer.json()["error"]
    assert set(error) == {"code", "message", "where"}
    assert "{" not in error["message"]
    assert error["message"][0].isupper()
    return error


# --- taking in ------------------------------------------------------------------------------------


@pytest.mark.req("CARD-4", "PREV-4", "PREV-5")
def test_an_upload_is_answered_with_its_preview(ana: Client) -> None:
    answer = ana.post(IMPORT, {"file": file(png_card(chinese_card()))})
    told = answer.json()
    assert answer.status_code == 201
    assert told["id"] == Upload.objects.get().pk
    preview = told["preview"]
    assert (preview["name"], preview["spec"], preview["container"]) == (
        "潮汐镇",
        "chara_card_v3",
        "png:tEXt:ccv3",
    )
    assert preview["dialect"]["regexScripts"] == 2
    assert preview["dialect"]["helperScripts"] == 1
    assert len(preview["greetings"]) == 4
    assert (preview["targets"], preview["default"], preview["sameFile"]) == ([], None, [])
    assert told["choices"]["name"] == "潮汐镇"
    assert told["expires"]
    assert World.objects.count() == 0


@pytest.mark.req("PREV-5", "PREV-6")
def test_worlds_to_update_have_the_seeds_spelling(ana: Client, people: People) -> None:
    world = imported(people.ana, v3())
    told = ana.post(IMPORT, {"file": file(json_bytes(v3()), "a.json")}).json()["preview"]
    assert told["targets"] == [{"world": world.pk, "name": "Mira Oakes", "sameName": True, "edited": "no"}]
    assert told["default"] == {"update": world.pk}
    assert [same["world"] for same in told["sameFile"]] == [world.pk]


def test_a_slow_reading_is_answered_without_a_preview(ana: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, api.READING_SECONDS])
    monkeypatch.setattr(api, "time", SimpleNamespace(sleep=None, monotonic=lambda: next(clock)))
    told = ana.post(IMPORT, {"file": file(png_card(v3()))}).json()
    assert (told["state"], told["preview"]) == ("reading", None)
    was_read(Upload.objects.get())
    later = ana.get(IMPORT, {"id": told["id"]}).json()
    assert later["state"] == "ready"
    assert later["preview"]["name"] == "Mira Oakes"


def test_several_files_are_several_uploads_and_one_refusal_refuses_no_other(
    ana: Client, settings: Settings
) -> None:
    settings.IMPORTS = replace(settings.IMPORTS, max_upload_bytes=10_000)
    files = [file(png_card(v3())), file(b"x" * 20_000, "big"), file(json_bytes(sillytavern_book()), "b.json")]
    answer = ana.post(IMPORT, {"file": files})
    told = answer.json()
    assert answer.status_code == 201
    one, two, three = told["uploads"]
    assert told["id"] == one["id"]
    assert two["error"]["code"] == "upload-too-large"
    assert (three["state"], three["preview"], three["error"]["kind"]) == ("other", None, "lorebook")
    assert Upload.objects.count() == 2


@pytest.mark.req("CARD-3")
def test_a_file_over_the_limit_is_413(ana: Client, settings: Settings) -> None:
    settings.IMPORTS = replace(settings.IMPORTS, max_upload_bytes=10)
    answer = ana.post(IMPORT, {"file": file(b"x" * 11)})
    assert answer.status_code == 413
    assert error_of(answer)["code"] == "upload-too-large"
    assert Staging(data_folder()).ids() == []


def test_a_form_without_a_file_is_422(ana: Client) -> None:
    answer = ana.post(IMPORT, {"card": "x"})
    assert (answer.status_code, error_of(answer)["code"]) == (422, "no-file")


def test_too_many_files_are_429_with_the_time_to_wait(ana: Client, settings: Settings) -> None:
    settings.IMPORTS = replace(settings.IMPORTS, uploads_per_hour=1)
    ana.post(IMPORT, {"file": file(b"1")})
    answer = ana.post(IMPORT, {"file": file(b"2")})
    assert (answer.status_code, error_of(answer)["code"]) == (429, "upload.too-many")
    assert 3500 < int(answer.headers["Retry-After"]) <= 3600


@pytest.mark.parametrize(
    ("data", "state", "code"),
    [
        (png(text_chunk("chara", b"!!")), "unreadable", ""),
        (json_bytes(sillytavern_book()), "other", "other-file"),
    ],
    ids=["broken", "lorebook"],
)
def test_a_file_that_is_no_card_says_why(ana: Client, data: bytes, state: str, code: str) -> None:
    told = ana.post(IMPORT, {"file": file(data)}).json()
    assert (told["state"], told["preview"], told["choices"]) == (state, None, None)
    assert told["error"]["message"]
    assert code in told["error"]["code"]


# --- choices, away --------------------------------------------------------------------------------


@pytest.mark.req("PREV-1")
def test_choices_are_changed_one_by_one(ana: Client, people: People) -> None:
    where = f"{IMPORT}?id={ready(people.ana, english_card()).pk}"
    sent(ana.patch, where, {"name": "Fog", "off": ["entry:1"]})
    answer = sent(ana.patch, where, {"opening": "greeting:1", "language": "zh-hans"})
    expected = {
        "name": "Fog",
        "off": ["entry:1"],
        "opening": "greeting:1",
        "language": "zh-hans",
        "way": "structure",
        "endpoint": "",
    }
    assert answer.json()["choices"] == ana.get(where).json()["choices"] == expected


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        "x",
        {"off": "entry:1"},
        {"off": [1]},
        {"name": 3},
        {"way": "model"},
        {"off": ["entry:99"]},
        {"name": ""},
    ],
)
def test_choices_that_cannot_be_used_change_nothing(ana: Client, people: People, wrong: Any) -> None:
    where = f"{IMPORT}?id={ready(people.ana, english_card()).pk}"
    before = ana.get(where).json()
    answer = sent(ana.patch, where, wrong)
    assert answer.status_code == 422
    error_of(answer)
    assert ana.get(where).json() == before


def test_a_body_that_is_no_json_is_422(ana: Client, people: People) -> None:
    where = f"{IMPORT}?id={ready(people.ana, v3()).pk}"
    answer = ana.patch(where, b"\xff{", content_type=WROTE)
    assert (answer.status_code, error_of(answer)["code"]) == (422, "not-json")


def test_a_discarded_upload_is_gone(ana: Client, people: People) -> None:
    where = f"{IMPORT}?id={ready(people.ana, v3()).pk}"
    assert ana.delete(where).status_code == 204
    assert ana.get(where).status_code == ana.delete(where).status_code == 404
    assert Staging(data_folder()).ids() == []


# --- start, resume --------------------------------------------------------------------------------


@pytest.mark.req("STRUCT-1")
def test_an_import_without_a_model_is_started_and_its_id_is_the_world(ana: Client, people: People) -> None:
    upload = ready(people.ana, english_card())
    answer = ana.post(f"{IMPORT}/structure?id={upload.pk}")
    world = World.objects.get()
    assert (answer.status_code, answer.json()) == (202, {"world": world.pk})
    assert ana.post(f"{IMPORT}/structure?id={upload.pk}").json() == {"world": world.pk}
    assert ana.get(IMPORT, {"id": upload.pk}).json()["world"] == world.pk
    told = ana.get(IMPORT, {"id": world.pk}).json()
    assert (told["state"], told["report"], told["job"]["state"]) == ("ready", None, "queued")
    ran(world)
    told = ana.get(IMPORT, {"id": world.pk}).json()
    assert (told["state"], told["draft"], told["error"]) == ("done", False, None)
    assert told["report"]["pieces"] == told["pieces"]
    assert told["report"]["leftOut"]["dialect"]["macros"] == {"original": 1}
    assert all("{" not in note["message"].replace("{{", "") for note in told["report"]["notes"])


def test_an_import_with_a_model_needs_one_and_starts_with_it(ana: Client, people: People) -> None:
    upload = ready(people.ana, v3())
    answer = sent(ana.post, f"{IMPORT}/start", {"id": upload.pk})
    assert (answer.status_code, error_of(answer)["code"]) == (422, "import.no-endpoint")
    assert World.objects.count() == 0
    assert sent(ana.post, f"{IMPORT}/start", {}).status_code == 422
    assert sent(ana.post, f"{IMPORT}/start", {"id": upload.pk, "endpoint": 3}).status_code == 422
    assert sent(client_of(people.cyd).post, f"{IMPORT}/start", {"id": upload.pk}).status_code == 404
    row = an_endpoint(people.ana)
    answer = sent(ana.post, f"{IMPORT}/start", {"id": upload.pk, "endpoint": row.pk})
    world = World.objects.get()
    assert (answer.status_code, answer.json()) == (202, {"world": world.pk})
    choices = ImportRecord(folder_of(world)).choices()
    assert (choices.way, choices.endpoint) == ("model", row.pk)
    assert sent(ana.post, f"{IMPORT}/start", {"id": upload.pk}).json() == {"world": world.pk}


def test_the_way_that_is_asked_for_is_the_way_it_goes(ana: Client, people: People) -> None:
    upload = ready(people.ana, v3())
    actions.choose(actor=people.ana, upload=upload, way="model")
    assert ana.post(f"{IMPORT}/structure?id={upload.pk}").status_code == 202
    assert ImportRecord(folder_of(World.objects.get())).choices().way == "structure"


@pytest.mark.req("RUN-11")
def test_an_interrupted_import_is_resumed_and_a_finished_one_is_422(ana: Client, people: People) -> None:
    world = ran(started(ready(people.ana, v3())), until="surveyed")
    Job.objects.update(state="failed")
    answer = ana.post(f"{IMPORT}/resume?id={world.pk}")
    assert (answer.status_code, answer.json()["world"]) == (202, world.pk)
    ran(world)
    answer = ana.post(f"{IMPORT}/resume?id={world.pk}")
    assert (answer.status_code, error_of(answer)["code"]) == (422, "import.nothing-waits")


# --- drafts ---------------------------------------------------------------------------------------


@pytest.mark.req("DRAFT-5")
def test_a_draft_tells_its_problems_and_is_kept(ana: Client, people: People) -> None:
    where = f"{IMPORT}/draft?id={imported(people.ana, NO_GREETING).pk}"
    told = ana.get(where).json()
    assert (told["state"], told["draft"], told["kept"]) == ("repair", True, False)
    [problem] = told["problems"]
    assert (problem["severity"], problem["code"], problem["where"]) == (
        "error",
        "opening-missing",
        "world.json: opening",
    )
    assert problem["fixes"][0]["input"] in ("text", "long")
    kept = sent(ana.post, where, {"action": "keep"}).json()
    assert (kept["state"], kept["draft"], kept["kept"]) == ("repair", True, True)


@pytest.mark.req("DRAFT-5")
def test_a_draft_is_discarded_into_the_trash(ana: Client, people: People) -> None:
    where = f"{IMPORT}/draft?id={imported(people.ana, NO_GREETING).pk}"
    entry = sent(ana.post, where, {"action": "discard"}).json()["trash"]
    assert [item.entry_id for item in shelf_of(people.ana).trashed()] == [entry]
    assert ana.get(where).status_code == 404


def test_repair_by_an_assistant_is_refused_plainly(ana: Client, people: People) -> None:
    where = f"{IMPORT}/draft?id={imported(people.ana, NO_GREETING).pk}"
    answer = sent(ana.post, where, {"action": "ask"})
    assert (answer.status_code, error_of(answer)["code"]) == (422, "import.no-assistant")
    assert sent(ana.post, where, {"action": "burn"}).status_code == 422


# --- who ------------------------------------------------------------------------------------------


def calls(client: Client, upload: str, world: str) -> list[int]:
    return [
        client.get(IMPORT, {"id": upload}).status_code,
        sent(client.patch, f"{IMPORT}?id={upload}", {"name": "x"}).status_code,
        client.delete(f"{IMPORT}?id={upload}").status_code,
        client.post(f"{IMPORT}/structure?id={upload}").status_code,
        client.get(IMPORT, {"id": world}).status_code,
        client.post(f"{IMPORT}/resume?id={world}").status_code,
        client.get(f"{IMPORT}/draft?id={world}").status_code,
        sent(client.post, f"{IMPORT}/draft?id={world}", {"action": "keep"}).status_code,
    ]


def test_strangers_readers_and_the_host_find_nothing(people: People) -> None:
    upload, world = ready(people.ana, v3()), imported(people.ana, NO_GREETING)
    share(people.ben, "world", world.pk, "read")
    for person in (people.ben, people.cyd, people.hal):
        assert set(calls(client_of(person), upload.pk, world.pk)) == {404}
    assert set(calls(client_of(None), upload.pk, world.pk)) == {401}
    upload.refresh_from_db()
    assert upload.state == "ready"


def test_an_editor_of_the_world_sees_its_import(people: People) -> None:
    world = imported(people.ana, NO_GREETING)
    share(people.ben, "world", world.pk, "edit")
    client = client_of(people.ben)
    assert client.get(IMPORT, {"id": world.pk}).status_code == 200
    assert client.get(f"{IMPORT}/draft?id={world.pk}").status_code == 200
    assert sent(client.post, f"{IMPORT}/draft?id={world.pk}", {"action": "discard"}).status_code == 403


@pytest.mark.parametrize("where", [IMPORT, f"{IMPORT}?id=", f"{IMPORT}?id=../x", f"{IMPORT}/draft?id=%00"])
def test_an_id_nobody_has_is_404(ana: Client, where: str) -> None:
    answer = ana.get(where)
    assert (answer.status_code, error_of(answer)["code"]) == (404, "import.not-found")


def test_every_change_needs_the_mark_of_our_own_page(people: People) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(people.ana, backend="django.contrib.auth.backends.ModelBackend")
    upload = ready(people.ana, v3())
    answers = [
        client.post(IMPORT, {"file": file(b"x")}),
        sent(client.patch, f"{IMPORT}?id={upload.pk}", {"name": "x"}),
        client.delete(f"{IMPORT}?id={upload.pk}"),
        client.post(f"{IMPORT}/structure?id={upload.pk}"),
    ]
    assert {answer.status_code for answer in answers} == {403}
    actions.discard_upload(actor=people.ana, upload=upload)  # nothing of it had happened
