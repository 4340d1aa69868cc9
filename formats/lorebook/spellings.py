"""The two spellings of lorebook entries, and the types their fields should have.

Source: lorebook facts 1.2 and 1.3 (SillyTavern's own file against the V2/V3 character book), and the odd
spellings counted in real files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Kind = Literal["text", "bool", "number", "keys", "object", "logic", "role"]

ENTRY_SPELLINGS: Mapping[str, str] = {
    "key": "keys",
    "keywords": "keys",
    "keysecondary": "secondary_keys",
    "secondaryKeys": "secondary_keys",
    "secondkey": "secondary_keys",
    "order": "insertion_order",
    "insertionOrder": "insertion_order",
    "insertorder": "insertion_order",
    "insertOrder": "insertion_order",
    "useRegex": "use_regex",
    "alwaysActive": "constant",
    "uid": "id",
    "extentions": "extensions",
}
"""Other spellings of the entry's own fields."""

OFF_SPELLINGS = ("disable", "disabled")
"""Spellings of `enabled` that say the opposite."""

EXTENSION_SPELLINGS: Mapping[str, str] = {
    "selectiveLogic": "selectiveLogic",
    "useProbability": "useProbability",
    "probability": "probability",
    "depth": "depth",
    "role": "role",
    "vectorized": "vectorized",
    "group": "group",
    "sticky": "sticky",
    "cooldown": "cooldown",
    "delay": "delay",
    "triggers": "triggers",
    "ignoreBudget": "ignore_budget",
    "excludeRecursion": "exclude_recursion",
    "preventRecursion": "prevent_recursion",
    "delayUntilRecursion": "delay_until_recursion",
    "outletName": "outlet_name",
    "groupOverride": "group_override",
    "groupWeight": "group_weight",
    "scanDepth": "scan_depth",
    "caseSensitive": "case_sensitive",
    "matchWholeWords": "match_whole_words",
    "useGroupScoring": "use_group_scoring",
    "automationId": "automation_id",
    "displayIndex": "display_index",
    "matchPersonaDescription": "match_persona_description",
    "matchCharacterDescription": "match_character_description",
    "matchCharacterPersonality": "match_character_personality",
    "matchCharacterDepthPrompt": "match_character_depth_prompt",
    "matchScenario": "match_scenario",
    "matchCreatorNotes": "match_creator_notes",
}
"""SillyTavern's top-level names of what a character book keeps under `extensions`."""

SNAKE_SPELLINGS = frozenset(snake for camel, snake in EXTENSION_SPELLINGS.items() if snake != camel)
CAMEL_SPELLINGS = frozenset(camel for camel, snake in EXTENSION_SPELLINGS.items() if snake != camel)
"""Spellings of which there are two: some programs write either in either place, and all four are read."""

ENTRY_KINDS: Mapping[str, Kind] = {
    "keys": "keys",
    "secondary_keys": "keys",
    "content": "text",
    "name": "text",
    "comment": "text",
    "enabled": "bool",
    "constant": "bool",
    "selective": "bool",
    "case_sensitive": "bool",
    "use_regex": "bool",
    "insertion_order": "number",
    "priority": "number",
    "extensions": "object",
}

EXTENSION_KINDS: Mapping[str, Kind] = {
    "selectiveLogic": "logic",
    "role": "role",
    "probability": "number",
    "depth": "number",
    "group_weight": "number",
    "scan_depth": "number",
    "sticky": "number",
    "cooldown": "number",
    "delay": "number",
    "display_index": "number",
    "useProbability": "bool",
    "vectorized": "bool",
    "ignore_budget": "bool",
    "exclude_recursion": "bool",
    "prevent_recursion": "bool",
    "group_override": "bool",
    "case_sensitive": "bool",
    "match_whole_words": "bool",
    "use_group_scoring": "bool",
    "group": "text",
    "outlet_name": "text",
    "automation_id": "text",
}
"""Fields of an entry's `extensions` whose type we know; every other one is kept as it is."""

BOOK_SPELLINGS: Mapping[str, str] = {
    "scanDepth": "scan_depth",
    "tokenBudget": "token_budget",
    "recursiveScanning": "recursive_scanning",
    "extentions": "extensions",
}

BOOK_KINDS: Mapping[str, Kind] = {
    "name": "text",
    "description": "text",
    "scan_depth": "number",
    "token_budget": "number",
    "recursive_scanning": "bool",
    "extensions": "object",
}

LOGIC_WORDS = {"AND_ANY": 0, "NOT_ALL": 1, "NOT_ANY": 2, "AND_ALL": 3}
ROLE_WORDS = {"SYSTEM": 0, "USER": 1, "ASSISTANT": 2}
POSITION_WORDS: Mapping[str, int] = {
    "before_char": 0,
    "before": 0,
    "before_character": 0,
    "after_char": 1,
    "after": 1,
    "after_character": 1,
    "at_depth": 4,
    "outlet": 7,
}
POSITIONS = range(8)
"""0 before, 1 after the character, 2 and 3 around the author's note, 4 at depth, 5 and 6 around the examples,
7 outlet."""
