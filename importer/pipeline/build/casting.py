"""How people are made becomes commands and triggers of the world (CAST-1 to CAST-6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pydantic import Field

from formats.finding import Finding
from formats.messages import gettext_noop
from formats.text.names import compared, element_id
from importer.pipeline.build.answers import LINE, Line
from importer.pipeline.build.lore_draft import as_written
from importer.pipeline.build.part import Part
from importer.pipeline.build.passages import Found
from importer.pipeline.context import ImportContext
from importer.pipeline.survey.sources import Survey
from llm.tasks import AnswerModel, Task, TaskFailed, together
from worlds.rules.documents import Command, Commands, Trigger, Triggers

GROUP = 12_000
"""Characters that are read together."""
_WORD = re.compile(r"[^\W_][\w-]{0,39}")
NOTHING_STARTS = gettext_noop("“{need}” was left out of the triggers, because nothing starts it.")
NOT_READ = gettext_noop(
    "How people are made could not be turned into triggers. It is in the lore as the card has it."
)


class Mechanism(AnswerModel):
    about: str = Field(max_length=LINE, description="What this is for, in a few words.")
    command: str = Field(max_length=40, description="The slash word that starts it, as written; else empty.")
    event: str = Field(max_length=LINE, description="Else what has happened, one past-tense statement.")
    need: str = Field(max_length=LINE, description="Who or what shall be made.")
    draw: list[Line] = Field(max_length=30, description="Options to draw from, copied from the passages.")
    once: bool = Field(description="Whether it happens only once.")


class CastingAnswer(AnswerModel):
    mechanisms: list[Mechanism] = Field(max_length=10)


CASTING = Task("casting", CastingAnswer, 2_000)


def generators(context: ImportContext, survey: Survey) -> Part:
    """Guidance for making people, as it stands, for the narrators alone (CAST-5)."""
    pieces = survey.pieces_of_role(context, "generator")
    return Part(lore=[as_written(context, piece) for piece in pieces if context.text_of(piece).strip()])


async def casting(context: ImportContext, survey: Survey, found: Found) -> Part:
    """Read the generating pieces and passages together, and give commands and triggers.

    Raises:
        DomainError: the model cannot be asked for now.
    """
    texts = [context.text_of(piece).strip() for piece in survey.pieces_of_role(context, "generator")]
    texts += [text for _, text in found]
    answers = await together(*(_ask(context, group) for group in grouped(filter(None, texts), GROUP)))
    part = Part()
    commands: dict[str, Command] = {}
    triggers: list[Trigger] = []
    taken: set[str] = set()
    for source, answer in answers:
        if answer is None:
            part.notes.append(Finding("warning", "casting-failed", "triggers.json", NOT_READ))
            continue
        for one in answer.mechanisms:
            trigger = _trigger(one, source, commands, taken, len(triggers) + 1)
            if trigger is not None:
                triggers.append(trigger)
            elif one.need:
                part.notes.append(_nothing_starts(one.need))
    if commands:
        part.put(Commands(commands=list(commands.values())))
    if triggers:
        part.put(Triggers(triggers=triggers))
    return part


def _nothing_starts(need: str) -> Finding:
    return Finding("info", "nothing-starts", "triggers.json", NOTHING_STARTS, args={"need": need})


async def _ask(context: ImportContext, text: str) -> tuple[str, CastingAnswer | None]:
    try:
        return text, await context.ask(CASTING, text, title=context.card.name, card=context.card.name)
    except TaskFailed:
        return text, None


def grouped(texts: Iterable[str], limit: int) -> list[str]:
    """Texts joined into groups of at most so many characters; a longer one stands alone."""
    groups: list[str] = []
    for text in texts:
        if groups and len(groups[-1]) + len(text) + 2 <= limit:
            groups[-1] += f"\n\n{text}"
        else:
            groups.append(text)
    return groups


def _trigger(
    one: Mechanism, source: str, commands: dict[str, Command], taken: set[str], number: int
) -> Trigger | None:
    """A trigger, and its command among `commands`; None where nothing starts it (CAST-2, CAST-4)."""
    word = _command_in(source, one.command)
    if not one.need or not (word or one.event):
        return None
    if word:
        known = Command(name=word, description=one.about, marker=f"/{word}")
        commands.setdefault(compared(word), known)
    trigger_id = element_id(word or one.event, "trigger", number, taken)
    taken.add(trigger_id)
    return Trigger.model_validate(
        {
            "id": trigger_id,
            "description": one.about,
            "when": {"command": commands[compared(word)].name} if word else {"event": one.event},
            "effect": {"dispatch": "author", "need": one.need, "draw": _standing_in(source, one.draw)},
            "once": one.once,
        }
    )


def _command_in(source: str, told: str) -> str:
    """The slash word as the passages write it; "" where they have no such word.

    It may stand amid words of a script without spaces, but not in an address or a path.
    """
    wanted = told.strip().lstrip("/")
    if not _WORD.fullmatch(wanted):
        return ""
    written = re.compile(rf"(?<![A-Za-z0-9_/:.])/({re.escape(wanted)})(?![A-Za-z0-9_-])", re.IGNORECASE)
    found = written.search(source)
    return found[1] if found else ""


def _standing_in(source: str, options: Sequence[str]) -> list[str]:
    """The options that the passages really hold, each once."""
    held = compared(" ".join(source.split()))
    return list(dict.fromkeys(one for one in options if one and compared(" ".join(one.split())) in held))
