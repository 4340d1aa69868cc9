"""Pieces that the decision service settles without a language model (SURV-9)."""

from __future__ import annotations

from formats.card import Piece
from formats.errors import DomainError
from importer.pipeline.context import ImportContext
from importer.pipeline.survey.records import PieceClass, Role

QUESTIONS: tuple[tuple[str, Role], ...] = (("instruction", "instruction"), ("note", "irrelevant"))
"""Prompt texts `import/decide-<name>`, each with what a yes makes of the piece."""
STORY = "import/decide-story"


async def decided(context: ImportContext, piece: Piece) -> tuple[PieceClass | None, str]:
    """The class of a piece that is only an instruction to the AI or a note to the reader; else None and why.

    A yes alone never drops a piece: it must also be sure that nothing of the story is told in it. A failure
    of the service stops nothing; the language model is asked then.
    """
    text = context.passage(piece)
    sure = context.limits.confidence
    assert context.deciding is not None
    try:
        for name, role in QUESTIONS:
            asked = context.prompts.text(f"import/decide-{name}", context.language)
            answer = await context.deciding.decide(asked, text)
            if answer is None or not answer.yes or answer.confidence < sure:
                continue
            story = await context.deciding.decide(context.prompts.text(STORY, context.language), text)
            if story is not None and not story.yes and story.confidence >= sure:
                confidence = min(answer.confidence, story.confidence)
                settled = PieceClass(id=piece.id, roles=[role], by="decision", confidence=confidence)
                return settled, ""
    except DomainError:
        return None, "decision-failed"
    return None, "decision-unsure"
