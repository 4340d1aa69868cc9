"""Items to choose from: where several have one name, what is beside it tells them apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

from django.utils import timezone
from django.utils.formats import date_format

from formats.text.names import compared
from worlds.library.models import LibraryItem

Item = TypeVar("Item", bound=LibraryItem)


def told_apart(items: Iterable[Item]) -> list[tuple[Item, str]]:
    """Each item with a label that no other one has: its name, else with the day and hour it was made beside
    it, else with a number as well, counted from the oldest."""
    listed = list(items)
    names = Counter(compared(item.name) for item in listed)
    labels = {item.pk: item.name if names[compared(item.name)] == 1 else _dated(item) for item in listed}
    shared = Counter(map(compared, labels.values()))
    numbers: Counter[str] = Counter()
    for item in sorted(listed, key=lambda one: (one.created_at, one.pk)):
        label = compared(labels[item.pk])
        if shared[label] > 1:
            numbers[label] += 1
            labels[item.pk] += f" · {numbers[label]}"
    return [(item, labels[item.pk]) for item in listed]


def _dated(item: LibraryItem) -> str:
    return f"{item.name} · {date_format(timezone.localtime(item.created_at), 'SHORT_DATETIME_FORMAT')}"
