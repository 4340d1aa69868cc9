"""`manage.py inspect_lorebook`: what is in a file and what a text wakes, for people and for machines."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from lorebooks import actions
from tests.support.cards import png_card, v3
from tests.support.lorebooks import as_file, fog_book, harbour_book
from worlds.library.waiting import staging


@pytest.fixture(autouse=True)
def _root(data_root: Path) -> None:
    """Every look goes through the staging of a data folder of its own."""


def run(path: Path, *more: str) -> str:
    out = io.StringIO()
    call_command("inspect_lorebook", str(path), *more, stdout=out)
    assert staging().ids() == [], "nothing is kept"
    return out.getvalue()


def as_json(path: Path, *more: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(run(path, "--json", *more))
    return told


def test_a_book_in_lines_and_as_json(tmp_path: Path) -> None:
    path = tmp_path / "fog.json"
    path.write_bytes(as_file(fog_book()))
    assert run(path).startswith("Fog lore (sillytavern-world-info)\n4 entries: 1 off, 1 always on")
    told = as_json(path)
    assert (told["entries"], told["off"], told["positions"]) == (4, 1, {"before_character_definition": 4})


@pytest.mark.req("WB-6")
def test_a_text_is_explained_entry_by_entry(tmp_path: Path) -> None:
    path = tmp_path / "fog.json"
    path.write_bytes(as_file(fog_book()))
    told = as_json(path, "--text", "Mist; a Lamplight in the harbour.")
    outcomes = {verdict["title"]: verdict["outcome"] for verdict in told["verdicts"]}
    assert outcomes == {"Fog": "in", "The town": "in", "Lamps": "in", "Harbour": "out"}
    assert [hit["offset"] for verdict in told["verdicts"] for hit in verdict["hits"]] == [0, 8]
    assert {one["key"] for one in told["candidates"]["accepted"]} == {"0@0", "1@1", "2@2"}
    assert "out: 3 'Harbour':" in run(path, "--text", "harbour")


def test_the_book_of_a_card(tmp_path: Path) -> None:
    path = tmp_path / "lin.png"
    path.write_bytes(png_card(v3(name="Lin", character_book=harbour_book())))
    told = as_json(path)
    assert (told["fromCard"], told["name"], told["entries"]) == ("Lin", "雾港志", 2)


def test_what_is_no_book_ends_with_its_code(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b'{"temperature": 1, "prompts": [], "prompt_order": []}')
    out = io.StringIO()
    with pytest.raises(SystemExit) as caught:
        call_command("inspect_lorebook", str(path), "--json", stdout=out)
    assert caught.value.code == 1
    told = json.loads(out.getvalue())
    assert (told["verdict"], told["error"]["code"]) == ("other", "other-file")
    with pytest.raises(SystemExit) as caught:
        call_command("inspect_lorebook", str(tmp_path / "none"), stderr=io.StringIO())
    assert caught.value.code == 2
    path.write_bytes(b" " * (actions.MOST_BYTES + 1))
    with pytest.raises(SystemExit) as caught:
        call_command("inspect_lorebook", str(path), stderr=io.StringIO())
    assert caught.value.code == 2
