"""Packages come back from disk as they went there, whatever the preset they were read from."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from formats.preset.reader import read_file
from presets.pipeline.state_file import (
    Draft,
    content_hash,
    draft_bytes,
    raw_bytes,
    read_draft,
    read_raw,
    read_state,
    state_bytes,
)
from tests.support.preset_files import presets
from tests.support.presets import harbour_preset, secretive_preset


@pytest.mark.req("PRE-14")
@given(presets())
def test_a_package_is_stored_without_loss(value: dict[str, Any]) -> None:
    package, _reading = read_file(value, id="p", name="n")
    raw = read_raw(raw_bytes(package))
    assert read_state(state_bytes(package), "x", raw, id="p", name="n") == package
    assert read_draft(draft_bytes(Draft(3, package)), raw, id="p", name="n") == Draft(3, package)


def test_the_raw_file_stands_once() -> None:
    package, _reading = read_file({**harbour_preset(), "tide": "out until six"})
    assert b"out until six" in raw_bytes(package)
    assert b"out until six" not in state_bytes(package)


def test_equal_content_is_told_whatever_it_is_called() -> None:
    def hash_of(value: dict[str, Any]) -> str:
        return content_hash(read_file(value)[0])

    same = hash_of(harbour_preset())
    assert hash_of({**harbour_preset(), "name": "Other"}) == same
    assert hash_of(json.loads(json.dumps(secretive_preset()))) == same, "secrets are no content"
    assert hash_of({**harbour_preset(), "temperature": 0.81}) != same
    assert hash_of({**harbour_preset(), "extensions": {"regex_scripts": [{"id": "x"}]}}) != same
