"""Pieces that mention the tools by which cards track values: these always reach the values' step (SURV-7)."""

from __future__ import annotations

import re

from formats.card import Piece

_MARKS = re.compile(r"stat_data|\[mvu_|<UpdateVariable\b|json[ _-]?patch", re.IGNORECASE)


def reaches_variables(piece: Piece) -> bool:
    """Whether a piece mentions `stat_data`, `[mvu_`, `<UpdateVariable>` or JSON Patch, in text or title."""
    return bool(_MARKS.search(piece.text) or _MARKS.search(piece.title))
