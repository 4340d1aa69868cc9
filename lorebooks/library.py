"""The library of lorebooks: what every library does, with the rows of this one."""

from __future__ import annotations

from typing import Final

from lorebooks.access import ACCESS
from lorebooks.index import index_lorebook
from worlds.library.whole import Library

LIBRARY: Final = Library(ACCESS, index_lorebook)
