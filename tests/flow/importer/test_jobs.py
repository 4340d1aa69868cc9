"""The importer's jobs, run by the real engine in this process."""

from __future__ import annotations

from typing import Any

import pytest

from importer import actions, jobs, queries
from importer.models import Upload
from importer.pipeline.picture_report import AddressResult, PictureReport
from importer.pipeline.reading import read_in_child
from importer.pipeline.record import ImportRecord, record_bytes
from portal.jobs import run_here, stop, waiting_for
from portal.models import Job
from tests.support.cards import english_card, json_bytes, png_card, v3
from tests.support.importing import ran, ready, started, uploaded
from tests.support.people import People, client_of
from worlds import actions as worlds_actions
from worlds.data import data_folder
from worlds.models import World
from worlds.queries import folder_of
from worlds.store.staging import Staging

pytestmark = [pytest.mark.usefixtures("data_root"), pytest.mark.django_db(transaction=True)]


def job_of(subject: str, kind: str) -> Job:
    return Job.objects.get(subject=subject, kind=kind)


def run(subject: str, kind: str) -> Job:
    return run_here(job_of(subject, kind))


@pytest.mark.req("CARD-4", "STRUCT-1", "OUT-1")
def test_the_whole_way_by_jobs_alone(people: People) -> None:
    upload = uploaded(people.ana, png_card(english_card()), "mira.png")
    assert run(upload.pk, "read-upload").state == "done"
    upload.refresh_from_db()
    assert (upload.state, upload.name) == ("ready", "Mira Oakes")
    world = started(upload)
    job = run(world.pk, "import-structure")
    assert (job.state, job.stage, job.done, job.total) == ("done", "done", 3, 3)
    world.refresh_from_db()
    assert (world.stage, world.draft) == ("done", False)
    assert sum(queries.totals_of(world).values()) == len(queries.piece_rows(world))
    [pictures] = waiting_for(world.pk, "import-pictures")
    assert pictures.lane == "pictures", "pictures wait for nothing else that happens to the world"


def test_a_card_without_addresses_asks_for_no_pictures(people: People) -> None:
    world = started(ready(people.ana, v3()))
    run(world.pk, "import-structure")
    assert waiting_for(world.pk) == []


def test_reading_an_upload_that_was_discarded_is_no_failure(people: People) -> None:
    upload = uploaded(people.ana, json_bytes(v3()))
    actions.discard_upload(actor=people.ana, upload=upload)
    assert run(upload.pk, "read-upload").state == "done"
    upload.refresh_from_db()
    assert upload.state == "discarded"


def test_an_upload_discarded_while_it_is_read_is_no_failure(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = uploaded(people.ana, json_bytes(v3()))
    read = read_in_child

    def reading(folder: Any) -> Any:
        found = read(folder)
        Upload.objects.filter(pk=upload.pk).update(state="discarded")
        return found

    monkeypatch.setattr(jobs, "read_in_child", reading)
    assert run(upload.pk, "read-upload").state == "done"
    upload.refresh_from_db()
    assert (upload.state, upload.name) == ("discarded", "")


def test_a_reading_that_lost_its_files_fails_with_a_sentence(people: People) -> None:
    upload = uploaded(people.ana, json_bytes(v3()))
    Staging(data_folder()).discard(upload.pk)
    job = run(upload.pk, "read-upload")
    assert (job.state, job.error_code) == ("failed", "no-such-item")


@pytest.mark.req("RUN-3", "RUN-11")
def test_a_refused_import_keeps_its_stage_tells_why_and_goes_on(people: People) -> None:
    world = ran(started(ready(people.ana, v3())), until="built")
    folder = folder_of(world)
    with folder.change(by="ana", what="test", history=False) as change:
        change.write(".import/provenance.json", b"{}")
    job = run(world.pk, "import-structure")
    assert (job.state, job.error_code) == ("failed", "import.provenance-schema")
    status = queries.status_of(World.objects.get())
    assert status.state.stage == "built"
    assert status.state.error is not None
    assert status.state.error.code == job.error_code
    told = client_of(people.ana).get("/roleplay-api/worlds/import", {"id": world.pk}).json()
    assert told["error"]["code"] == job.error_code
    with folder.change(by="ana", what="test", history=False) as change:
        change.remove(".import/provenance.json")
    assert run_here(actions.resume(actor=people.ana, world=world)).state == "done"
    assert queries.status_of(World.objects.get()).state.error is None


def test_an_import_whose_world_is_in_the_trash_stops_and_goes_on_when_it_is_back(people: People) -> None:
    world = started(ready(people.ana, v3()))
    entry = worlds_actions.trash_world(actor=people.ana, world=world)
    job = run(world.pk, "import-structure")
    assert (job.state, job.error_code) == ("failed", "world.gone")
    back = worlds_actions.restore_world(actor=people.ana, entry_id=entry)
    assert back.stage == "ready"
    assert run_here(actions.resume(actor=people.ana, world=back)).state == "done"
    back.refresh_from_db()
    assert back.stage == "done"


def test_a_stopped_import_keeps_what_it_has(people: People) -> None:
    world = started(ready(people.ana, v3()))
    stop(job_of(world.pk, "import-structure"), people.ana)
    assert World.objects.get().stage == "ready"
    assert run_here(actions.resume(actor=people.ana, world=world)).state == "done"


def test_the_end_of_a_finished_import_is_the_same_the_second_time(people: People) -> None:
    """As after a crash between the last stage and the end of the job: the pictures are still asked for."""
    world = ran(started(ready(people.ana, english_card())))
    run(world.pk, "import-structure")
    assert len(waiting_for(world.pk, "import-pictures")) == 1
    assert ImportRecord(folder_of(world)).state().fence == 1


class NoNetwork:
    """A downloader whose every address fails for a while."""

    async def __aenter__(self) -> NoNetwork:
        return self

    async def __aexit__(self, *error: object) -> None:
        return None


@pytest.mark.req("PIC-1")
def test_pictures_are_fetched_after_the_start_and_failures_stop_nothing(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[list[str], bool]] = []

    async def fetch(folder: Any, addresses: Any, downloader: Any, **options: Any) -> PictureReport:
        asked.append((list(addresses), options["again"]))
        await options["on_progress"](1, 1)
        failed = AddressResult(address=asked[0][0][0], result="failed", at="2026-11-30T00:00:00Z", code="x")
        report = PictureReport(pictures=[failed])
        with folder.change(by="ana", what="test", history=False) as change:
            change.write(".import/pictures.json", record_bytes(report))
        return report

    monkeypatch.setattr(jobs, "fetch_pictures", fetch)
    monkeypatch.setattr(jobs, "Downloader", NoNetwork)
    world = started(ready(people.ana, english_card()))
    run(world.pk, "import-structure")
    assert World.objects.get().stage == "done", "a story can start before a picture is there"
    job = run(world.pk, "import-pictures")
    assert (job.state, job.done, job.total) == ("done", 1, 1)
    again = actions.retry_pictures(actor=people.ana, world=world)
    assert run_here(again).state == "done"
    assert [flag for _addresses, flag in asked] == [False, True]
    assert asked[0][0] == ["https://pictures.example/cover.png"]
