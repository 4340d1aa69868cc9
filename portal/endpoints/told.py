"""How an endpoint stands, in words: its state, the steps of its last test, what it can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from formats.finding import Finding
from portal.endpoints.actions import TEST
from portal.endpoints.queries import key_is_readable
from portal.models import Job, ModelEndpoint, Person

ABILITY_NAMES = {
    "streaming": _("Answers word by word"),
    "tools": _("Calls tools"),
    "schema": _("Holds to a JSON schema"),
    "system_first": _("Takes a system message first"),
    "many_systems": _("Takes system messages anywhere"),
}
STEP_NAMES = {
    "reach": _("Reach the address"),
    "models": _("List the models"),
    "reply": _("One short reply"),
    "abilities": _("What it can do"),
}
STEP_STATES = {"passed": "done", "failed": "failed", "skipped": "wait"}
WORKS = ("ok", "cut", "filtered")


@dataclass(frozen=True, slots=True)
class State:
    """A state word. `look` is a class of tags: ok, warn, danger, info or nothing."""

    word: Any
    look: str = ""
    icon: str = ""


STATE_OF = {
    **dict.fromkeys(
        ("key-refused", "forbidden"), State(pgettext_lazy("endpoint", "Key refused"), "danger", "ban")
    ),
    **dict.fromkeys(
        ("not-allowed", "unreachable", "tls", "too-slow"),
        State(pgettext_lazy("endpoint", "Not reachable"), "danger", "alert"),
    ),
    "rate-limited": State(pgettext_lazy("endpoint", "Rate-limited"), "warn", "clock"),
}
NOT_TESTED = State(pgettext_lazy("endpoint", "Not tested"))
TESTING = State(pgettext_lazy("endpoint", "Being tested…"), "info")
TYPE_AGAIN = State(pgettext_lazy("endpoint", "Type the key again"), "danger", "key")
WRONG = State(pgettext_lazy("endpoint", "Does not work"), "danger", "alert")


@dataclass(frozen=True, slots=True)
class Told:
    """One sentence of a test: what it is about (where it says so itself: nothing), what was found, and the
    service's own words, untrusted."""

    about: Any
    finding: Finding
    said: str


@dataclass(frozen=True, slots=True)
class Tried:
    """A step of the last test; `state` is one of `templates/parts/steps.html`."""

    label: Any
    state: str
    told: list[Told]


def state_of(row: ModelEndpoint, testing: bool = False) -> State:
    """The state word of an endpoint."""
    if not key_is_readable(row):
        return TYPE_AGAIN
    if testing:
        return TESTING
    if not row.test_outcome:
        return NOT_TESTED
    if works(row):
        word = pgettext_lazy("endpoint", "Works, %(ms)d ms") % {"ms": row.test_ms}
        return State(word, "ok", "check")
    return STATE_OF.get(row.test_outcome, WRONG)


def works(row: ModelEndpoint) -> bool:
    """Whether its last test ended well and its key can be read."""
    return key_is_readable(row) and row.test_outcome in WORKS and row.test_ms is not None


def fails(row: ModelEndpoint) -> bool:
    """Whether it was tested and does not work. One that was never tested does not fail."""
    return not key_is_readable(row) or (bool(row.test_outcome) and not works(row))


def last_test(row: ModelEndpoint) -> Job | None:
    """The job of the latest test, whatever became of it."""
    return Job.objects.filter(subject=f"endpoint:{row.pk}", kind=TEST).order_by("-created_at").first()


def being_tested(person: Person) -> set[str]:
    """Ids of the endpoints that a person has under test right now."""
    jobs = Job.objects.filter(owner=person, kind=TEST, state__in=Job.LIVE)
    return {subject.partition(":")[2] for subject in jobs.values_list("subject", flat=True)}


def steps_of(row: ModelEndpoint) -> list[Tried]:
    """The steps of the last test in their order."""
    return [
        Tried(
            STEP_NAMES.get(step["name"], step["name"]),
            STEP_STATES.get(step["state"], "wait"),
            [_told(finding, step.get("said", "")) for finding in step["findings"]],
        )
        for step in row.steps
    ]


def abilities_of(row: ModelEndpoint) -> list[tuple[Any, bool | None, bool]]:
    """Each ability by its name: whether it has it (None: nobody knows), and whether that was set by hand."""
    known = {**row.abilities_found, **row.abilities_set}
    return [(label, known.get(name), name in row.abilities_set) for name, label in ABILITY_NAMES.items()]


def _told(stored: Mapping[str, Any], said: str) -> Told:
    finding = Finding.from_json(stored)
    return Told(ABILITY_NAMES.get(finding.where, ""), finding, said or str(finding.args.get("said", "")))
