"""The book file: splicing one entry gives the same file as writing the whole book again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.errors import DomainError
from lorebooks.pipeline import book_file
from lorebooks.pipeline.book_file import (
    entries_of,
    entry_of,
    free_key,
    head_of,
    keys_of,
    line_index,
    read_book_file,
    with_entries,
    with_entry,
    with_head,
    without,
    write_book,
)
from tests.support.lorebooks import fog_book

TEXT = st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(
    ["\ud800", '"}, {"', "\n", '\n"entries": {', "\\", "\u2028", "},", "\x7f"]
)
KEYS = st.from_regex(r"\A[0-9]{1,3}\Z|\A[\w-][\w.-]{0,5}\Z")
VALUE: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
ENTRY = st.dictionaries(TEXT, VALUE, max_size=4)
HEAD = st.dictionaries(TEXT.filter(lambda name: name != "entries"), VALUE, max_size=3)
BOOK = st.builds(
    lambda head, entries: {**head, "entries": entries}, HEAD, st.dictionaries(KEYS, ENTRY, max_size=5)
)
LAYOUTS = st.sampled_from([None, 0, 1, 4])


def laid_out(book: dict[str, Any], indent: int | None) -> bytes:
    """Ours (None), or as a hand or another program may write it."""
    return write_book(book) if indent is None else json.dumps(book, indent=indent or None).encode()


@given(BOOK)
def test_a_book_comes_back_and_every_entry_has_a_line(book: dict[str, Any]) -> None:
    data = write_book(book)
    assert read_book_file(data) == book
    assert line_index(data) is not None
    assert keys_of(data) == list(book["entries"])
    assert head_of(data) == {**book, "entries": {}}
    assert write_book(read_book_file(data)) == data
    data.decode()


@given(BOOK, LAYOUTS, KEYS, ENTRY)
def test_a_splice_is_what_writing_all_of_it_gives(
    book: dict[str, Any], indent: int | None, key: str, entry: dict[str, Any]
) -> None:
    data = laid_out(book, indent)
    wanted = {**book, "entries": {**book["entries"], key: entry}}
    assert entry_of(data, key) == book["entries"].get(key)
    assert with_entry(data, key, entry) == write_book(wanted) or indent is not None
    assert read_book_file(with_entry(data, key, entry)) == wanted
    assert entry_of(with_entry(data, key, entry), key) == entry


@given(BOOK, LAYOUTS, st.dictionaries(KEYS, ENTRY, max_size=6), st.sets(KEYS, max_size=4))
def test_many_at_once(book: dict[str, Any], indent: int | None, put: dict[str, Any], gone: set[str]) -> None:
    data = laid_out(book, indent)
    there = {**book["entries"], **put}
    assert read_book_file(with_entries(data, put))["entries"] == there
    left = {key: entry for key, entry in book["entries"].items() if key not in gone}
    assert read_book_file(without(data, gone)) == {**book, "entries": left}
    assert line_index(without(data, gone)) is not None or indent is not None
    asked = [*gone, *put]
    assert entries_of(data, asked) == {key: book["entries"][key] for key in asked if key in book["entries"]}


@given(BOOK, LAYOUTS, HEAD)
def test_the_head_is_changed_without_the_entries(
    book: dict[str, Any], indent: int | None, fields: dict[str, Any]
) -> None:
    kept = {
        name: value for name, value in {**book, **fields}.items() if name not in fields or value is not None
    }
    kept = {name: value for name, value in kept.items() if not (name in fields and fields[name] is None)}
    assert read_book_file(with_head(laid_out(book, indent), fields)) == kept


@pytest.mark.parametrize(
    "edited",
    [
        (b'"0": {', b'"0": {\n'),
        (b'"1": {', b'  "1": {'),
        (b'"1": {', b'"\\u0031": {'),
        (b'"1": {', b'"0": {'),
        (b'"3": {', b'"2": {"x": {},\n"y": {}},\n"3": {'),
    ],
)
def test_a_hand_in_the_file_is_noticed(edited: tuple[bytes, bytes]) -> None:
    data = write_book(fog_book()).replace(*edited)
    value = read_book_file(data)
    key = next(iter(value["entries"]))
    for name in value["entries"]:
        assert entry_of(data, name) == value["entries"][name]
    value["entries"][key] = {"content": "new"}
    assert read_book_file(with_entries(data, {key: {"content": "new"}, "new": {}})) == {
        **value,
        "entries": {**value["entries"], "new": {}},
    }
    assert read_book_file(without(data, ["3"]))["entries"].keys() == value["entries"].keys() - {"3"}


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"{", b'{"entries": []}', b'{"entries": {"0": 1}}', b'{"entries": {"../x": {}}}', b"\xff"],
)
def test_what_is_no_book_is_refused(data: bytes) -> None:
    for read in (read_book_file, lambda text: with_entry(text, "0", {}), lambda text: without(text, ["0"])):
        with pytest.raises(DomainError) as caught:
            read(data)
        assert caught.value.code == "lorebook.file-unreadable"


def test_what_json_cannot_hold_is_not_written() -> None:
    for entry in ({"order": float("inf")}, {"order": float("nan")}):
        with pytest.raises(ValueError, match="JSON"):
            write_book({"entries": {"0": entry}})
    with pytest.raises(ValueError, match="keys"):
        write_book({"entries": {"a/b": {}}})


def test_a_new_key_is_above_all_numbers() -> None:
    assert free_key([]) == "0"
    assert free_key(["0", "7", "x", "٣"]) == "8"
    assert book_file.is_entry_key(free_key(["99"]))
