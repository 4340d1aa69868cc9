"""The values a card tracks, read group by group from its panels, formats and rules (VAR-1 to VAR-5)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, FiniteFloat, WithJsonSchema, create_model

from formats.card import Piece
from formats.finding import Finding, fill
from formats.messages import gettext_noop
from formats.text.cleaning import replace_marks
from importer.pipeline.build.answers import LINE, SHORT
from importer.pipeline.build.part import Part
from importer.pipeline.context import ImportContext
from importer.pipeline.survey.records import EntityKind
from importer.pipeline.survey.sources import Survey
from importer.pipeline.survey.variable_marks import reaches_variables
from llm.tasks import AnswerModel, Task, TaskFailed, together
from worlds.rules.documents import VariableDeclaration, Variables
from worlds.rules.reader import read_document

GROUP = 6_000
MOST_ROUNDS = 12
"""Requests for one group; a card that fills all of them has tracked hundreds of values."""
LEFT_OUT = gettext_noop("The value “{name}” is not tracked: {reason}")
NOT_READ = gettext_noop("Some passages about tracked values could not be read: {reason}")
WHERE = "variables.json"
TRUE = frozenset({"true", "yes", "on", "1", "是", "真", "有"})
OWN_KIND: dict[str, EntityKind] = {"character": "character", "location": "location", "item": "item"}
"""Scopes that can be limited to some of a kind."""
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")


def _as_text(value: Any) -> Any:
    """Models write a first value as what it is: 5, true."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else value


def _one_of(*words: str) -> WithJsonSchema:
    """What is asked for; another word spoils one declaration and no more (VAR-3)."""
    return WithJsonSchema({"type": "string", "enum": list(words)})


def _cut_to(most: int) -> BeforeValidator:
    """A longer text or list is taken up to there: the answer holds other declarations besides (VAR-3)."""
    return BeforeValidator(lambda given: given[:most] if isinstance(given, str | list) else given)


Short = Annotated[str, Field(max_length=SHORT)]
CutShort = Annotated[str, Field(max_length=SHORT), _cut_to(SHORT)]
CutLine = Annotated[str, Field(max_length=LINE), _cut_to(LINE)]


class BandAnswer(AnswerModel):
    up_to: FiniteFloat
    label: CutShort = ""


class VariableAnswer(AnswerModel):
    """One value. All but its key and kind may be missing where a service does not hold to the schema."""

    about: CutLine = Field("", description="What it means.")
    key: Short = Field(description="Lower-case English letters, digits and underscores.")
    label: CutShort = Field("", description="Its name as the passages write it.")
    scope: Annotated[Short, _one_of("world", *OWN_KIND)] = "world"
    applies_to: list[Short] = Field([], max_length=20, description="Names, if only some have it; else empty.")
    kind: Annotated[Short, _one_of("number", "flag", "choice")]
    default: Annotated[Short, BeforeValidator(_as_text)] = Field("", description="First value; may be empty.")
    min: FiniteFloat | None = None
    max: FiniteFloat | None = None
    bands: list[BandAnswer] = Field([], max_length=12, description="Named steps of a number, rising.")
    options: list[Short] = Field([], max_length=30, description="For a choice: two or more.")
    update_rule: CutLine = Field("", description="When it changes; may be empty.")


@cache
def variables_task(most: int) -> Task[Any]:
    """The task for at most so many declarations in one answer (VAR-2).

    Of a longer answer the first are taken; the next request names them and asks for the rest.
    """
    held: Any = (Annotated[list[VariableAnswer], Field(max_length=most), _cut_to(most)], ...)
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
    groups = grouped([piece for piece in told_of_values(context, survey) if piece.id not in used])
    part = Part()
    declared = {declaration.key: declaration for declaration in stated}
    found = await together(*(_of_group(context, survey, group, list(declared)) for group in groups))
    for group, (answers, failure) in zip(groups, found, strict=True):
        came = 0
        for answer in answers:
            declaration = _declaration(context, survey, answer)
            if isinstance(declaration, Finding):
                part.notes.append(declaration)
                continue
            declared.setdefault(declaration.key, declaration)  # the first declaration of a key stands
            came += 1
        if failure is not None:
            args = {"reason": fill(failure.message, failure.values)}
            part.notes.append(Finding("warning", "values-not-read", WHERE, NOT_READ, "", args))
        if came:
            part.credit(group.pieces, "converted", [WHERE])
        else:  # what instructions are otherwise good for, another builder says
            formats = [piece for piece in group.pieces if "instruction" not in survey.roles_of(piece.id)]
            part.credit(formats, "omitted", reason="format")
    if declared:
        part.put(Variables(variables=list(declared.values())))
        part.credit(data, "converted", [WHERE])
    return part


