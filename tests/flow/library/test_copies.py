"""A copy of an item asks by itself who may read, whoever calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from formats.errors import DomainError
from tests.flow.library.conftest import Kind
from tests.support.people import People, share

pytestmark = pytest.mark.django_db


def test_a_stranger_copies_nothing_and_a_reader_does(people: People, data_root: Path, kind: Kind) -> None:
    name = kind.model.kind
    item = kind.taken(people.ana)
    copy = getattr(kind.actions, f"copy_{name}")
    with pytest.raises(DomainError) as caught:
        copy(actor=people.cyd, **{name: item})
    assert (caught.value.kind, caught.value.code) == ("not-found", f"{name}.not-found")
    assert list(kind.model._default_manager.all()) == [item]
    share(people.ben, name, item.pk)
    assert copy(actor=people.ben, **{name: item}).owner == people.ben
