"""Random lives of the store (the long run is in `tests/hard`)."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.support.store_machine import StoreMachine


@pytest.mark.req("WORLD-1")
def test_random_lives_lose_no_acknowledged_byte() -> None:
    short = settings(
        max_examples=50, stateful_step_count=15, deadline=None, suppress_health_check=list(HealthCheck)
    )
    run_state_machine_as_test(StoreMachine, settings=short)
