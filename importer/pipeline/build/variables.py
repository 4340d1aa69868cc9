"""The values a card tracks, read group by group from its panels, formats and rules (VAR-1 to VAR-5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from pydantic import Field, create_model

from formats.card import Piece
from formats.finding import Finding, fill
from formats.messages import gettext_noop
from importer.pipeline.build.answers import LINE, SHORT
from importer.pipeline.build.part import Part
from importer.pipeline.context import ImportContext
from importer.pipeline.survey.sources import Survey
from importer.pipeline.survey.variable_marks import reaches_variables
from llm.tasks import AnswerModel, Task, TaskFailed, together
from worlds.rules.documents import VariableDeclaration, Variables
from worlds.rules.documents.mechanics import Band
from worlds.rules.variables import problems_of

GROUP = 6_000
MOST_ROUNDS = 12
"""Requests for one group; a card that fills all of them has tracked hundreds of values."""
LEFT_OUT = gettext_noop("The value “{name}” is not tracked: {reason}")
NOT_READ = gettext_noop("Some passages about tracked values could not be read: {reason}")
TRUE = frozenset({"true", "yes", "on", "1", "是", "真", "有"})
ONE_KIND = {"character": "character", "location": "location", "item": "item"}


class BandAnswer(AnswerModel):
    up_to: float
    label: str = Field(max_length=SHORT)


class VariableAnswer(AnswerModel):
    about: str = Field(max_length=LINE, description="What it means.")
    key: str = Field(max_length=SHORT, description="Lower-case English letters, digits and underscores.")
    label: str = Field(max_length=SHORT, description="Its name as the passages write it.")
    scope: Literal["world", "character", "location", "item"]
    applies_to: list[str] = Field(max_length=20, description="Names, if only some have it; else empty.")
    kind: Literal["number", "flag", "choice"]
    default: str = Field(max_length=SHORT, description="First value; may be empty.")
    min: float | None
    max: float | None
    bands: list[BandAnswer] = Field(max_length=12, description="Named steps of a number, rising.")
    options: list[str] = Field(max_length=30, description="For a choice: two or more.")
    update_rule: str = Field(max_length=LINE, description="When it changes; may be empty.")


@cache
def variables_task(most: int) -> Task[Any]:
    """The task for at most so many declarations in one answer (VAR-2)."""
    held: Any = (list[VariableAnswer], Field(max_length=most))
    model = create_model("VariablesAnswer", __base__=AnswerModel, variables=held)
    return Task("variables", model, min(12_000, 400 + 160 * most), rescue="variables")


VARIABLES = variables_task(25)


@dataclass(frozen=True, slots=True)
class _Group:
    """Pieces that are read together."""

    pieces: tuple[Piece, ...]
    text: str


async def variables(
    context: ImportContext, survey: Survey, stated: Sequence[VariableDeclaration], data: Sequence[Piece]
) -> Part:
    """Declare what the passages track, after what the card `stated` as data in the pieces `data`.

    Raises:
        DomainError: the model cannot be asked for now.
    """
    used = {piece.id for piece in data}
    groups = grouped(context, [piece for piece in told_of_values(context, survey) if piece.id not in used])
    part = Part()
    declared = {declaration.key: declaration for declaration in stated}
    found = await together(*(_of_group(context, survey, group, list(declared)) for group in groups))
    for group, (answers, failure) in zip(groups, found, strict=True):
        came = 0
        for answer in answers:
            declaration, problem = _declaration(context, survey, answer)
            if problem is not None:
                part.notes.append(problem)
            elif declaration.key not in declared:  # the first declaration of a key stands
                declared[declaration.key] = declaration
            came += problem is None
        if failure is not None:
            args = {"reason": fill(failure.message, failure.values)}
            part.notes.append(Finding("warning", "values-not-read", "variables.json", NOT_READ, "", args))
        if came:
            part.credit(group.pieces, "converted", ["variables.json"])
        else:  # what instructions are otherwise good for, another builder says
            formats = [piece for piece in group.pieces if "instruction" not in survey.roles_of(piece.id)]
            part.credit(formats, "omitted", reason="format")
    if declared:
        part.put(Variables(variables=list(declared.values())))
        part.credit(data, "converted", ["variables.json"])
    return part


def told_of_values(context: ImportContext, survey: Survey) -> list[Piece]:
    """Panels, formats, status rules and instructions, and whatever names the tools for values (SURV-7)."""
    return [
        piece
        for piece in context.pieces.values()
        if {"template", "instruction"} & set(survey.roles_of(piece.id)) or reaches_variables(piece)
    ]


def grouped(context: ImportContext, pieces: Sequence[Piece]) -> list[_Group]:
    """Groups of at most `GROUP` characters of text; a piece is never longer than that."""
    groups: list[_Group] = []
    for piece in pieces:
        text = piece.text.strip()
        if not text:
            continue
        if groups and len(groups[-1].text) + len(text) + 2 <= GROUP:
            groups[-1] = _Group((*groups[-1].pieces, piece), f"{groups[-1].text}\n\n{text}")
        else:
            groups.append(_Group((piece,), text))
    return groups


async def _of_group(
    context: ImportContext, survey: Survey, group: _Group, known: list[str]
) -> tuple[list[VariableAnswer], TaskFailed | None]:
    """Ask until an answer is not full; each further request names the keys that are there (VAR-2)."""
    most = context.limits.variables_per_request
    found: dict[str, VariableAnswer] = {}
    for _ in range(MOST_ROUNDS):
        there = ", ".join([*known, *found])
        told = fill(context.words.declared, {"keys": there}) if there else ""
        try:
            answer = await context.answer(
                variables_task(most),
                f"{group.text}\n\n{told}".strip(),
                title=context.title_of(group.pieces[0]),
                about=group.pieces[0].id,
                most=str(most),
            )
        except TaskFailed as failure:
            return list(found.values()), failure
        given: list[VariableAnswer] = answer.value.variables
        new = {one.key: one for one in reversed(given) if one.key not in found and one.key not in known}
        found |= dict(reversed(new.items()))
        if not new or (len(given) < most and not answer.rescued):
            break
    return list(found.values()), None


def _declaration(
    context: ImportContext, survey: Survey, answer: VariableAnswer
) -> tuple[VariableDeclaration, Finding | None]:
    """The declaration of an answer, and why it cannot be used where that is so (VAR-3)."""
    names = [survey.entity_by_name(name, player=context.words.player) for name in answer.applies_to]
    of_scope = [entity.id for entity in names if entity and entity.kind == ONE_KIND.get(answer.scope)]
    declaration = VariableDeclaration(
        key=answer.key or "—",
        label=answer.label or answer.key,
        scope=answer.scope,
        applies_to=list(dict.fromkeys(of_scope)),
        kind=answer.kind,
        default=_default(answer),
        min=answer.min if answer.kind == "number" else None,
        max=answer.max if answer.kind == "number" else None,
        bands=[Band(up_to=band.up_to, label=band.label or "—") for band in answer.bands]
        if answer.kind == "number"
        else [],
        options=[one for one in dict.fromkeys(answer.options) if one] if answer.kind == "choice" else [],
        description=answer.about,
        update_rule=answer.update_rule,
    )
    wrong = [found for found in problems_of(declaration, "variables.json") if found.severity == "error"]
    if not wrong:
        return declaration, None
    args = {"name": declaration.label[:80], "reason": wrong[0].text}
    return declaration, Finding("info", "value-left-out", "variables.json", LEFT_OUT, "", args)


def _default(answer: VariableAnswer) -> bool | float | str:
    """The first value; where none is told a number begins at its least, a choice with its first option."""
    told = answer.default.strip()
    if answer.kind == "flag":
        return told.casefold() in TRUE
    if answer.kind == "choice":
        return told or next(iter(answer.options), "")
    try:
        number = float(told)
    except ValueError:
        number = answer.min or 0.0
    if not math.isfinite(number):
        return 0
    return int(number) if number == int(number) else number
