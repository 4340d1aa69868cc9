"""What a new server finds half done: everything goes on, nothing is asked twice, old uploads go."""

from __future__ import annotations

import os
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from importer.actions.start import name_world
from importer.models import Upload
from importer.recovery import forget_expired, go_on
from portal.jobs import run_here, waiting_for
from portal.models import Job
from tests.support.cards import json_bytes, v3
from tests.support.importing import ran, ready, started, uploaded, was_read
from tests.support.people import People
from worlds.data import data_folder
from worlds.models import World
from worlds.queries import folder_of
from worlds.store.staging import Staging

pytestmark = [pytest.mark.usefixtures("data_root"), pytest.mark.django_db(transaction=True)]


@pytest.mark.req("RUN-3", "RUN-11")
@pytest.mark.parametrize("stage", ["ready", "surveyed", "built"])
def test_an_import_without_a_live_job_gets_one(people: People, stage: str) -> None:
    world = ran(started(ready(people.ana, v3())), until=stage)
    Job.objects.all().delete()
    go_on()
    go_on()
    [job] = waiting_for(world.pk)
    assert run_here(job).state == "done"
    world.refresh_from_db()
    assert world.stage == "done"
    go_on()
    assert waiting_for(world.pk) == []


def test_an_import_that_failed_is_tried_again_and_one_that_was_stopped_is_not(people: People) -> None:
    failed, stopped = (started(ready(people.ana, v3(name=name))) for name in ("Failed", "Stopped"))
    Job.objects.filter(subject=failed.pk).update(state="failed")
    Job.objects.filter(subject=stopped.pk).update(state="stopped")
    go_on()
    assert len(waiting_for(failed.pk)) == 1
    assert waiting_for(stopped.pk) == []


@pytest.mark.req("DRAFT-6")
def test_a_start_that_was_cut_off_is_finished(people: People) -> None:
    upload = ready(people.ana, v3())
    name_world(upload)
    go_on()
    upload.refresh_from_db()
    assert (upload.state, World.objects.get().pk) == ("started", upload.world)
    assert len(waiting_for(upload.world)) == 1


def test_a_start_that_cannot_be_finished_holds_up_no_other(
    people: People, caplog: pytest.LogCaptureFixture
) -> None:
    lost, good = ready(people.ana, v3(name="Lost")), ready(people.ana, v3(name="Good"))
    for upload in (lost, good):
        name_world(upload)
    Staging(data_folder()).discard(lost.pk)
    go_on()
    assert World.objects.get().name == "Good"
    assert lost.pk in caplog.text


def test_a_reading_without_a_job_gets_one(people: People) -> None:
    upload = uploaded(people.ana, json_bytes(v3()))
    Job.objects.all().delete()
    go_on()
    go_on()
    [job] = waiting_for(upload.pk)
    assert job.kind == "read-upload"


def test_uploads_nobody_started_go_after_their_days(people: People) -> None:
    old, new, used = (ready(people.ana, v3(name=name)) for name in ("Old", "New", "Used"))
    world = started(used)
    long_ago = (timezone.now() - timedelta(days=8)).timestamp()
    folder = Staging(data_folder()).folder(old.pk)
    for path in [*folder.iterdir(), folder]:
        os.utime(path, (long_ago, long_ago))
    assert forget_expired() == 1
    assert set(Upload.objects.values_list("name", "state")) == {
        ("Old", "discarded"),
        ("New", "ready"),
        ("Used", "started"),
    }
    assert folder_of(world).has(".import/original")
    assert Staging(data_folder()).ids() == [new.pk]


def test_the_daily_sweep_marks_what_it_removed(people: People) -> None:
    upload = ready(people.ana, v3())
    Staging(data_folder()).discard(upload.pk)
    call_command("sweep", "--json")
    upload.refresh_from_db()
    assert upload.state == "discarded"


def test_reindex_makes_the_rows_of_imports_again(people: People) -> None:
    listed = was_read(uploaded(people.ana, json_bytes([v3(), v3(name="Second")]), "shelf.json"))
    part = listed.parts().get(number=2)
    run_here(Job.objects.get(subject=part.pk))
    part.refresh_from_db()
    world = ran(started(part))
    fields = ("pk", "owner", "filename", "size", "sha256", "state", "name", "world", "taken_from", "number")
    [before] = Upload.objects.filter(world=world.pk).values(*fields)
    Upload.objects.all().delete()
    World.objects.all().delete()
    call_command("reindex", "--json")
    call_command("reindex", "--json")
    assert list(Upload.objects.values(*fields)) == [before]
    assert (before["taken_from"], before["number"]) == (listed.pk, 2)
    assert World.objects.get().pk == world.pk
