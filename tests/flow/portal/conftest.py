"""Flow tests of the portal start with untried limits."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def fresh_limits() -> Iterator[None]:
    """Counted tries of one test must not lock another one out."""
    cache.clear()
    yield
    cache.clear()
