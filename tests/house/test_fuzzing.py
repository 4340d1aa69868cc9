"""The long fuzz would find something if there were something: a code with three planted faults."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import fuzzing
from tests.support.fuzz_targets import FILES, TARGETS, VALUES, Target
from tests.support.fuzzing import finds, on_alarm
from tests.support.mutations import Mutator


def damaged(seed: int) -> Iterator[bytes]:
    mutator = Mutator(seed)
    while True:
        yield mutator.changed_bytes(b"a fog bell rings over the harbour" * 20)


def faulty(data: bytes) -> None:
    if b"\0" in data:
        raise ValueError("no NUL, please")
    if b"{{" in data:
        while True:
            pass
    assert b"\xff" not in data


def test_planted_faults_are_found_and_made_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzzing, "EACH_SECONDS", 1)
    former = signal.signal(signal.SIGALRM, on_alarm)
    try:
        *found, last = finds(Target(damaged, faulty), 1, 4.0, tmp_path)
    finally:
        signal.signal(signal.SIGALRM, former)
    signs = {find["sign"].split(" ")[0]: find for find in found}
    assert set(signs) == {"ValueError", "TooLong", "AssertionError"}
    assert Path(signs["ValueError"]["input"]).read_bytes() == b"\0"
    assert signs["AssertionError"]["size"] == 1
    assert last["inputs"] > 10


def test_damage_is_the_same_for_one_seed_and_leaves_the_sample_as_it_is() -> None:
    before = json.dumps(VALUES)
    for seed in range(200):
        first, second = Mutator(seed, FILES), Mutator(seed, FILES)
        assert first.changed_bytes(FILES[seed % len(FILES)]) == second.changed_bytes(FILES[seed % len(FILES)])
        assert first.changed_json(VALUES[seed % len(VALUES)]) == second.changed_json(
            VALUES[seed % len(VALUES)]
        )
    assert json.dumps(VALUES) == before


@pytest.mark.parametrize("name", ["card", "world", "lorebook", "preset"])
def test_a_few_inputs_of_each_target(name: str) -> None:
    target = TARGETS[name]
    inputs = [data for data, _ in zip(target.inputs(7), range(20), strict=False)]
    assert len(set(inputs)) > 15
    for data in inputs:
        target.try_one(data)
