"""What every test shares: people, a data folder of its own, no way out to the network."""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
import pytest
from pytest_django import Settings

from tests.support.hosts import pytest_configure as pytest_configure  # tests stay on this machine
from tests.support.people import People, make_people

# A busy machine is not a wrong answer; in CI the same examples every time.
hypothesis.settings.register_profile("house", deadline=None, derandomize=bool(os.environ.get("CI")))
hypothesis.settings.load_profile("house")


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
