"""Which handler runs which kind of job."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypeVar

from django.utils.module_loading import autodiscover_modules

from portal.jobs.run import JobRun

Handler: TypeAlias = Callable[[JobRun], Awaitable[None]]
_H = TypeVar("_H", bound=Handler)
_handlers: dict[str, Handler] = {}


def job(kind: str) -> Callable[[_H], _H]:
    """Register the decorated coroutine function as the handler of `kind`.

    Raises:
        ValueError: another function already handles this kind.
    """

    def register(handler: _H) -> _H:
        known = _handlers.get(kind)
        if known is not None and (known.__module__, known.__qualname__) != (
            handler.__module__,
            handler.__qualname__,
        ):
            raise ValueError(f"two handlers for jobs of kind {kind!r}")
        _handlers[kind] = handler
        return handler

    return register


def handler_of(kind: str) -> Handler:
    """The handler of a kind; the `jobs` module of every app is imported when the kind is not known yet.

    Raises:
        LookupError: no room handles this kind.
    """
    if kind not in _handlers:
        autodiscover_modules("jobs")
    try:
        return _handlers[kind]
    except KeyError:
        raise LookupError(f"nobody handles jobs of kind {kind!r}") from None
