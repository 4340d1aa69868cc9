"""The smallest fixes for what keeps a story from starting, as values a page can offer and apply."""

from worlds.rules.fixes.apply import apply_fix
from worlds.rules.fixes.offers import find_fix, smallest_fixes
from worlds.rules.fixes.shape import Choice, Fix, FixInput

__all__ = ["Choice", "Fix", "FixInput", "apply_fix", "find_fix", "smallest_fixes"]
