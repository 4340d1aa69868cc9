"""The words of trial runs: how a reply stands, how it ended, what it cost, what to do about a fault."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from formats.text.tokens import COUNTER_NAME
from portal.models import ModelEndpoint
from portal.say import sentence
from presets.long_texts import Shown, shown
from presets.models import Preset, TrialReply
from presets.queries import DRAFT, State, item_of
from presets.trial_shapes import WayOut, way_out

_States = TrialReply.State
COLOURS: Final = {
    _States.WAITING: "",
    _States.RUNNING: "info",
    _States.DONE: "ok",
    _States.STOPPED: "warn",
    _States.FAULT: "danger",
    _States.INTERRUPTED: "warn",
}
ICONS: Final = {
    _States.WAITING: "clock",
    _States.RUNNING: "play",
    _States.DONE: "check",
    _States.STOPPED: "stop",
    _States.FAULT: "alert",
    _States.INTERRUPTED: "alert",
}
FINISHES: Final[Mapping[str, Promise]] = {
    "stop": pgettext_lazy("how an answer ended", "complete"),
    "length": pgettext_lazy("how an answer ended", "cut at the limit of its length"),
    "tool-calls": pgettext_lazy("how an answer ended", "asks for a tool"),
    "filtered": pgettext_lazy("how an answer ended", "held back by the service"),
}
COUNTER: Final = gettext_lazy("estimate by characters (%(name)s), not the model's own count")


@dataclass(frozen=True, slots=True)
class ReplyTold:
    """A reply as its page shows it."""

    reply: TrialReply
    word: str
    colour: str
    icon: str
    finish: str
    fault: str
    hint: str
    cost: str
    way_out: WayOut
    text: Shown
    thinking: Shown
    calls: list[Shown]


def told_reply(reply: TrialReply) -> ReplyTold:
    """A reply in words."""
    state = _States(reply.state)
    return ReplyTold(
        reply=reply,
        word=str(state.label),
        colour=COLOURS[state],
        icon=ICONS[state],
        finish=str(FINISHES.get(reply.finish, reply.finish)),
        fault=sentence(reply.message, reply.args),
        hint=sentence(reply.hint, reply.args),
        cost="" if reply.cost is None else money(reply.cost, reply.currency),
        way_out=way_out(reply),
        text=shown(reply.text),
        thinking=shown(reply.thinking),
        calls=[shown(f"{call['name']}({call['arguments']})") for call in reply.calls],
    )


def money(amount: Decimal, currency: str) -> str:
    """A sum with as many places as it needs to say something."""
    places = 2 if amount >= 1 or not amount else min(8, 2 - amount.adjusted())
    return f"{number_format(amount, places)} {currency}"


def counter_name() -> str:
    """What counted the tokens."""
    return str(COUNTER) % {"name": COUNTER_NAME}


@dataclass(frozen=True, slots=True)
class Estimate:
    """What sending to one endpoint may take. Sums are words; empty where no price is known."""

    endpoint: ModelEndpoint
    tokens: int
    longest: int | None
    sending: str
    at_most: str
    is_over: bool


def estimate_of(endpoint: ModelEndpoint, tokens: int, settings: Mapping[str, Any]) -> Estimate:
    """Tokens in, the longest answer asked for, and what both cost where prices are known."""
    longest = settings.get("max_tokens")
    longest = int(longest) if isinstance(longest, int | float) and 0 < longest < 1e9 else None
    prices = endpoint.prices
    sending = at_most = ""
    if prices.input is not None:
        cost = prices.input * tokens / 1_000_000
        sending = money(cost, prices.currency)
        if prices.output is not None and longest is not None:
            at_most = money(cost + prices.output * longest / 1_000_000, prices.currency)
    room = endpoint.context_length
    return Estimate(endpoint, tokens, longest, sending, at_most, room is not None and tokens > room)


def states_of(preset: Preset) -> list[tuple[str, str]]:
    """What can be tried: the draft, or the preset as it is; then the versions, newest first."""
    versions = sorted(item_of(preset).versions, key=lambda one: -one.number)
    now = _("The draft") if preset.has_draft else _("The preset as it is now")
    rows = [(version.number, version.note) for version in versions]
    return [(DRAFT, now), *((str(number), named_version(number, note)) for number, note in rows)]


def named_version(number: int, note: str = "") -> str:
    """A version with the beginning of its note."""
    name = _("Version %(n)s") % {"n": number}
    note = " ".join(note.split())
    return f"{name} · {note[:59]}…" if len(note) > 60 else f"{name} · {note}" if note else name


def named_state(state: State | str, base: int = 0) -> str:
    """What was tried: a version, or a draft and the version it was beside."""
    if str(state) != DRAFT:
        return named_version(int(state))
    return _("Draft after version %(n)s") % {"n": base} if base else _("Draft")
