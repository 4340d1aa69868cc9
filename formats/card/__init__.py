"""Character cards: bytes in, one V3-shaped card out, whatever program wrote the file."""

from formats.card.choice import Choices, check_choices, chosen, default_choices
from formats.card.dialect import Dialect, dialect_of
from formats.card.diff import CardDiff, diff_cards
from formats.card.errors import CardError
from formats.card.export import Exported, export_json, export_png, put_back_book
from formats.card.model import Card
from formats.card.picture import Asset, Picture
from formats.card.pieces import Piece, pieces_of
from formats.card.read import CardRead, CardSource, Ignored, read_card
from formats.card.several import cards_in

__all__ = [
    "Asset",
    "Card",
    "CardDiff",
    "CardError",
    "CardRead",
    "CardSource",
    "Choices",
    "Dialect",
    "Exported",
    "Ignored",
    "Picture",
    "Piece",
    "cards_in",
    "check_choices",
    "chosen",
    "default_choices",
    "dialect_of",
    "diff_cards",
    "export_json",
    "export_png",
    "pieces_of",
    "put_back_book",
    "read_card",
]
