"""Presets on the shelves of the four people."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache

from portal.models import Person
from presets.models import Preset
from tests.support.people import People
from tests.support.preset_shelf import shelved_preset
from tests.support.presets import harbour_preset

MakePreset = Callable[..., Preset]


@pytest.fixture(autouse=True)
def _nothing_counted() -> None:
    """Tries of sharing are counted for an hour; every test begins a new one."""
    cache.clear()


@pytest.fixture
def make_preset(people: People, data_root: Path) -> MakePreset:
    """Put a preset on somebody's shelf without a child process: `make_preset(value, owner=ana, name="x")`."""

    def make(value: dict[str, Any], owner: Person | None = None, name: str = "Harbour") -> Preset:
        return shelved_preset(owner or people.ana, value, name)

    return make


@pytest.fixture
def harbour(make_preset: MakePreset) -> Preset:
    """Ana's small English preset."""
    return make_preset(harbour_preset())
