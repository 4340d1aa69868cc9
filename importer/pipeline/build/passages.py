"""Passages that a model points at in a piece: found there letter for letter, or refused (RULE-1, RULE-4)."""

from __future__ import annotations

import re
from itertools import islice

from pydantic import Field

from formats.card import Piece
from formats.finding import Finding, fill
from formats.messages import ngettext_noop
from importer.pipeline.build.answers import LINE
from importer.pipeline.build.lore_draft import joined
from importer.pipeline.build.part import Part
from importer.pipeline.context import ImportContext
from importer.pipeline.survey.sources import Survey
from llm.tasks import AnswerModel, Rejected, Task, TaskFailed, together
from worlds.rules.prompts import inert, prompt_files

SUBSTANTIAL = 80
"""Characters from which a piece is asked about."""
NOT_ASKED = ("greeting", "group_greeting", "example", "creator_notes")
MOST_TRIED = 40
"""Places at which the first words of a passage may stand."""
STANDING_LIMIT = 12_000
"""Characters of the standing rules, which the game master carries every turn (RULE-3)."""
NOT_READ = ngettext_noop(
    "{count} passage could not be searched for rules: {titles}.",
    "{count} passages could not be searched for rules: {titles}.",
)
_QUOTES = '"“”„«»「」『』＂'
_APOSTROPHES = "'’‘＇"

Found = list[tuple[str, str]]
"""Passages in order: the piece and the text as it stands there."""


class PassageAnswer(AnswerModel):
    begins: str = Field(max_length=LINE, description="Copied: the whole passage, or its first words.")
    ends: str = Field(max_length=LINE, description="Copied: its last words; empty if begins holds it all.")


class PassagesAnswer(AnswerModel):
    casting: list[PassageAnswer] = Field(max_length=8)
    rules: list[PassageAnswer] = Field(max_length=12)


GENERATOR = Task("generator", PassagesAnswer, 1_500)


def find_passage(text: str, begins: str, ends: str) -> str | None:
    """The passage as it stands in a text; white space and the kind of quotation marks do not count."""
    if not begins.strip():
        return None
    firsts = islice(_words(begins).finditer(text), MOST_TRIED)
    if not ends.strip():
        return next((first[0] for first in firsts), None)
    last = _words(ends)
    found = []
    for first in firsts:
        ended = (end for end in last.finditer(text, first.start()) if end.end() >= first.end())
        if end := next(ended, None):
            found.append(text[first.start() : end.end()])
    return min(found, key=len, default=None)


def _words(copied: str) -> re.Pattern[str]:
    parts = (re.escape(word) for word in copied.split())
    pattern = r"\s+".join(parts)
    pattern = re.sub(f"[{_QUOTES}]", f"[{_QUOTES}]", pattern)
    return re.compile(re.sub(f"[{_APOSTROPHES}]", f"[{_APOSTROPHES}]", pattern))


async def passages(context: ImportContext, survey: Survey) -> tuple[Part, Found]:
    """Ask every substantial piece for its rules and its guidance on making people; gives the latter too.

    Raises:
        DomainError: the model cannot be asked for now.
    """
    pieces = [piece for piece in context.pieces.values() if _is_asked(context, survey, piece)]
    answers = await together(*(_ask(context, piece) for piece in pieces))
    casting: Found = []
    standing: Found = []
    rules: Found = []
    for piece, answer in zip(pieces, answers, strict=True):
        about_people, about_rules = answer or ([], [])
        if "generator" not in survey.roles_of(piece.id):  # kept whole as that already (D36)
            casting += [(piece.id, text) for text in about_people]
        always = piece.entry is not None and piece.entry.constant
        (standing if always else rules).extend((piece.id, text) for text in about_rules)
    part, rest = _standing(context, standing)
    unread = [
        context.title_of(piece) for piece, answer in zip(pieces, answers, strict=True) if answer is None
    ]
    if unread:
        part.notes.append(_not_read(unread))
    order = {piece_id: at for at, piece_id in enumerate(context.pieces)}
    rules = sorted([*rules, *rest], key=lambda found: order[found[0]])
    if casting:
        part.lore.append(joined(context.words.how_people_are_made, casting))
    if rules:
        part.lore.append(joined(context.words.rules_and_mechanics, rules))
    return part, casting


def _is_asked(context: ImportContext, survey: Survey, piece: Piece) -> bool:
    roles = survey.roles_of(piece.id)
    text = context.text_of(piece).strip()
    return piece.field not in NOT_ASKED and len(text) >= SUBSTANTIAL and set(roles) != {"irrelevant"}


def _not_read(titles: list[str]) -> Finding:
    args = {"count": len(titles), "titles": ", ".join(titles)[:400]}
    return Finding("warning", "rules-not-read", "", NOT_READ, args=args)


async def _ask(context: ImportContext, piece: Piece) -> tuple[list[str], list[str]] | None:
    text = context.text_of(piece)

    def check(answer: PassagesAnswer) -> None:
        """Most of an answer must be copied; single passages that are not are left out (RULE-4)."""
        given = [*answer.casting, *answer.rules]
        lost = [one for one in given if find_passage(text, one.begins, one.ends) is None]
        if lost and 2 * len(lost) >= len(given):
            raise Rejected(fill(context.reasons.not_verbatim, {"passage": lost[0].begins[:80]}))

    try:
        answer = await context.ask(
            GENERATOR,
            context.passage(piece),
            title=context.title_of(piece),
            about=piece.id,
            check=check,
            card=context.card.name,
        )
    except TaskFailed:
        return None
    return _each_once(text, answer.casting), _each_once(text, answer.rules)


def _each_once(text: str, answers: list[PassageAnswer]) -> list[str]:
    """The passages in the text's order; one that stands within another is that one."""
    found = [passage for one in answers if (passage := find_passage(text, one.begins, one.ends))]
    kept = [one for one in dict.fromkeys(found) if not any(one != other and one in other for other in found)]
    return sorted(kept, key=text.find)


def _standing(context: ImportContext, rules: Found) -> tuple[Part, Found]:
    """The prompt of standing rules, whole passages only, and what did not fit."""
    part, held, rest = Part(), list[str](), Found()
    quotes: dict[str, list[str]] = {}
    room = STANDING_LIMIT
    for piece, text in rules:
        room_after = room - len(inert(text)) - len("\n\n")
        if room_after < 0:
            rest.append((piece, text))
            continue
        room = room_after
        held.append(text)
        quotes.setdefault(piece, []).append(text)
    if held:
        part.prompts.update(prompt_files("standing", "\n\n".join(held)))
        for piece, texts in quotes.items():
            files = sorted(part.prompts)
            part.credit([context.pieces[piece]], "guidance", files, quotes=dict.fromkeys(files, texts))
    return part, rest
