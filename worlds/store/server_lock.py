"""One server on one data folder (D4; rule 7 of the file store)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from formats.errors import DomainError
from formats.messages import gettext_noop
from worlds.store.locks import held
from worlds.store.paths import DataFolder


@contextmanager
def take_server_lock(data: DataFolder, by: str = "server") -> Iterator[None]:
    """Hold `.server.lock` for the length of the block: taken by the server that runs jobs itself.

    Raises:
        DomainError: `busy`, at once, when another server holds it; `unavailable` when the data folder cannot
            be written.
    """
    try:
        with held(data.server_lock, timeout=0, by=by):
            yield
    except DomainError as error:
        if error.kind == "busy" and error.where == data.server_lock.stem:
            raise _second_server(data) from error
        raise


def _second_server(data: DataFolder) -> DomainError:
    return DomainError(
        "busy",
        "second-server",
        message=gettext_noop(
            "Another server is running on the data folder {folder}. This one was not started."
        ),
        hint=gettext_noop("Stop the other server, or give this one a data folder of its own."),
        args={"folder": str(data.root)},
    )
