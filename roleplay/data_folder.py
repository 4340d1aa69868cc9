"""The data folder and the database file in it, made so that nobody else on the machine can read them."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from roleplay.config import ConfigError


def prepare_data_folder(data: Path, database: Path | None = None) -> None:
    """Make the data folder (0700), its place for uploads, and an empty database file (0600).

    What is there already keeps its rights: whoever set them had a reason. SQLite gives its further files the
    rights of the first.

    Args:
        data: the folder.
        database: the file of SQLite; None with another database.

    Raises:
        ConfigError: a sentence with the reason; nothing that was there is changed.
    """
    try:
        make_private_folder(data)
        make_private_folder(uploads_in(data))
        if database is not None:
            with suppress(FileExistsError):
                os.close(os.open(database, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise ConfigError(
            f"The data folder {data} cannot be made or written ({error.strerror}). "
            "Nothing was changed. Make it writable for this user, or set ROLEPLAY_DATA."
        ) from error


def uploads_in(data: Path) -> Path:
    """Where the parts of uploads are put while they arrive."""
    return data / ".uploads"


def make_private_folder(folder: Path) -> None:
    """Make a folder that is for the server's user only, if it is not there. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
