"""Presets on the shelves of the four people."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache

from formats.preset.reader import read_file
from portal.models import Person
from presets.actions.library import first_item, shelve
from presets.models import Preset
from presets.pipeline.item_file import Source
from presets.pipeline.state_file import RAW_FILE, raw_bytes, state_bytes
from tests.support.people import People
from tests.support.presets import harbour_preset
from worlds.library.files.item import version_path
from worlds.store.paths import new_item_id

MakePreset = Callable[..., Preset]


@pytest.fixture(autouse=True)
def _nothing_counted() -> None:
    """Tries of sharing are counted for an hour; every test begins a new one."""
    cache.clear()


@pytest.fixture
def make_preset(people: People, data_root: Path) -> MakePreset:
    """Put a preset on somebody's shelf without a child process: `make_preset(value, owner=ana, name="x")`."""

    def make(value: dict[str, Any], owner: Person | None = None, name: str = "Harbour") -> Preset:
        person = owner or people.ana
        package, _reading = read_file(value)
        item = first_item(name, Source(), package, person)
        files = {RAW_FILE: raw_bytes(package), version_path(1): state_bytes(package)}
        return shelve(person, new_item_id(name), item, files)

    return make


@pytest.fixture
def harbour(make_preset: MakePreset) -> Preset:
    """Ana's small English preset."""
    return make_preset(harbour_preset())
