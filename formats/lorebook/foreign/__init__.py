"""Lorebooks of other programs. A new shape is one file here, and its object in this list."""

from formats.lorebook.foreign import (
    agnai,
    byaf,
    chub,
    lorebook_v3,
    novelai,
    risu,
    sillytavern,
)
from formats.lorebook.foreign_shape import ForeignShape

FOREIGN_SHAPES: tuple[ForeignShape, ...] = (
    lorebook_v3.SHAPE,
    novelai.SHAPE,
    agnai.SHAPE,
    risu.SHAPE,
    byaf.SHAPE,
    chub.SHAPE,
    sillytavern.SHAPE,
)
"""In this order: marks of their own first, the two that are told by a map of entries last (D16)."""

__all__ = ["FOREIGN_SHAPES", "ForeignShape"]
