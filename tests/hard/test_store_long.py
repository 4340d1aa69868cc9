"""A thousand random lives of the store, against the model of the unit tests."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.support.store_machine import StoreMachine

pytestmark = [pytest.mark.hard, pytest.mark.timeout(3600)]


@pytest.mark.req("WORLD-1")
def test_a_thousand_random_lives_lose_no_acknowledged_byte() -> None:
    long = settings(
        max_examples=1000, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
    )
    run_state_machine_as_test(StoreMachine, settings=long)
