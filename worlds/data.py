"""Where the files are: the one place that knows the data folder of this server."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from worlds.store.paths import DataFolder


def data_folder() -> DataFolder:
    """The data folder of this server (`ROLEPLAY_DATA`). Asked each time, so that tests can move it."""
    return DataFolder(Path(settings.ROLEPLAY_DATA))
