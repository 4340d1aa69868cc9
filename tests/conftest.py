"""What every test shares: people, a data folder of its own, no way out to the network."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from tests.support.hosts import pytest_configure as pytest_configure  # tests stay on this machine
from tests.support.people import People, make_people


@pytest.fixture
def people(db: None) -> People:
    """Ana owns, Ben is shared with, Cyd is a stranger, Hal is the host."""
    return make_people()


@pytest.fixture
def data_root(tmp_path: Path, settings: Settings) -> Path:
    """A data folder for this test alone; `settings.ROLEPLAY_DATA` points to it."""
    root = tmp_path / "data"
    root.mkdir()
    settings.ROLEPLAY_DATA = root
    return root
