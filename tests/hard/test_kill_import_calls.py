"""An import killed at every single call of the store (reliability part 6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.import_kills import kill_everywhere

pytestmark = pytest.mark.hard


@pytest.mark.req("RUN-3", "RUN-11", "DRAFT-6")
@pytest.mark.timeout(1200)
def test_an_import_killed_at_every_call_goes_on_to_the_same_world(tmp_path: Path) -> None:
    assert kill_everywhere(tmp_path, every=1) > 80
