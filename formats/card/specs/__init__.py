"""Shapes of card JSON. A new one is one file here, and its object in this list."""

from formats.card.spec import Raw, Spec
from formats.card.specs import agnai, backyard, pygmalion, v1, v2, v3

SPECS: tuple[Spec, ...] = (v3.SPEC, v2.SPEC, backyard.SPEC, agnai.SPEC, pygmalion.SPEC, v1.SPEC)
"""The first that recognises the object is used: marks of their own before the flat shape."""

__all__ = ["SPECS", "Raw", "Spec"]
