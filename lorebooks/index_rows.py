"""Thousands of rows of entries at once: one statement, prepared once, for as many rows as there are.

`bulk_create` and `bulk_update` make a statement for every few dozen rows, because SQLite takes no more values
in one; writing 10,000 entries that way takes twice to ten times as long.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import connection
from django.db.models import DateTimeField, Field

from lorebooks.models import Lorebook, LorebookEntry

FEW: Final = 500
_COLUMNS: Final = [field for field in LorebookEntry._meta.concrete_fields if not field.primary_key]


class Stored(NamedTuple):
    """What is asked of a row that is there; never its long text."""

    pk: int
    key: str
    position: int
    section: str
    enabled: bool
    strategy: str
    keys_count: int
    tokens: int
    etag: str
    content_hash: str
    changed_at: datetime


def stored_rows(lorebook: Lorebook, keys: Collection[str] | None = None) -> dict[str, Stored]:
    """The rows of a book by the entries' keys, or those of some entries."""
    found = LorebookEntry.objects.filter(lorebook=lorebook).order_by("position", "pk")
    if keys is not None and len(keys) <= FEW:
        found = found.filter(key__in=list(keys))
    rows = map(Stored._make, found.values_list(*Stored._fields))
    wanted = None if keys is None else set(keys)
    return {row.key: row for row in rows if wanted is None or row.key in wanted}


def insert_rows(rows: Sequence[LorebookEntry]) -> None:
    """Write new rows; they do not learn their primary keys."""
    names = ", ".join(_quoted(field) for field in _COLUMNS)
    marks = ", ".join(["%s"] * len(_COLUMNS))
    statement = f"INSERT INTO {_table()} ({names}) VALUES ({marks})"  # noqa: S608 names of the model
    _run(statement, [_values(row, _COLUMNS) for row in rows])


def update_rows(rows: Sequence[LorebookEntry], names: Collection[str] | None = None) -> None:
    """Write columns of rows that are there, by their primary keys; all columns where none are named."""
    fields = [field for field in _COLUMNS if names is None or field.name in names]
    pairs = ", ".join(f"{_quoted(field)} = %s" for field in fields)
    statement = f"UPDATE {_table()} SET {pairs} WHERE id = %s"  # noqa: S608 names of the model
    _run(statement, [(*_values(row, fields), row.pk) for row in rows])


def _run(statement: str, values: Sequence[tuple[Any, ...]]) -> None:
    if values:
        with connection.cursor() as cursor:
            cursor.executemany(statement, values)


def _values(row: LorebookEntry, fields: Sequence[Field[Any, Any]]) -> tuple[Any, ...]:
    """Times are written as the database has them; it takes texts, numbers and truth values as they are."""
    return tuple(
        field.get_db_prep_save(value, connection) if isinstance(field, DateTimeField) else value
        for field, value in ((field, getattr(row, field.attname)) for field in fields)
    )


def _quoted(field: Field[Any, Any]) -> str:
    assert field.column is not None  # no field of an entry is without one
    return connection.ops.quote_name(field.column)


def _table() -> str:
    return connection.ops.quote_name(LorebookEntry._meta.db_table)