def told_of_values(context: ImportContext, survey: Survey) -> list[Piece]:
    """Panels, formats, status rules and instructions, and whatever names the tools for values (SURV-7)."""
    return [
        piece
        for piece in context.pieces.values()
        if {"template", "instruction"} & set(survey.roles_of(piece.id)) or reaches_variables(piece)
    ]


def grouped(pieces: Sequence[Piece]) -> list[_Group]:
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
) -> VariableDeclaration | Finding:
    """The declaration of an answer, or why it cannot be used (VAR-3)."""
    value = _plain(context, survey, answer)
    read = read_document("variables", Variables().to_json() | {"variables": [value]}, WHERE)
    if read.accepted and isinstance(read.document, Variables):
        return read.document.variables[0]
    wrong = next(found for found in read.findings if found.severity == "error")
    args = {"name": value["label"] or value["key"], "reason": wrong.text}
    return Finding("info", "value-left-out", WHERE, LEFT_OUT, "", args)


def _plain(context: ImportContext, survey: Survey, answer: VariableAnswer) -> dict[str, Any]:
    """An answer as a declaration that nobody has judged yet. What its kind has no use for stays out."""

    def shown(text: str) -> str:
        return replace_marks(text, context.card.name)

    scope, limited = _limited(context, survey, answer)
    value: dict[str, Any] = {
        "key": answer.key,
        "label": shown(answer.label) or answer.key,
        "scope": scope,
        "applies_to": limited,
        "kind": answer.kind,
        "default": _default(answer),
        "description": shown(answer.about),
        "update_rule": shown(answer.update_rule),
    }
    if answer.kind == "number":
        bounds = {"min": answer.min, "max": answer.max}
        value |= {name: _number(bound) for name, bound in bounds.items() if bound is not None}
        value["bands"] = [{"up_to": _number(band.up_to), "label": band.label or "—"} for band in answer.bands]
    elif answer.kind == "choice":
        options = list(dict.fromkeys(shown(option) for option in answer.options if option))
        value |= {"options": options, "default": shown(answer.default) or next(iter(options), "")}
    return value


def _limited(context: ImportContext, survey: Survey, answer: VariableAnswer) -> tuple[str, list[str]]:
    """The scope, and the ids that it is limited to (VAR-5).

    What is limited to one thing that has no document, such as the player, is one value of the world. Other
    names that nobody has stay as they are: the world's own rules drop them, with a note (DRAFT-1).
    """
    if answer.scope not in OWN_KIND:
        return answer.scope, []
    found: dict[str, str | None] = {}
    for name in filter(None, answer.applies_to):
        shown = replace_marks(name, context.card.name)
        entity = survey.entity_by_name(shown, OWN_KIND[answer.scope], player=context.words.player)
        found[shown] = entity.id if entity else None
    if list(found.values()) == [None]:
        return "world", []
    return answer.scope, list(dict.fromkeys(entity or name for name, entity in found.items()))


def _default(answer: VariableAnswer) -> bool | float | str:
    """The first value. Where none is told, a number begins at 0 or at what is nearest to it."""
    if answer.kind == "flag":
        return answer.default.casefold() in TRUE
    if answer.kind != "number":
        return answer.default
    if written := _NUMBER.search(answer.default.replace(",", "")):
        return _number(float(written[0]))
    low = 0.0 if answer.min is None else max(0.0, answer.min)
    return _number(low if answer.max is None else min(low, answer.max))


def _number(value: float) -> float:
    """A whole number without a point."""
    return int(value) if value == int(value) else value
