"""Reports of users of other programs: each a case of its own under the name of its report."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

Check = Callable[[], None]


class Reports:
    """A table of reports, each with the check that has the right outcome."""

    def __init__(self) -> None:
        self._checks: list[tuple[str, Check]] = []

    def add(self, *names: str) -> Callable[[Check], Check]:
        """The check of one report, or of several with one outcome."""

        def keep(check: Check) -> Check:
            self._checks += [(name, check) for name in names]
            return check

        return keep

    @property
    def cases(self) -> list[Any]:
        """The table for `parametrize`."""
        return [pytest.param(check, id=name) for name, check in self._checks]


def missing(wanted: str, cases: Iterable[Any]) -> list[str]:
    """The reports of a list, one a line, that no case is named after."""
    named = [str(case.id) for case in cases]
    return [
        report
        for report in map(str.strip, wanted.strip().splitlines())
        if not any(name == report or name.startswith(f"{report}:") for name in named)
    ]
