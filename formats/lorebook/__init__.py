"""Lorebooks (world books): read, checked, written, matched and laid out for the loader. Pure."""

from formats.lorebook.diagnostics import LorebookError, Verdict
from formats.lorebook.download import Download, download_character_book, download_sillytavern
from formats.lorebook.intake import BookRead, read_book, read_book_value
from formats.lorebook.model import Entry, WorldBook
from formats.lorebook.policy import compute_candidates, evaluate_entry, match_key, rank_entries
from formats.lorebook.projection import merge_loader_results, project_for_loader
from formats.lorebook.reader import detect_format, parse, parse_character_book, parse_sillytavern, validate
from formats.lorebook.rescue import grouped
from formats.lorebook.stable import stable_stringify
from formats.lorebook.table import book_table
from formats.lorebook.writer import export_character_book, export_sillytavern

__all__ = [
    "BookRead",
    "Download",
    "Entry",
    "LorebookError",
    "Verdict",
    "WorldBook",
    "book_table",
    "compute_candidates",
    "detect_format",
    "download_character_book",
    "download_sillytavern",
    "evaluate_entry",
    "export_character_book",
    "export_sillytavern",
    "grouped",
    "match_key",
    "merge_loader_results",
    "parse",
    "parse_character_book",
    "parse_sillytavern",
    "project_for_loader",
    "rank_entries",
    "read_book",
    "read_book_value",
    "stable_stringify",
    "validate",
]
