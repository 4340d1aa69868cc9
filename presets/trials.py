"""Trials of a preset as their person left them: what is set, what it gives, and what was sent before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, cast

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext_noop
from pydantic import ValidationError

from formats.errors import DomainError
from formats.preset.model import PresetPackage
from formats.preset.parameters import EndpointKind
from llm.endpoint import Endpoint, Kind
from portal.endpoints.access import endpoints_for
from portal.endpoints.queries import for_purpose
from portal.models import ModelEndpoint, Person, Purpose
from presets import queries
from presets.models import Preset, TrialReply, TrialRun, TrialSetup
from presets.pipeline.copies import kind_of
from presets.pipeline.fitting import Fitted, fitted
from presets.pipeline.trial import TrialInputs
from presets.queries import DRAFT, State
from presets.trial_names import named

MOST_ENDPOINTS: Final = 3
MOST_RUNS: Final = 20
"""So many runs of a preset are kept for each person."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What is set on the trial page. `context_length`: typed by hand, it counts before the endpoint's."""

    inputs: TrialInputs = field(default_factory=TrialInputs)
    state: State = DRAFT
    endpoints: tuple[str, ...] = ()
    context_length: int | None = None


@dataclass(frozen=True, slots=True)
class Assembled:
    """What a setup gives. `context_length` and where it was said: `typed`, `endpoint`, `preset` or not.

    `head` is the version in force; `is_draft`: what was tried is in no version yet.
    """

    setup: Setup
    package: PresetPackage
    fitted: Fitted
    context_length: int | None
    said_by: str
    head: int
    is_draft: bool

    @property
    def tried(self) -> State:
        """The state that was tried: the version in force where there is no draft."""
        return self.head if self.setup.state == DRAFT and not self.is_draft else self.setup.state


def state_named(name: str) -> State:
    """A state from an address or a row; the draft for what is none."""
    return int(name) if name.isascii() and name.isdigit() and len(name) < 9 and int(name) else DRAFT


def setup_of(person: Person, preset: Preset) -> Setup:
    """What this person has set. At first nothing but the endpoint that they use for stories."""
    row = TrialSetup.objects.filter(person=person, preset_id=preset.pk).first()
    if row is None:
        usual = for_purpose(person, Purpose.STORY)
        return Setup(endpoints=(usual.pk,) if usual else ())
    state = state_named(row.state)
    if state != DRAFT and all(version.number != state for version in queries.item_of(preset).versions):
        state = DRAFT  # edited by hand meanwhile, or brought back from elsewhere
    return Setup(inputs_of(row.inputs), state, tuple(row.endpoints), row.context_length)


def is_set_up(person: Person, preset: Preset) -> bool:
    """Whether this person has set anything."""
    return TrialSetup.objects.filter(person=person, preset_id=preset.pk).exists()


def with_state(setup: Setup, state: State) -> Setup:
    """The same on another state."""
    return replace(setup, state=state)


def inputs_of(stored: object) -> TrialInputs:
    """Stored inputs; empty ones where an older program wrote something else."""
    try:
        return TrialInputs.model_validate(stored)
    except ValidationError:
        return TrialInputs()


def chosen_endpoints(person: Person, ids: Sequence[str]) -> list[ModelEndpoint]:
    """Of the chosen endpoints those the person may still use, in the order of the choice."""
    usable = {str(row.pk): row for row in endpoints_for(person)}
    return [usable[one] for one in ids if one in usable][:MOST_ENDPOINTS]


def keyless(row: ModelEndpoint) -> Endpoint:
    """An endpoint without its key, for what is shown and counted; only a call opens the key."""
    return Endpoint(
        cast(Kind, row.kind),
        row.base_url,
        row.model,
        context_length=row.context_length,
        prices=row.prices,
        abilities=row.abilities,
    )


def assemble_setup(preset: Preset, setup: Setup, endpoint: ModelEndpoint | None) -> Assembled:
    """What would leave for the first endpoint; nothing is sent.

    Raises:
        DomainError: `not-found` for a version that is none; `invalid` where a hand has spoilt a file.
    """
    package = queries.package_of(preset, setup.state)
    length, said_by = _context(package, setup, endpoint)
    kind: EndpointKind = kind_of(keyless(endpoint)) if endpoint else setup.inputs.endpoint
    setup = replace(setup, inputs=setup.inputs.model_copy(update={"endpoint": kind}))
    found = fitted(package, named(setup.inputs), length)
    head = queries.item_of(preset).head
    is_draft = setup.state == DRAFT and queries.draft_base(preset) is not None
    return Assembled(setup, package, found, length, said_by, head, is_draft)


def _context(package: PresetPackage, setup: Setup, endpoint: ModelEndpoint | None) -> tuple[int | None, str]:
    if setup.context_length:
        return setup.context_length, "typed"
    if endpoint is not None and endpoint.context_length:
        return endpoint.context_length, "endpoint"
    own = package.generation.max_context_tokens
    return (int(own), "preset") if own and 0 < own < 1e9 else (None, "")


def runs_of(person: Person, preset: Preset) -> QuerySet[TrialRun]:
    """The person's runs of a preset, newest first, with their replies."""
    replies = Prefetch("replies", TrialReply.objects.defer("text", "thinking", "sent"))
    runs = TrialRun.objects.filter(owner=person, preset_id=preset.pk).defer("ask", "inputs")
    return runs.prefetch_related(replies)


def run_for(person: Person, preset: Preset, run_id: str) -> TrialRun:
    """One of the person's own runs. Raises `not-found` for anybody else's."""
    found = TrialRun.objects.filter(owner=person, preset_id=preset.pk, pk=run_id).first()
    if found is None:
        raise DomainError(
            "not-found",
            "preset.no-such-run",
            run_id,
            gettext_noop("This trial run is not here any more."),
            gettext_noop("Older runs make room for new ones. Assemble the trial again and send it."),
        )
    return found


def reply_for(person: Person, preset: Preset, run_id: str, number: int) -> TrialReply:
    """One reply of the person's own run. Raises `not-found`."""
    run = run_for(person, preset, run_id)
    reply = run.replies.select_related("run").filter(number=number).first()
    if reply is None:
        raise DomainError(
            "not-found", "preset.no-such-reply", run_id, gettext_noop("There is no such reply.")
        )
    return reply
