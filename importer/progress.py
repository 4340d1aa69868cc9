"""How far an import is, as its page shows it: from stored state, never from a socket."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from importer.model_progress import ModelProgress
from importer.pipeline.record import Stage
from importer.queries import ImportStatus, MadeOf
from portal.models import Job
from portal.say import sentence

ORDER: tuple[Stage, ...] = ("ready", "surveyed", "built", "done")
StepState = Literal["done", "run", "wait", "failed"]


@dataclass(frozen=True, slots=True)
class Step:
    """One stage in words. `note` says what came of it, or how it stands."""

    label: str
    state: StepState
    note: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """What `run.html` shows. `seen` changes with everything that is shown.

    `standing`: how the job is — running, queued, stopping, stopped, failed, or idle where none is left.
    """

    stage: Stage
    standing: Literal["running", "queued", "stopping", "stopped", "failed", "idle"]
    steps: list[Step]
    job: Job | None
    ahead: int
    reason: str
    hint: str
    built: Sequence[MadeOf]
    seen: str
    model: ModelProgress | None = None

    @property
    def done(self) -> int:
        """Steps that are finished, of `total`."""
        return sum(step.state == "done" for step in self.steps)

    @property
    def total(self) -> int:
        return len(self.steps)

    @property
    def percent(self) -> int:
        """For the title of the window."""
        return 100 * self.done // self.total

    @property
    def live(self) -> bool:
        """Whether the page should look again by itself."""
        return self.standing in ("running", "queued", "stopping")

    @property
    def restarted(self) -> bool:
        """Whether an interruption was survived (RUN-3)."""
        return self.job is not None and self.job.attempts > 1 and self.live

    @classmethod
    def of(
        cls, status: ImportStatus, built: Sequence[MadeOf], model: ModelProgress | None = None
    ) -> Progress:
        """From the records of the import and its job; with a model also from its answers."""
        job, state = status.job, status.state
        standing = standing_of(job)
        reason = sentence(job.error, job.error_args) if job else ""
        hint = sentence(job.error_hint, job.error_args) if job else ""
        if not reason and state.error:
            reason = sentence(state.error.message, state.error.args)
            hint = sentence(state.error.hint, state.error.args)
        failed = standing == "failed"
        return cls(
            stage=state.stage,
            standing=standing,
            steps=steps_of(status, model, failed=failed, waits=standing not in ("running", "stopping")),
            job=job,
            ahead=status.ahead,
            reason=reason if failed else "",
            hint=hint if failed else "",
            built=built,
            seen=f"{state.stage}-{standing}-{job.version if job else 0}-{status.ahead}"
            f"-{model.answered + len(model.failures) if model else 0}",
            model=model,
        )


def standing_of(job: Job | None) -> Literal["running", "queued", "stopping", "stopped", "failed", "idle"]:
    """How the job that arranges the card is."""
    if job is None or job.state == Job.State.DONE:
        return "idle"
    if job.state == Job.State.RUNNING:
        return "stopping" if job.stop_asked else "running"
    if job.state == Job.State.QUEUED:
        return "queued"
    return "failed" if job.state == Job.State.FAILED else "stopped"


def steps_of(status: ImportStatus, model: ModelProgress | None, *, failed: bool, waits: bool) -> list[Step]:
    """The stages in words: four without a model, five with one. The first was finished before the start."""
    reached = ORDER.index("done" if status.state.stage == "repair" else status.state.stage)
    pieces = status.pieces
    sorted_note = ngettext("%(n)s piece", "%(n)s pieces", pieces) % {"n": pieces} if pieces else ""
    words = [
        (0, _("Read the card"), status.upload.filename),
        (1, _("Sort every piece"), sorted_note),
        *(
            [(2, _("Write people, places and things"), ""), (2, _("Find values to track"), "")]
            if model
            else [(2, _("Write people, lore and values"), "")]
        ),
        (3, _("Put together and check"), ""),
    ]
    steps = []
    for number, label, note in words:
        state: StepState = "done" if number <= reached else "wait"
        if number == reached + 1:
            state = "failed" if failed else "wait" if waits else "run"
        steps.append(Step(label, state, note if state == "done" else ""))
    return steps
