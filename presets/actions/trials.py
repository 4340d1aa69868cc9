"""Trial runs: what is set is kept, what is sent is stored first, then asked by jobs (PRE-18)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from portal import bell
from portal.jobs import stop, submit
from portal.models import Job, ModelEndpoint, Person
from presets.models import Preset, TrialReply, TrialRun, TrialSetup
from presets.pipeline.copies import ask_of, kind_of
from presets.trial_replies import EMPTY, JOB, endpoint_of_reply, ring
from presets.trials import MOST_RUNS, Assembled, Setup, keyless, runs_of

MOST_REQUEST = 4_000_000
"""Characters of one request; no model takes as much."""


def keep_setup(*, actor: Person, preset: Preset, setup: Setup) -> None:
    """Keep what is set on the trial page, for this person alone."""
    TrialSetup.objects.update_or_create(
        person=actor,
        preset_id=preset.pk,
        defaults={
            "state": str(setup.state),
            "inputs": setup.inputs.model_dump(mode="json", exclude_defaults=True),
            "endpoints": list(setup.endpoints),
            "context_length": setup.context_length,
        },
    )


def send_trial(
    *,
    actor: Person,
    preset: Preset,
    made: Assembled,
    endpoints: Sequence[ModelEndpoint],
    run_id: str,
) -> tuple[TrialRun, int]:
    """Store a run with a reply to come from each endpoint, and have them asked. Sent twice, it is one run.

    Gives the run, and how many older ones were deleted to make room.

    Raises:
        DomainError: `invalid` without an endpoint or a message; `too-large`.
    """
    mine = TrialRun.objects.filter(pk=run_id, owner=actor, preset_id=preset.pk)
    there = mine.first()
    if there is not None:
        return there, 0
    assembly = made.fitted.assembly
    _refuse_unsendable(assembly.messages, endpoints)
    asked = json.dumps({"messages": assembly.messages, "tools": assembly.tools})
    if len(asked) > MOST_REQUEST:
        raise DomainError(
            "too-large",
            "trial.too-large",
            "",
            gettext_noop("This request is longer than any model takes. It was not sent."),
            gettext_noop(
                "Shorten the story, or set how much context there is: then the oldest turns stay out."
            ),
        )
    try:
        return _store_run(actor, preset, made, endpoints, run_id, asked)
    except IntegrityError:
        there = mine.first()
        if there is None:
            raise
        return there, 0  # the same form, sent at the same moment


def stop_reply(*, actor: Person, reply: TrialReply) -> None:
    """Stop asking; what has come is kept. A reply that has ended already stays as it is."""
    job = Job.objects.filter(pk=reply.job_id).first()
    if job is None or not job.live:
        return
    try:
        job = stop(job, actor)
    except DomainError as error:
        if error.kind != "conflict":
            raise
        return  # it ended by itself at this moment
    if job.state == Job.State.STOPPED:  # it had not begun, so nobody else will say so
        waiting = TrialReply.objects.filter(pk=reply.pk, state=TrialReply.State.WAITING)
        waiting.update(state=TrialReply.State.STOPPED, version=reply.version + 1)
        ring(reply.run_id)


def ask_again(*, actor: Person, preset: Preset, reply: TrialReply) -> None:
    """Ask the same again for a reply that has ended; what it said is forgotten.

    Raises:
        DomainError: `conflict` while it is being answered, or its endpoint is gone: it is kept then.
    """
    with transaction.atomic():
        row = TrialReply.objects.select_for_update().get(pk=reply.pk)
        if row.live:
            raise DomainError(
                "conflict",
                "trial.still-asked",
                "",
                gettext_noop("This endpoint is still being asked. Nothing was sent a second time."),
            )
        endpoint_of_reply(row, actor)
        for name, value in EMPTY.items():
            setattr(row, name, value)
        row.state, row.version = TrialReply.State.WAITING, row.version + 1
        _ask(actor, preset, row)


def delete_run(*, actor: Person, run: TrialRun) -> None:
    """Delete a run with its replies; what is still being asked is stopped."""
    for reply in run.replies.filter(state__in=TrialReply.LIVE):
        stop_reply(actor=actor, reply=reply)
    run.delete()
    ring(run.pk)


def _store_run(
    actor: Person,
    preset: Preset,
    made: Assembled,
    endpoints: Sequence[ModelEndpoint],
    run_id: str,
    asked: str,
) -> tuple[TrialRun, int]:
    with transaction.atomic():
        run = TrialRun.objects.create(
            id=run_id,
            owner=actor,
            preset_id=preset.pk,
            state=str(made.tried),
            base=made.head,
            inputs=made.fitted.inputs.model_dump(mode="json", exclude_defaults=True),
            ask=asked,
            tokens=made.fitted.total,
        )
        for number, endpoint in enumerate(endpoints):
            ask = ask_of(made.fitted.assembly, made.package.generation, kind_of(keyless(endpoint)))
            _ask(actor, preset, _reply_to_come(run, number, endpoint, json.dumps(dict(ask.settings))))
        return run, _forget_oldest(actor, preset)


def _refuse_unsendable(messages: Sequence[object], endpoints: Sequence[ModelEndpoint]) -> None:
    if not endpoints:
        raise DomainError(
            "invalid",
            "trial.no-endpoint",
            "",
            gettext_noop("No endpoint was chosen. Nothing was sent."),
            gettext_noop("Choose at least one endpoint to send this to."),
        )
    if not messages:
        raise DomainError(
            "invalid",
            "trial.nothing-to-send",
            "",
            gettext_noop("This preset gives no message here. Nothing was sent."),
            gettext_noop("Switch a prompt on, or type a turn."),
        )
    for endpoint in endpoints:
        if not endpoint.model:
            raise DomainError(
                "invalid",
                "trial.no-model",
                "",
                gettext_noop("“{name}” has no model chosen yet. Nothing was sent."),
                gettext_noop("Choose one in the settings of the endpoint."),
                {"name": endpoint.name},
            )


def _reply_to_come(run: TrialRun, number: int, endpoint: ModelEndpoint, settings: str) -> TrialReply:
    return TrialReply(
        run=run,
        number=number,
        endpoint_id=endpoint.pk,
        endpoint_name=endpoint.name,
        model=endpoint.model,
        settings=settings,
    )


def _ask(actor: Person, preset: Preset, reply: TrialReply) -> None:
    job = submit(
        JOB,
        owner=actor,
        subject=preset.pk,
        title=preset.name,
        lane=reply.pk,
        data={"reply": reply.pk, "run": reply.run_id},
    )
    reply.job_id = job.pk
    reply.save()
    bell.ring(f"trial:{reply.run_id}")


def _forget_oldest(actor: Person, preset: Preset) -> int:
    old = list(runs_of(actor, preset)[MOST_RUNS:])
    for run in old:
        delete_run(actor=actor, run=run)
    return len(old)
