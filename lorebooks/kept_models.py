"""Models of books that were read lately, kept by this process: reading 10,000 entries takes a while.

A model is never changed, so every thread may use the same one; what is computed from it (its index of keys)
is kept with it. What was used least recently goes, until the files of those that stay are small enough.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final

from formats.lorebook.model import WorldBook
from lorebooks.models import Lorebook
from lorebooks.pipeline.book_file import BOOK_FILE
from lorebooks.pipeline.books import model_of
from lorebooks.shelves import folder_of

MOST_BYTES: Final = 64 * 1024 * 1024
"""Of book files. A model takes a few times as much memory as its file; a small server has room for that."""

_Key = tuple[str, str, str]
_kept: OrderedDict[_Key, tuple[int, WorldBook]] = OrderedDict()
_guard = threading.Lock()


def book_model(lorebook: Lorebook) -> WorldBook:
    """The model of a book as its row describes it; the row must be in step (`queries.in_step`).

    Raises:
        DomainError: `not-found`, the folder is gone; `invalid`, a hand has spoilt the file.
    """
    key = (lorebook.pk, lorebook.book_etag, lorebook.name)
    with _guard:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key][1]
    data = folder_of(lorebook).read(BOOK_FILE)
    model = model_of(data, lorebook.name)
    with _guard:
        _forget_earlier(lorebook.pk)
        _kept[key] = (len(data), model)
        while len(_kept) > 1 and sum(size for size, _model in _kept.values()) > MOST_BYTES:
            _kept.popitem(last=False)
    return model


def forget_models() -> None:
    """Forget everything; for tests."""
    with _guard:
        _kept.clear()


def _forget_earlier(lorebook_id: str) -> None:
    """A book that was changed is read again; its former model is of no more use."""
    for key in [key for key in _kept if key[0] == lorebook_id]:
        del _kept[key]
