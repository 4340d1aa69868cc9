"""The names that programs outside rely on (`formats.lorebook`)."""

from __future__ import annotations

import subprocess
import sys

import pytest

import formats.lorebook as lorebook

PROMISED = [
    "detect_format",
    "validate",
    "parse",
    "parse_sillytavern",
    "parse_character_book",
    "export_sillytavern",
    "export_character_book",
    "stable_stringify",
    "match_key",
    "evaluate_entry",
    "rank_entries",
    "compute_candidates",
    "project_for_loader",
    "merge_loader_results",
    "LorebookError",
]


@pytest.mark.parametrize("name", PROMISED)
def test_the_name_is_public(name: str) -> None:
    assert name in lorebook.__all__
    assert callable(getattr(lorebook, name))


@pytest.mark.req("WB-1")
def test_the_package_stands_without_django_and_settings() -> None:
    program = "import sys, formats.lorebook; print({'django', 'net', 'worlds', 'portal'} & {*sys.modules})"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env={})
    assert told.stdout.strip() == "set()"
