"""`{{macros}}`: where they stand in a text, what they are given, and the text with those we know expanded."""

from formats.text.macros.context import MacroBudget, MacroContext
from formats.text.macros.expansion import Expanded, expand
from formats.text.macros.scan import (
    CHARACTER_NAMES,
    COMMENTS,
    PLAYER_NAMES,
    Macro,
    find_macros,
    macro_names,
)
from formats.text.macros.table import (
    CHANCE_NAMES,
    COMMENT,
    EXPANDED_NAMES,
    READING_NAMES,
    WRITING_NAMES,
    Outcome,
)
from formats.text.macros.uses import MacroUse, macros_in
from formats.text.macros.values import SENTENCES as MACRO_SENTENCES

__all__ = [
    "CHANCE_NAMES",
    "CHARACTER_NAMES",
    "COMMENT",
    "COMMENTS",
    "EXPANDED_NAMES",
    "MACRO_SENTENCES",
    "PLAYER_NAMES",
    "READING_NAMES",
    "WRITING_NAMES",
    "Expanded",
    "Macro",
    "MacroBudget",
    "MacroContext",
    "MacroUse",
    "Outcome",
    "expand",
    "find_macros",
    "macro_names",
    "macros_in",
]
