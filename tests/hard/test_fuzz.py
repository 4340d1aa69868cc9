"""Long fuzzing: damaged cards and worlds for minutes, in a child process with limits.

`FUZZ_SECONDS` (default 120) is the time for each target, `FUZZ_SEED` (default 1) where the damage begins.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.fuzz_targets import TARGETS

SECONDS = float(os.environ.get("FUZZ_SECONDS", "120"))
SEED = os.environ.get("FUZZ_SEED", "1")
TOP = Path(__file__).parents[2]


@pytest.mark.hard
@pytest.mark.req("CARD-1")
@pytest.mark.timeout(SECONDS * 2 + 300)
@pytest.mark.parametrize("target", TARGETS)
def test_damaged_input_never_breaks_the_code(target: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.support.fuzzing", target, SEED, str(SECONDS), str(tmp_path)]
    child = subprocess.run(
        command, cwd=TOP, capture_output=True, text=True, timeout=SECONDS * 2 + 240, check=False
    )
    assert child.returncode == 0, f"the child died over {tmp_path}/at-work: {child.stderr[-2000:]}"
    told = [json.loads(line) for line in child.stdout.splitlines()]
    found = [f"{find['sign']}\n{find['begins']}\n{find['trace']}" for find in told[:-1]]
    assert not found, "\n\n".join(found)
    assert told[-1]["inputs"] > SECONDS, "fewer than one input a second: the fuzz no longer says anything"
