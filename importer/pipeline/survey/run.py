"""`import_survey`: what each piece is, and who and what there is (SURV-1 to SURV-9)."""

from __future__ import annotations

from importer.pipeline.context import ImportContext
from importer.pipeline.survey.classify import classify
from importer.pipeline.survey.roster import merged_roster
from importer.pipeline.survey.sources import Survey


async def survey(context: ImportContext) -> Survey:
    """Read the whole card, piece by piece.

    Raises:
        DomainError: the model cannot be asked for now; answers that came are kept.
    """
    classification = await classify(context)
    return Survey(classification, await merged_roster(context, classification))
