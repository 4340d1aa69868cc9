"""The index of a card: one line a piece, so that each is judged with the whole in sight (SURV-5)."""

from __future__ import annotations

from importer.pipeline.context import ImportContext

INDEX_LIMIT = 6_000
"""Characters. One index serves all questions of a card, so that services can cache it."""
LONGEST_LINE = 100
SHORTEST_LINE = 24


def index_of(context: ImportContext) -> str:
    """Every piece by id and title with how it begins; of very long cards evenly spread ones."""
    pieces = list(context.pieces.values())
    most = INDEX_LIMIT // SHORTEST_LINE
    shown = pieces if len(pieces) <= most else [pieces[at * len(pieces) // most] for at in range(most)]
    length = max(SHORTEST_LINE, min(LONGEST_LINE, INDEX_LIMIT // max(1, len(shown))))
    lines = []
    for piece in shown:
        title = context.title_of(piece)
        named = "" if title == piece.id else f" {title}"
        begins = " ".join(context.text_of(piece)[:LONGEST_LINE].split())
        lines.append(f"{piece.id}{named}: {begins}"[:length].rstrip())
    return "\n".join(lines)
