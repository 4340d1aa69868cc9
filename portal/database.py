"""Database work from asynchronous code."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import connections

_P = ParamSpec("_P")
_T = TypeVar("_T")


async def in_database(work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """Run short synchronous work that uses the database, in the thread of the present context.

    Connections that are broken or too old are closed before and after, as around a request. One with an open
    transaction belongs to whoever began it (`run_here` works in its caller's) and is left alone.
    """
    return await sync_to_async(_between_closings)(functools.partial(work, *args, **kwargs))


def _between_closings(work: Callable[[], _T]) -> _T:
    _close_old()
    try:
        return work()
    finally:
        _close_old()


def _close_old() -> None:
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()
