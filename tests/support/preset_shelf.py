"""Presets put on somebody's shelf at once, without the child process that reads uploads."""

from __future__ import annotations

from typing import Any

from formats.preset.reader import read_file
from portal.models import Person
from presets.actions.library import first_item, shelve
from presets.models import Preset
from presets.pipeline.item_file import Source
from presets.pipeline.state_file import RAW_FILE, raw_bytes, state_bytes
from worlds.library.files.item import version_path
from worlds.store.paths import new_item_id


def shelved_preset(owner: Person, value: dict[str, Any], name: str = "Harbour") -> Preset:
    """A preset of `owner` with one version, made of a file's value."""
    package, _reading = read_file(value)
    item = first_item(name, Source(), package, owner)
    files = {RAW_FILE: raw_bytes(package), version_path(1): state_bytes(package)}
    return shelve(owner, new_item_id(name), item, files)
