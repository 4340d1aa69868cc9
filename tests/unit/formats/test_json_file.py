"""How many values are inside a value: counted level by level, whatever holds them."""

from __future__ import annotations

from collections import UserDict
from types import MappingProxyType
from typing import Any

import pytest

from formats.json_file import size_of
from formats.lenient_json import TooDeep


class OwnList(list[Any]):
    """A list of another type."""


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ("text", 0),
        (None, 0),
        ([], 0),
        ([1, 2.5, "x", True, None], 5),
        ({"a": [1, {"b": 2}]}, 4),
        (UserDict({"a": MappingProxyType({"b": OwnList([1, 2])})}), 4),
        ([(1, 2, 3)], 1),
    ],
)
def test_every_value_inside_counts(value: Any, size: int) -> None:
    assert size_of(value, 10, 100) == size


def test_counting_ends_when_there_are_too_many_or_they_are_too_deep() -> None:
    assert size_of([[1] * 50, [[[[1]]]]], 3, 20) == 53
    with pytest.raises(TooDeep):
        size_of([[[1]]], 3, 20)
    assert size_of([[[1]]], 4, 20) == 3
