"""The kinds of item that have a library, each with what its uploads take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest
from django.core.cache import cache

from lorebooks import actions as lorebook_actions
from lorebooks import queries as lorebook_queries
from lorebooks.actions import uploads as lorebook_uploads
from lorebooks.models import Lorebook
from portal.models import Person
from presets import actions as preset_actions
from presets import queries as preset_queries
from presets.actions import uploads as preset_uploads
from presets.models import Preset
from tests.support import lorebooks, presets
from worlds.library.models import LibraryItem


@dataclass(frozen=True, slots=True)
class Kind:
    """One library: its actions and queries, and two small files, of which `other` has one letter more."""

    model: type[LibraryItem]
    actions: ModuleType
    queries: ModuleType
    uploads: ModuleType
    sample: bytes
    other: bytes

    def upload(self, actor: Person, data: bytes = b"", filename: str = "fog.json") -> Any:
        """An upload of a file; of the sample where none is named."""
        act: Callable[..., Any] = getattr(self.actions, f"upload_{self.model.kind}")
        return act(actor=actor, data=data or self.sample, filename=filename)

    def item(self, upload: Any) -> Any:
        """What became of an upload; None while it waits."""
        return getattr(upload, self.model.kind)

    def taken(self, actor: Person, data: bytes = b"") -> LibraryItem:
        """A file that is in the library at once."""
        item = self.item(self.upload(actor, data))
        assert isinstance(item, self.model)
        return item

    def waiting(self, actor: Person) -> Any:
        """A file that waits, because the same item is there."""
        self.taken(actor)
        upload = self.upload(actor, filename="again.json")
        assert self.item(upload) is None
        return upload


def _changed(value: dict[str, Any], *way: Any) -> dict[str, Any]:
    part: Any = value
    for step in way:
        part = part[step]
    part["content"] += "!"
    return value


KINDS = {
    "lorebook": Kind(
        Lorebook,
        lorebook_actions,
        lorebook_queries,
        lorebook_uploads,
        lorebooks.as_file({**lorebooks.fog_book(), "name": ""}),
        lorebooks.as_file({**_changed(lorebooks.fog_book(), "entries", "0"), "name": ""}),
    ),
    "preset": Kind(
        Preset,
        preset_actions,
        preset_queries,
        preset_uploads,
        presets.as_file(presets.harbour_preset()),
        presets.as_file(_changed(presets.harbour_preset(), "prompts", 0)),
    ),
}


@pytest.fixture(params=sorted(KINDS))
def kind(request: pytest.FixtureRequest) -> Kind:
    """Each library in turn."""
    return KINDS[request.param]


@pytest.fixture(autouse=True)
def _nothing_counted() -> None:
    """Files are counted for an hour; every test begins a new one."""
    cache.clear()
