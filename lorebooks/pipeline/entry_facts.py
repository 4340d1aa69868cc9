"""What the index says of one entry: everything its row holds but its place, its section and its time.

The child that reads an upload has the whole model in hand, so it leaves these facts beside the book, and the
server need not read 10,000 entries a second time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple

from formats.lorebook.key_limits import count_keys
from formats.lorebook.model import Entry
from formats.stable_json import canonical_json, read_json
from formats.text.names import compared
from formats.text.tokens import count_tokens
from lorebooks.pipeline.books import etag_of_entry, hash_of_entry

SCHEMA: Final = "lorebook-facts/v2"
MOST_ORDER: Final = 1e15  # a file may hold numbers that no column does


class EntryFacts(NamedTuple):
    """Columns of `LorebookEntry` by their names."""

    key: str
    title: str
    title_key: str
    words: str
    enabled: bool
    strategy: str
    order: float
    place: str
    keys_count: int
    tokens: int
    etag: str
    content_hash: str


def facts_of(entry: Entry, raw: Mapping[str, Any]) -> EntryFacts:
    """The facts of an entry, whose object in the book file is `raw`."""
    title = storable(" ".join(entry.comment[:2000].split()) or ", ".join(entry.keys)[:300])[:300]
    searched = "\n".join((entry.comment, *entry.keys, *entry.secondary_keys, entry.content))
    return EntryFacts(
        key=storable(entry.source.key)[:300],
        title=title,
        title_key=compared(title)[:300],
        words=storable(compared(searched)),
        enabled=entry.enabled,
        strategy=entry.strategy,
        order=float(max(-MOST_ORDER, min(MOST_ORDER, entry.insertion_order))),
        place=entry.position,
        keys_count=count_keys(entry),
        tokens=count_tokens(entry.content),
        etag=etag_of_entry(raw),
        content_hash=hash_of_entry(entry),
    )


def facts_bytes(book: bytes, facts: Iterable[EntryFacts]) -> bytes:
    """The facts of a book in the order of its entries, with a mark of the file they are of."""
    told = {"schema": SCHEMA, "book": sha256(book).hexdigest(), "rows": list(facts)}
    return canonical_json(told).encode()


def read_facts(data: bytes, book: bytes) -> list[EntryFacts] | None:
    """The facts again; None where they are of another book, or were written by another version of this."""
    told = read_json(data)
    if told["schema"] != SCHEMA or told["book"] != sha256(book).hexdigest():
        return None
    return [EntryFacts(*row) for row in told["rows"]]


def storable(text: str) -> str:
    """A text as every database takes it: no half characters, no NUL."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")
