from __future__ import annotations

from collections.abc import Iterator

import pytest

from lorebooks.regex.worker import Limits, PatternWorker


@pytest.fixture(scope="module")
def worker() -> Iterator[PatternWorker]:
    """One with more time for a scan than a busy machine needs; a match has as little as everywhere."""
    worker = PatternWorker(Limits(scan_seconds=20))
    yield worker
    worker.close()
