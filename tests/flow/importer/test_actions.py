"""What the importer writes: each action, twice, after a crash, beside itself, and by the wrong person."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.utils import translation
from pytest_django import Settings

from formats.errors import DomainError
from importer import actions, queries
from importer.actions.start import continue_start
from importer.actions.uploads import settle_reading
from importer.models import Upload
from importer.pipeline.record import ImportRecord
from importer.space import space_left
from importer.targets import find_targets
from portal.jobs import waiting_for
from portal.models import Job
from tests.support.cards import chinese_card, english_card, json_bytes, sillytavern_book, v3
from tests.support.faults import broken
from tests.support.importing import imported, ran, ready, started, uploaded, was_read
from tests.support.people import People
from worlds import actions as worlds_actions
from worlds.data import data_folder
from worlds.kinds import element_kind
from worlds.models import World
from worlds.queries import folder_of, shelf_of
from worlds.store.staging import Staging

pytestmark = [pytest.mark.usefixtures("data_root"), pytest.mark.django_db]
NO_GREETING = v3(first_mes="", alternate_greetings=[])


def limited(settings: Settings, **changes: Any) -> None:
    settings.IMPORTS = replace(settings.IMPORTS, **changes)


def refusal(call: Any, *args: Any, **kwargs: Any) -> DomainError:
    with pytest.raises(DomainError) as refused:
        call(*args, **kwargs)
    return refused.value


# --- uploads --------------------------------------------------------------------------------------


@pytest.mark.req("CARD-3")
def test_a_file_is_refused_before_the_rest_of_it_is_taken(people: People, settings: Settings) -> None:
    limited(settings, max_upload_bytes=2048)
    taken: list[int] = []

    def chunks() -> Iterator[bytes]:
        for number in range(100):
            taken.append(number)
            yield b"x" * 1024

    error = refusal(actions.stage_upload, actor=people.ana, chunks=chunks(), filename="big.png")
    assert (error.kind, len(taken)) == ("too-large", 3)
    assert Staging(data_folder()).ids() == []
    assert not Upload.objects.exists()
    assert not Job.objects.exists()


@pytest.mark.req("CARD-4")
def test_an_upload_is_staged_and_its_reading_asked_for(people: People) -> None:
    upload = uploaded(people.ana, json_bytes(v3()), "../a\u202e/mira\x07.json")
    assert upload.filename == "mira.json"
    assert (upload.state, upload.size) == ("reading", len(json_bytes(v3())))
    assert [job.kind for job in waiting_for(upload.pk)] == ["read-upload"]
    assert not World.objects.exists()


def test_uploads_count_against_the_space_until_they_are_gone(people: People) -> None:
    people.ana.quota = 3000
    people.ana.save()
    first = uploaded(people.ana, b"x" * 2000)
    assert space_left(people.ana) == 1000
    error = refusal(uploaded, people.ana, b"x" * 1001)
    assert (error.kind, error.code) == ("full", "upload.no-space")
    assert Staging(data_folder()).ids() == [first.pk]
    actions.discard_upload(actor=people.ana, upload=first)
    assert uploaded(people.ana, b"x" * 3000).size == 3000


def test_files_that_come_together_do_not_pass_the_space_together(people: People) -> None:
    people.ana.quota = 3000
    people.ana.save()

    def chunks() -> Iterator[bytes]:
        yield b"x" * 1000
        uploaded(people.ana, b"y" * 2500)  # another request, while this one is on its way
        yield b"x" * 1000

    assert refusal(actions.stage_upload, actor=people.ana, chunks=chunks(), filename="a").kind == "full"
    assert Upload.objects.get().size == 2500
    assert len(Staging(data_folder()).ids()) == 1


def test_too_many_files_in_an_hour_are_refused_with_the_time_to_wait(
    people: People, settings: Settings
) -> None:
    limited(settings, uploads_per_hour=2)
    uploaded(people.ana, b"1")
    uploaded(people.ana, b"2")
    error = refusal(uploaded, people.ana, b"3")
    assert (error.kind, error.values["limit"]) == ("limited", 2)
    assert 3500 < error.values["seconds"] <= 3600
    uploaded(people.ben, b"3")
    actions.stage_upload(actor=people.ana, chunks=[b"4"], filename="shell", counted=False)
    Upload.objects.update(created_at=Upload.objects.earliest("created_at").created_at - timedelta(hours=2))
    uploaded(people.ana, b"5")


@pytest.mark.parametrize("at", range(1, 30, 3))
def test_a_full_disk_leaves_nothing_of_an_upload(people: People, at: int) -> None:
    with broken(at=at, error=28, persistent=True) as fault:
        refusal_or_none: DomainError | None = None
        try:
            uploaded(people.ana, b"x" * 100)
        except DomainError as error:
            refusal_or_none = error
    if fault.hit and refusal_or_none is not None:
        assert refusal_or_none.kind in ("full", "unavailable")
        assert not Upload.objects.exists()
        assert not Job.objects.exists()
    else:
        assert Upload.objects.count() == 1


def test_a_late_second_reading_loses_no_choice(people: People) -> None:
    upload = ready(people.ana, v3())
    actions.choose(actor=people.ana, upload=upload, name="Fog")
    reading = queries.reading_of(upload)
    Upload.objects.filter(pk=upload.pk).update(state="reading")
    settle_reading(upload_id=upload.pk, reading=reading)
    assert queries.choices_of(upload).name == "Fog"


def test_a_file_that_is_no_card_is_named(people: People) -> None:
    upload = ready(people.ana, sillytavern_book())
    assert (upload.state, upload.kind) == ("other", "lorebook")
    assert refusal(started, upload).kind == "conflict"


# --- choices --------------------------------------------------------------------------------------


@pytest.mark.req("PREV-1", "PREV-2")
def test_choices_are_kept_as_they_are_made_and_checked_against_the_card(people: People) -> None:
    upload = ready(people.ana, english_card())
    assert queries.choices_of(upload).off == ("entry:3",)
    actions.choose(actor=people.ana, upload=upload, off=("entry:1",), opening="greeting:2")
    actions.choose(actor=people.ana, upload=upload, name="Fog")
    kept = queries.choices_of(Upload.objects.get())
    assert (kept.name, kept.off, kept.opening) == ("Fog", ("entry:1",), "greeting:2")
    for wrong in ({"off": ("entry:9",)}, {"opening": "greeting:7"}, {"name": " "}, {"language": "fr"}):
        assert refusal(actions.choose, actor=people.ana, upload=upload, **wrong).kind == "invalid"
    assert queries.choices_of(upload) == kept


@pytest.mark.req("RUN-10")
def test_an_import_begins_in_the_language_of_its_person(people: People) -> None:
    people.ana.language = "zh-hans"
    people.ana.save()
    assert queries.choices_of(ready(people.ana, v3())).language == "zh-hans"
    with translation.override("zh-hans"):
        assert queries.choices_of(ready(people.ben, v3())).language == "zh-hans"
    with translation.override("en"):
        assert queries.choices_of(ready(people.ben, v3())).language == "en"


def test_data_entries_that_are_off_in_the_card_start_ticked(people: People) -> None:
    upload = ready(people.ana, chinese_card())
    assert "entry:0" not in queries.choices_of(upload).off
    [entry] = [entry for entry in queries.preview_of(upload).card.entries if entry.id == "entry:0"]
    assert set(entry.facts) >= {"off-in-card", "variable-data"}


# --- start ----------------------------------------------------------------------------------------


@pytest.mark.req("STRUCT-1")
def test_a_start_moves_the_upload_into_a_world_and_asks_for_its_import(people: People) -> None:
    upload = ready(people.ana, v3())
    actions.choose(actor=people.ana, upload=upload, name="Fog")
    world = started(upload)
    folder, record = folder_of(world), ImportRecord(folder_of(world))
    assert (world.name, world.stage, world.draft) == ("Fog", "ready", False)
    assert record.state().stage == "ready"
    assert folder.has(".import/original")
    assert Staging(data_folder()).ids() == []
    assert [job.kind for job in waiting_for(world.pk)] == ["import-structure"]
    upload.refresh_from_db()
    assert (upload.state, upload.world) == ("started", world.pk)


def test_a_second_click_is_the_same_start(people: People) -> None:
    upload = ready(people.ana, v3())
    stale = Upload.objects.get(pk=upload.pk)  # what another tab has loaded
    world = started(upload)
    assert started(stale).pk == started(upload).pk == world.pk
    assert Job.objects.filter(kind="import-structure").count() == 1
    assert shelf_of(people.ana).ids() == [world.pk]
    ran(world)
    Job.objects.filter(kind="import-structure").update(state="done")
    started(upload)
    assert not waiting_for(world.pk), "a finished import is not asked for again"


def test_a_card_without_a_name_starts_once_it_has_one(people: People) -> None:
    upload = ready(people.ana, v3(name="\u2066"))
    assert refusal(started, upload).code == "name-missing"
    assert Upload.objects.get().world == ""
    actions.choose(actor=people.ana, upload=upload, name="Fog")
    assert started(upload).name == "Fog"


@pytest.mark.req("RUN-3", "DRAFT-6")
def test_a_start_killed_at_any_call_is_finished_or_as_if_it_had_not_been(people: People) -> None:
    for at in count(1, 2):
        upload = ready(people.ana, v3(), f"{at}.json")
        with broken(crash=True, at=at) as fault:
            started(upload)
        if not fault.hit:
            break
        fresh = Upload.objects.get(pk=upload.pk)
        world = continue_start(upload=fresh)
        assert ran(world).stage == "done", f"call {at}: {fault.calls[-1]}"
        assert ImportRecord(folder_of(world)).upload().upload == upload.pk
    assert at > 10
    assert Staging(data_folder()).ids() == []


def test_a_start_that_is_refused_leaves_the_upload_as_it_was(people: People) -> None:
    upload = ready(people.ana, v3())
    with broken(at=1, error=28, persistent=True):
        assert refusal(started, upload).kind == "full"
    fresh = Upload.objects.get()
    assert (fresh.state, fresh.world) == ("ready", "")
    actions.choose(actor=people.ana, upload=fresh, name="Later")
    assert started(fresh).name == "Later"


def test_a_started_upload_is_not_discarded_or_changed(people: People) -> None:
    upload = ready(people.ana, v3())
    started(upload)
    upload.refresh_from_db()
    assert refusal(actions.discard_upload, actor=people.ana, upload=upload).kind == "conflict"
    assert refusal(actions.choose, actor=people.ana, upload=upload, name="x").kind == "conflict"


def test_an_upload_whose_world_is_in_the_trash_makes_no_second_world(people: People) -> None:
    upload = ready(people.ana, v3())
    world = started(upload)
    worlds_actions.trash_world(actor=people.ana, world=world)
    upload.refresh_from_db()
    assert refusal(started, upload).kind == "not-found"
    assert shelf_of(people.ana).ids() == []


# --- going on, drafts -----------------------------------------------------------------------------


@pytest.mark.req("RUN-11")
@pytest.mark.parametrize("stage", ["ready", "surveyed", "built"])
def test_an_interrupted_import_is_resumed(people: People, stage: str) -> None:
    world = ran(started(ready(people.ana, v3())), until=stage)
    Job.objects.update(state="failed")
    job = actions.resume(actor=people.ana, world=world)
    assert (job.kind, job.subject, job.state) == ("import-structure", world.pk, "queued")
    assert refusal(actions.resume, actor=people.ana, world=world).code == "import.nothing-waits"
    assert ran(world).stage == "done"


@pytest.mark.req("RUN-11")
@pytest.mark.parametrize("card", [v3(), NO_GREETING], ids=["done", "draft"])
def test_nothing_waits_after_the_end(people: People, card: Any) -> None:
    error = refusal(actions.resume, actor=people.ana, world=imported(people.ana, card))
    assert (error.kind, error.code) == ("invalid", "import.nothing-waits")


@pytest.mark.req("DRAFT-4")
def test_the_smallest_fix_makes_a_draft_an_ordinary_world(people: People) -> None:
    world = imported(people.ana, NO_GREETING)
    assert (world.stage, world.draft) == ("repair", True)
    [problem] = queries.draft_problems(world)
    where, fix = problem.finding.where, problem.fixes[0]
    actions.mend_draft(actor=people.ana, world=world, code=fix.code, where=where, value="The lamp is lit.")
    world.refresh_from_db()
    assert (world.stage, world.draft) == ("done", False)
    assert ImportRecord(folder_of(world)).state().stage == "done"
    assert queries.draft_problems(world) == []
    again = refusal(
        actions.mend_draft, actor=people.ana, world=world, code=fix.code, where=where, value="Again."
    )
    assert (again.kind, again.code) == ("conflict", "fix.gone")


@pytest.mark.req("DRAFT-4", "DRAFT-5")
def test_a_kept_draft_stays_a_draft_until_a_story_can_start(people: People) -> None:
    world = imported(people.ana, NO_GREETING)
    actions.keep_draft(actor=people.ana, world=world)
    actions.keep_draft(actor=people.ana, world=world)
    world.refresh_from_db()
    state = ImportRecord(folder_of(world)).state()
    assert (state.stage, state.kept, world.draft) == ("repair", True, True)
    with worlds_actions.changing(actor=people.ana, world=world, what="edit") as change:
        change.write_json("world.json", {**change.read_json("world.json"), "opening": "Fog."})
    world.refresh_from_db()
    state = ImportRecord(folder_of(world)).state()
    assert (state.stage, state.kept, world.stage, world.draft) == ("done", False, "done", False)


@pytest.mark.req("DRAFT-5")
def test_a_discarded_draft_is_in_the_trash_with_its_card(people: People) -> None:
    world = imported(people.ana, NO_GREETING)
    entry = actions.discard_draft(actor=people.ana, world=world)
    assert shelf_of(people.ana).ids() == []
    restored = worlds_actions.restore_world(actor=people.ana, entry_id=entry)
    assert (restored.pk, restored.stage) == (world.pk, "repair")
    assert folder_of(restored).has(".import/original")


def test_a_finished_world_is_no_draft_to_keep_or_discard(people: People) -> None:
    world = imported(people.ana, v3())
    for act in (actions.keep_draft, actions.discard_draft):
        assert refusal(act, actor=people.ana, world=world).code == "import.no-draft"


def test_nobody_saves_while_the_import_writes(people: People) -> None:
    world = started(ready(people.ana, v3()))
    error = refusal(
        worlds_actions.delete_element,
        actor=people.ana,
        world=world,
        kind=element_kind("lore"),
        key="x",
    )
    assert error.kind == "busy"


# --- targets --------------------------------------------------------------------------------------


@pytest.mark.req("PREV-5", "PREV-6")
def test_worlds_a_card_could_update_namesakes_first_with_what_was_edited(people: People) -> None:
    same, other = imported(people.ana, v3()), imported(people.ana, v3(name="Someone Else"))
    imported(people.ben, v3())
    started(ready(people.ana, v3()))  # not finished
    worlds_actions.create_world(actor=people.ana, name="Mira Oakes", language="en")  # from no card
    targets = find_targets(people.ana, "MIRA OAKES")
    assert [(target.world.pk, target.same_name, target.edited) for target in targets] == [
        (same.pk, True, "no"),
        (other.pk, False, "no"),
    ]
    preview = queries.preview_of(ready(people.ana, v3()))
    assert preview.default is not None
    assert preview.default.world.pk == same.pk
    assert {world.pk for world in preview.same_file} >= {same.pk}


@pytest.mark.req("PREV-5", "PREV-6")
def test_an_edited_or_unknown_world_is_not_proposed(people: People) -> None:
    world = imported(people.ana, v3())
    with folder_of(world).change(by="ana", what="edit") as change:
        change.write("lore/new.json", b"{}")
    preview = queries.preview_of(ready(people.ana, v3()))
    assert [target.edited for target in preview.targets] == ["yes"]
    assert preview.default is None
    for spoiled in (b"[]", b"not json"):
        with folder_of(world).change(by="ana", what="test", history=False) as change:
            change.write(".import/files.json", spoiled)
        assert [target.edited for target in find_targets(people.ana, "Mira Oakes")] == ["unknown"]


def test_listing_targets_reads_no_document(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    imported(people.ana, v3(name="Someone Else"))

    def reads(world: World) -> Any:
        raise AssertionError("a document was read")

    monkeypatch.setattr("importer.targets.edited_since_import", reads)
    assert queries.preview_of(ready(people.ana, v3())).default is None


def test_the_helper_reads_as_the_job_does(people: People) -> None:
    upload = uploaded(people.ana, json_bytes(v3()))
    assert was_read(upload).name == "Mira Oakes"
