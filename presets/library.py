"""The library of presets: what every library does, with the rows of this one."""

from __future__ import annotations

from typing import Final

from presets.access import ACCESS
from presets.index import index_preset
from worlds.library.whole import Library

LIBRARY: Final = Library(ACCESS, index_preset)
