"""Character cards: bytes in, one V3-shaped card out, whatever program wrote the file."""

from formats.card.choice import Choices, check_choices, chosen, default_choices
from formats.card.errors import CardError
from formats.card.model import Card
from formats.card.picture import Asset, Picture
from formats.card.pieces import Piece, pieces_of
from formats.card.read import CardRead, CardSource, Ignored, read_card

__all__ = [
    "Asset",
    "Card",
    "CardError",
    "CardRead",
    "CardSource",
    "Choices",
    "Ignored",
    "Picture",
    "Piece",
    "check_choices",
    "chosen",
    "default_choices",
    "pieces_of",
    "read_card",
]
