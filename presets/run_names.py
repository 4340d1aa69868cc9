"""Trial runs by their names: a number, when, of which state, to whom, and how the turn begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models.fields.json import KT
from django.db.models.functions import Left
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from portal.models import Person
from presets.models import Preset, TrialRun
from presets.trial_words import named_state
from presets.trials import MOST_RUNS, runs_of

LONGEST_TURN: Final = 60


@dataclass(frozen=True, slots=True)
class NamedRun:
    """A run of a list. `number`: 1 is the oldest that is kept; `turn` is "" where it had none."""

    run: TrialRun
    number: int
    tried: str
    endpoints: str
    turn: str

    @property
    def label(self) -> str:
        """All of it in a line, for a choice."""
        when = date_format(timezone.localtime(self.run.created_at), "SHORT_DATETIME_FORMAT")
        name = _("Run %(n)s") % {"n": self.number}
        return " · ".join(filter(None, (name, when, self.tried, self.endpoints, self.turn)))


def named_runs(person: Person, preset: Preset) -> list[NamedRun]:
    """The person's runs of a preset, newest first."""
    begins = Left(KT("inputs__current_turn"), LONGEST_TURN * 4)
    rows = list(runs_of(person, preset).annotate(turn_begins=begins)[:MOST_RUNS])
    return [
        NamedRun(
            run,
            len(rows) - place,
            named_state(run.state, run.base),
            ", ".join(reply.endpoint_name for reply in run.replies.all()),
            beginning(run.turn_begins or ""),
        )
        for place, run in enumerate(rows)
    ]


def beginning(turn: str) -> str:
    """How a turn begins."""
    words = " ".join(turn.split())
    return words if len(words) <= LONGEST_TURN else words[: LONGEST_TURN - 1] + "…"
