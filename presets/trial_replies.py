"""A reply while it comes: taken up, kept so far, ended. Every step is stored before the bell rings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import F
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from llm.asking import Ask, Reply, ToolCall
from llm.faults import ModelFault
from llm.usage import Usage
from portal import bell
from portal.endpoints.access import endpoint_for
from portal.endpoints.calling import Caller
from portal.models import Job, ModelEndpoint, Person, Purpose
from presets.index import storable
from presets.long_texts import MOST_KEPT
from presets.models import TrialReply
from presets.pipeline.copies import copy_of
from presets.trials import keyless

JOB: Final = "preset-trial"
State = TrialReply.State
EMPTY: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("text", "thinking", "finish", "sent", "fault", "message", "hint", "said"), ""),
    **dict.fromkeys(("tokens_in", "tokens_cached", "tokens_out", "seconds", "first_seconds", "cost"), None),
    "calls": [],
    "args": {},
}
"""A reply that has said nothing yet."""
MOST_NUMBER: Final = 2**31 - 1
MOST_MONEY: Final = 10**9


@dataclass(frozen=True, slots=True)
class Asking:
    """What a job asks, on whose behalf."""

    reply_id: str
    run_id: str
    caller: Caller
    ask: Ask


@dataclass(frozen=True, slots=True)
class SoFar:
    """What has come of an answer."""

    text: str = ""
    thinking: str = ""
    calls: tuple[ToolCall, ...] = ()
    seconds: float = 0.0


def endpoint_of_reply(reply: TrialReply, person: Person) -> ModelEndpoint:
    """The endpoint that a reply comes from. Raises `conflict` where the person cannot use it any more."""
    try:
        return endpoint_for(person, reply.endpoint_id)
    except DomainError as error:
        raise DomainError(
            "conflict",
            "trial.endpoint-gone",
            reply.endpoint_id,
            gettext_noop("The endpoint “{name}” is gone. Nothing was sent, and what had come is kept."),
            gettext_noop("Choose another one and send again."),
            {"name": reply.endpoint_name},
        ) from error


def ring(run_id: str) -> None:
    """Tell the open pages of a run to look again."""
    bell.ring(f"trial:{run_id}")


def take_up(reply_id: str) -> Asking | None:
    """Begin to ask, and say what; None where nothing is to be asked.

    One that was being answered when a server ended is not asked again by itself: it may have cost money.
    What is going to be sent is stored before.

    Where the endpoint is not open to the person any more, the reply says so.
    """
    reply = TrialReply.objects.select_related("run__owner").filter(pk=reply_id).first()
    if reply is None:
        return None
    if reply.state == State.RUNNING:
        _change(reply_id, reply.run_id, state=State.INTERRUPTED)
        return None
    run, asked = reply.run, json.loads(reply.run.ask)
    ask = Ask(tuple(asked["messages"]), json.loads(reply.settings), tuple(asked["tools"]))
    try:
        row = endpoint_of_reply(reply, run.owner)
    except DomainError as error:
        fail(reply_id, run.pk, error, SoFar())
        return None
    streamed = row.abilities.streaming is not False
    body = copy_of(ask, keyless(row), streamed=streamed).body
    sent = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    begun = TrialReply.objects.filter(pk=reply_id, state__in=(State.WAITING, State.STOPPED)).update(
        **{**EMPTY, "sent": _text(sent)}, state=State.RUNNING, version=F("version") + 1
    )
    if not begun:
        return None
    ring(run.pk)
    about = f"preset:{run.preset_id}"
    return Asking(
        reply_id, run.pk, Caller(run.owner_id, row.pk, Purpose.TRIAL, about=about, group=run.pk), ask
    )


def keep(reply_id: str, run_id: str, so_far: SoFar) -> bool:
    """Store what has come; whether the reply is still there to be answered."""
    return _change(reply_id, run_id, **_said(so_far))


def finish(reply_id: str, run_id: str, reply: Reply) -> None:
    """Store a whole answer, with the very bytes it was asked with."""
    _change(
        reply_id,
        run_id,
        **_said(SoFar(reply.text, reply.thinking, reply.calls)),
        **_used(reply.usage),
        state=State.DONE,
        finish=reply.finish,
        sent=_text(reply.sent.decode("utf-8", "replace")),
    )


def end_stopped(reply_id: str, run_id: str, so_far: SoFar) -> None:
    """Store that a person stopped it."""
    _change(reply_id, run_id, **_said(so_far), state=State.STOPPED, seconds=so_far.seconds)


def fail(reply_id: str, run_id: str, error: DomainError, so_far: SoFar) -> None:
    """Store why there is no whole answer, and what had come of one."""
    found: dict[str, Any] = {
        "state": State.FAULT,
        "fault": getattr(error, "outcome", error.code)[:40],
        "message": error.message[:1000],
        "hint": error.hint[:1000],
        "args": {name: _text(str(value)) for name, value in error.values.items()},
    }
    if isinstance(error, ModelFault):
        found["said"] = _text(error.said)[:400]
        if error.usage is not None:
            found |= _used(error.usage)
        if error.sent:
            found["sent"] = _text(error.sent.decode("utf-8", "replace"))
    _change(reply_id, run_id, **_said(so_far), **found)


def settled(reply: TrialReply) -> TrialReply:
    """The reply; one that waits for a job which has ended is interrupted, whatever ended the job."""
    if not reply.live:
        return reply
    job = Job.objects.filter(pk=reply.job_id).first()
    if job is not None and job.live:
        return reply
    state = State.STOPPED if job is not None and job.state == Job.State.STOPPED else State.INTERRUPTED
    same = TrialReply.objects.filter(pk=reply.pk, version=reply.version, state__in=TrialReply.LIVE)
    same.update(state=state, version=F("version") + 1)
    reply.refresh_from_db()
    return reply


def _change(reply_id: str, run_id: str, **fields: Any) -> bool:
    live = TrialReply.objects.filter(pk=reply_id, state__in=(State.WAITING, State.RUNNING))
    changed = live.update(**fields, version=F("version") + 1)
    if changed:
        ring(run_id)
    return bool(changed)


def _said(so_far: SoFar) -> dict[str, Any]:
    return {
        "text": _text(so_far.text)[:MOST_KEPT],
        "thinking": _text(so_far.thinking)[:MOST_KEPT],
        "calls": _calls(so_far.calls),
    }


def _calls(calls: tuple[ToolCall, ...]) -> list[dict[str, str]]:
    """The calls, as far as all of them together are kept."""
    found, room = [], MOST_KEPT
    for call in calls:
        if room <= 0:
            break
        kept = {"name": _text(call.name)[:room], "arguments": _text(call.arguments)[:room]}
        found.append(kept)
        room -= len(kept["name"]) + len(kept["arguments"]) + 1
    return found


def _used(usage: Usage) -> dict[str, Any]:
    tokens, cost = usage.tokens, usage.cost
    return {
        "tokens_in": None if tokens is None else min(tokens.input, MOST_NUMBER),
        "tokens_cached": None if tokens is None else min(tokens.cached, MOST_NUMBER),
        "tokens_out": None if tokens is None else min(tokens.output, MOST_NUMBER),
        "seconds": usage.seconds,
        "first_seconds": usage.first_seconds,
        "cost": None if cost is None or cost >= MOST_MONEY else round(cost, 8),
        "currency": usage.currency[:8],
    }


_text = storable
