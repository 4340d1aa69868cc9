"""Lorebooks (world books): read, checked, written, matched and laid out for the loader. Pure."""

from formats.lorebook.diagnostics import LorebookError, Verdict
from formats.lorebook.model import Entry, WorldBook
from formats.lorebook.reader import detect_format, parse, parse_character_book, parse_sillytavern, validate
from formats.lorebook.stable import stable_stringify
from formats.lorebook.writer import export_character_book, export_sillytavern

__all__ = [
    "Entry",
    "LorebookError",
    "Verdict",
    "WorldBook",
    "detect_format",
    "export_character_book",
    "export_sillytavern",
    "parse",
    "parse_character_book",
    "parse_sillytavern",
    "stable_stringify",
    "validate",
]
