"""Lorebooks on the shelves of the four people."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache

from lorebooks.actions.library import shelve
from lorebooks.kept_models import forget_models
from lorebooks.models import Lorebook
from lorebooks.pipeline.book_file import BOOK_FILE, write_book
from lorebooks.pipeline.item_file import Item
from portal.models import Person
from tests.support.lorebooks import fog_book
from tests.support.people import People

MakeBook = Callable[..., Lorebook]


@pytest.fixture(autouse=True)
def _nothing_counted() -> None:
    """Tries of sharing are counted for an hour; every test begins a new one."""
    cache.clear()


@pytest.fixture
def make_book(people: People, data_root: Path) -> MakeBook:
    """Put a book in SillyTavern form on somebody's shelf: `make_book(value, owner=ana, name="x")`."""
    forget_models()

    def make(value: dict[str, Any], owner: Person | None = None, name: str = "") -> Lorebook:
        item = Item(name=name or str(value.get("name", "book")), language="en")
        return shelve(owner or people.ana, item, {BOOK_FILE: write_book(value)})

    return make


@pytest.fixture
def fog(make_book: MakeBook) -> Lorebook:
    """Ana's small English book."""
    return make_book(fog_book())
