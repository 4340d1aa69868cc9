"""A plug-in is one file with one registered object (D41)."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType
from typing import Any

import pytest

import formats.card.containers
import formats.card.specs
import formats.lorebook.foreign
from formats.card.container import Container
from formats.card.containers import CONTAINERS
from formats.card.spec import Spec
from formats.card.specs import SPECS
from formats.lorebook.foreign import FOREIGN_SHAPES, ForeignShape

REGISTRIES: list[tuple[ModuleType, type, tuple[Any, ...]]] = [
    (formats.card.containers, Container, CONTAINERS),
    (formats.card.specs, Spec, SPECS),
    (formats.lorebook.foreign, ForeignShape, FOREIGN_SHAPES),
]


@pytest.mark.parametrize(("folder", "kind", "registered"), REGISTRIES)
def test_every_file_of_a_folder_registers_one_object(
    folder: ModuleType, kind: type, registered: tuple[Any, ...]
) -> None:
    found = []
    for module in pkgutil.iter_modules(folder.__path__):
        members = vars(importlib.import_module(f"{folder.__name__}.{module.name}")).values()
        objects = [member for member in members if isinstance(member, kind)]
        assert len(objects) == 1, module.name
        found += objects
    assert len(found) == len(registered)
    assert all(any(item is member for item in registered) for member in found)
    assert len({item.name for item in registered}) == len(registered)
