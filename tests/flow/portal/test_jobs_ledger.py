"""Claims, leases and fences, row by row."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.jobs import ledger
from portal.models import Job
from tests.support.jobs import stored_job
from tests.support.people import People

pytestmark = pytest.mark.django_db
US, THEM = "us", "them"


def nobody_is_dead(name: str) -> bool:
    return False


def lapse(job_id: str) -> None:
    Job.objects.filter(pk=job_id).update(lease_until=timezone.now() - timedelta(seconds=1))


def row(job_id: str) -> Job:
    return Job.objects.get(pk=job_id)


def test_the_oldest_waiting_job_is_claimed_under_a_lease(people: People) -> None:
    old = stored_job(people.ana, data={"n": 1})
    stored_job(people.ana)
    claim = ledger.claim(US, 20)
    assert claim is not None
    assert (claim.job_id, claim.fence, claim.attempt, claim.data) == (old.pk, 1, 1, {"n": 1})
    held = row(old.pk)
    assert (held.state, held.lease_owner, held.fence, held.attempts) == ("running", US, 1, 1)
    assert held.lease_until is not None
    assert timedelta(seconds=18) < held.lease_until - timezone.now() <= timedelta(seconds=20)


def test_nothing_waits_nothing_is_claimed(people: People) -> None:
    for state in ("running", "done", "failed", "stopped"):
        stored_job(people.ana, state=state)
    assert ledger.claim(US, 20) is None


def test_one_subject_and_lane_runs_one_job_at_a_time_in_order(people: People) -> None:
    first, second = (stored_job(people.ana, subject="fog") for _ in range(2))
    other_lane = stored_job(people.ana, subject="fog", lane="pictures")
    claims = [ledger.claim(US, 20), ledger.claim(THEM, 20), ledger.claim(US, 20)]
    assert [claim and claim.job_id for claim in claims] == [first.pk, other_lane.pk, None]
    assert claims[0] is not None
    ledger.record_end(claims[0], Job.State.DONE, {})
    later = ledger.claim(US, 20)
    assert later is not None
    assert later.job_id == second.pk


def test_jobs_without_a_subject_exclude_nobody(people: People) -> None:
    stored_job(people.ana)
    stored_job(people.ana)
    assert ledger.claim(US, 20) is not None
    assert ledger.claim(US, 20) is not None


def test_the_database_itself_refuses_a_second_running_job_of_a_subject(people: People) -> None:
    stored_job(people.ana, subject="fog", state="running")
    with pytest.raises(IntegrityError), transaction.atomic():
        stored_job(people.ben, subject="fog", state="running")


def test_a_lapsed_job_holds_its_subject_until_it_runs_again(people: People) -> None:
    first = stored_job(people.ana, subject="fog")
    stored_job(people.ana, subject="fog")
    ledger.claim(US, 20)
    lapse(first.pk)
    assert ledger.claim(THEM, 20) is None
    assert ledger.upkeep(nobody_is_dead) == 1
    again = ledger.claim(THEM, 20)
    assert again is not None
    assert (again.job_id, again.fence, again.attempt) == (first.pk, 2, 2)


def test_people_take_turns(people: People) -> None:
    for _ in range(3):
        stored_job(people.ana)
    late = stored_job(people.ben)
    first, second = ledger.claim(US, 20), ledger.claim(US, 20)
    assert first is not None
    assert second is not None
    assert first.owner_id == people.ana.pk
    assert second.job_id == late.pk


def test_one_person_runs_only_so_many(people: People) -> None:
    for _ in range(4):
        stored_job(people.ana)
    claims = [ledger.claim(US, 20, per_person=3) for _ in range(4)]
    assert [claim is not None for claim in claims] == [True, True, True, False]
    assert ledger.claim(US, 20) is not None


def test_a_disabled_person_starts_nothing(people: People) -> None:
    people.ana.is_active = False
    people.ana.save()
    stored_job(people.ana)
    assert ledger.claim(US, 20) is None


def test_a_heartbeat_extends_only_what_is_ours_and_tells_of_a_stop(people: People) -> None:
    for _ in range(3):
        stored_job(people.ana)
    kept, asked, lost = (claim for claim in (ledger.claim(US, 20) for _ in range(3)) if claim)
    Job.objects.filter(pk=asked.job_id).update(stop_asked=True)
    Job.objects.filter(pk=lost.job_id).update(lease_owner=THEM, fence=2)
    before = row(lost.job_id).lease_until
    beats = ledger.renew([kept, asked, lost], 500)
    assert beats == {kept.job_id: ledger.Beat(stop=False), asked.job_id: ledger.Beat(stop=True)}
    until = row(kept.job_id).lease_until
    assert until is not None
    assert until > timezone.now() + timedelta(seconds=400)
    assert row(lost.job_id).lease_until == before


def test_a_heartbeat_stops_the_jobs_of_a_disabled_person(people: People) -> None:
    stored_job(people.ana)
    claim = ledger.claim(US, 20)
    assert claim is not None
    people.ana.is_active = False
    people.ana.save()
    assert ledger.renew([claim], 20) == {claim.job_id: ledger.Beat(stop=True)}


def test_a_stale_worker_changes_nothing(people: People) -> None:
    """It wakes after its lease lapsed and somebody else took the job: every write of it is refused."""
    stored_job(people.ana, subject="fog")
    stale = ledger.claim(US, 20)
    assert stale is not None
    lapse(stale.job_id)
    ledger.upkeep(nobody_is_dead)
    present = ledger.claim(US, 20)  # even under the same name
    assert present is not None
    assert present.fence > stale.fence
    before = Job.objects.filter(pk=stale.job_id).values().get()
    assert not ledger.save_progress(stale, {"done": 7})
    assert not ledger.record_end(stale, Job.State.DONE, {})
    assert not ledger.give_back(stale, {})
    assert ledger.renew([stale], 500) == {}
    after = Job.objects.filter(pk=stale.job_id).values().get()
    assert {**after, "lease_until": None} == {**before, "lease_until": None}
    assert ledger.record_end(present, Job.State.DONE, {"done": 9})
    assert row(stale.job_id).done == 9


def test_a_stale_worker_cannot_revive_a_job_that_ended(people: People) -> None:
    stored_job(people.ana)
    claim = ledger.claim(US, 20)
    assert claim is not None
    ledger.record_end(claim, Job.State.FAILED, {})
    assert not ledger.save_progress(claim, {"done": 1})
    assert not ledger.record_end(claim, Job.State.DONE, {})
    assert row(claim.job_id).state == "failed"


def test_a_job_given_back_has_lost_no_attempt(people: People) -> None:
    stored_job(people.ana)
    for _ in range(ledger.ATTEMPTS * 2):
        claim = ledger.claim(US, 20)
        assert claim is not None
        assert ledger.give_back(claim, {"done": 4})
        ledger.upkeep(nobody_is_dead)
    job = Job.objects.get()
    assert (job.state, job.attempts, job.done, job.lease_owner) == ("queued", 0, 4, "")


def test_leases_of_dead_processes_are_taken_at_once(people: People) -> None:
    stored_job(people.ana)
    stored_job(people.ana)
    ours, theirs = ledger.claim(US, 20), ledger.claim(THEM, 20)
    assert ours is not None
    assert theirs is not None
    assert ledger.upkeep(lambda name: name == THEM) == 1
    assert (row(ours.job_id).state, row(theirs.job_id).state) == ("running", "queued")
    assert row(theirs.job_id).attempts == 1


def test_a_job_that_ends_its_server_again_and_again_is_given_up(people: People) -> None:
    job = stored_job(people.ana)
    for _ in range(ledger.ATTEMPTS):
        assert ledger.claim(US, 20) is not None
        ledger.upkeep(lambda name: True)
    ended = row(job.pk)
    assert (ended.state, ended.error_code, ended.error_args["count"]) == (
        "failed",
        "gave-up",
        ledger.ATTEMPTS,
    )
    assert ledger.claim(US, 20) is None


@pytest.mark.parametrize("fields", [{"state": "queued"}, {"state": "running", "lease_owner": THEM}])
def test_jobs_of_a_disabled_person_are_stopped_and_stay_resumable(
    people: People, fields: dict[str, Any]
) -> None:
    job = stored_job(people.ana, **fields)
    people.ana.is_active = False
    people.ana.save()
    assert ledger.upkeep(nobody_is_dead) == 1
    assert row(job.pk).state == "stopped"


def test_a_stop_is_not_forgotten_when_the_process_dies_before_it_hears(people: People) -> None:
    stored_job(people.ana)
    claim = ledger.claim(THEM, 20)
    assert claim is not None
    Job.objects.filter(pk=claim.job_id).update(stop_asked=True)
    ledger.upkeep(lambda name: True)
    assert (row(claim.job_id).state, row(claim.job_id).stop_asked) == ("stopped", False)


def test_upkeep_leaves_healthy_jobs_alone(people: People) -> None:
    stored_job(people.ana)
    stored_job(people.ana, subject="fog", state="done")
    ledger.claim(US, 20)
    stored_job(people.ana)
    before = list(Job.objects.values())
    assert ledger.upkeep(nobody_is_dead) == 0
    assert list(Job.objects.values()) == before


def test_counts_for_the_watchers(people: People) -> None:
    assert ledger.counts() == {"queued": 0, "running": 0, "oldestQueuedSeconds": 0}
    stored_job(people.ana, created_at=timezone.now() - timedelta(seconds=90))
    stored_job(people.ana)
    stored_job(people.ana, state="running")
    told = ledger.counts()
    assert (told["queued"], told["running"]) == (2, 1)
    assert 90 <= told["oldestQueuedSeconds"] <= 100


def test_every_visible_change_raises_the_version(people: People) -> None:
    job = stored_job(people.ana)
    versions = [job.version]
    claim = ledger.claim(US, 20)
    assert claim is not None
    versions.append(row(job.pk).version)
    ledger.save_progress(claim, {"done": 1})
    versions.append(row(job.pk).version)
    ledger.record_end(claim, Job.State.DONE, {})
    versions.append(row(job.pk).version)
    assert versions == sorted(set(versions))
    ledger.renew([claim], 20)
    assert row(job.pk).version == versions[-1]
