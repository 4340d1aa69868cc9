"""Of the card's instructions: how the story is told and how characters behave (STYLE-1, STYLE-2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from formats.card import Piece
from formats.finding import Finding, fill
from formats.messages import gettext_noop
from importer.pipeline.build.answers import SHORT
from importer.pipeline.build.part import Part
from importer.pipeline.context import ImportContext
from importer.pipeline.survey.sources import Survey
from llm.tasks import AnswerModel, Rejected, Task, TaskFailed, together
from worlds.rules.prompts import prompt_files, unknown_placeholders

GROUP = 12_000
LONGEST = 4_000
MOST = 12_000
"""Characters of one prompt in all; it is carried through the whole story, like the standing rules."""
FIELDS = ("system", "post_history", "note")
LEFT_OUT = gettext_noop("Of the card's instructions these were left out: {told}.")
NOT_READ = gettext_noop("The card's instructions gave no narration style: {reason}")


class StyleAnswer(AnswerModel):
    style: str = Field(max_length=LONGEST, description="How the story is told; empty if nothing is said.")
    character_style: str = Field(max_length=LONGEST, description="How characters behave; may be empty.")
    left_out: list[Annotated[str, Field(max_length=SHORT)]] = Field(
        max_length=10, description="What was left out, a few words each."
    )


STYLE = Task("style", StyleAnswer, 2_600)


async def style(context: ImportContext, survey: Survey) -> Part:
    """Read system prompt, post-history instructions, the note and instruction pieces.

    Raises:
        DomainError: the model cannot be asked for now.
    """
    pieces = [
        piece
        for piece in context.pieces.values()
        if (piece.field in FIELDS or "instruction" in survey.roles_of(piece.id))
        and context.text_of(piece).strip()
    ]
    groups = _grouped(context, pieces)
    answers = await together(*(_ask(context, group) for group in groups))
    part = Part()
    texts: dict[str, list[str]] = {"style": [], "character-style": []}
    left_out: list[str] = []
    for group, answer in zip(groups, answers, strict=True):
        if isinstance(answer, TaskFailed):
            args = {"reason": fill(answer.message, answer.values)}
            part.notes.append(Finding("warning", "style-not-read", "prompts", NOT_READ, "", args))
            part.credit(group, "omitted", reason="style-failed")
            continue
        files: list[str] = []
        for name, text in (("style", answer.style), ("character-style", answer.character_style)):
            if sum(map(len, texts[name])) + len(text) > MOST:
                left_out.append(context.title_of(group[0]))
            elif text:
                texts[name].append(text)
                files += prompt_files(name, text)
        left_out += [told for told in answer.left_out if told]
        part.credit(group, "guidance" if files else "omitted", files, "" if files else "instruction-left-out")
    for name, held in texts.items():
        if held:
            part.prompts.update(prompt_files(name, "\n\n".join(held)))
    if left_out:
        args = {"told": "; ".join(dict.fromkeys(left_out))}
        part.notes.append(Finding("info", "instructions-left-out", "prompts", LEFT_OUT, "", args))
    return part


def _grouped(context: ImportContext, pieces: Sequence[Piece]) -> list[list[Piece]]:
    groups: list[list[Piece]] = []
    room = 0
    for piece in pieces:
        room -= piece.size
        if room < 0:
            groups.append([])
            room = GROUP - piece.size
        groups[-1].append(piece)
    return groups


async def _ask(context: ImportContext, group: Sequence[Piece]) -> StyleAnswer | TaskFailed:
    def check(answer: StyleAnswer) -> None:
        for name, text in (("style", answer.style), ("character-style", answer.character_style)):
            if found := unknown_placeholders(name, text):
                raise Rejected(fill(context.reasons.placeholder, {"found": found[0]}))

    try:
        return await context.ask(
            STYLE,
            context.passages(group),
            title=context.title_of(group[0]),
            about=group[0].id,
            check=check,
            card=context.card.name,
        )
    except TaskFailed as failure:
        return failure
