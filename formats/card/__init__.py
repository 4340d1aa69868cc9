"""Character cards: bytes in, one V3-shaped card out, whatever program wrote the file."""

from formats.card.errors import CardError
from formats.card.model import Card
from formats.card.picture import Asset, Picture
from formats.card.read import CardRead, CardSource, Ignored, read_card

__all__ = ["Asset", "Card", "CardError", "CardRead", "CardSource", "Ignored", "Picture", "read_card"]
