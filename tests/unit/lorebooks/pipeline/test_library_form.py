"""The form in which the library keeps a book that came as a list."""

from __future__ import annotations

import json

import pytest

from formats.lorebook import parse, read_book
from lorebooks.pipeline.book_file import write_book
from lorebooks.pipeline.books import library_form, model_of


@pytest.mark.req("WB-5")
@pytest.mark.parametrize("ids", [[0, 1, 2], [5, 2], [5, 2, 2, "abc"], ["b", "a"], ["no key: /", "2"]])
def test_a_list_is_kept_in_its_order_with_its_numbers(ids: list[int | str]) -> None:
    listed = [
        {"id": id_, "keys": ["fog"], "content": f"{place}: fog.", "enabled": True, "insertion_order": 5}
        for place, id_ in enumerate(ids)
    ]
    read = read_book(json.dumps({"entries": listed, "extensions": {}}).encode(), "fog.json")
    value, _ = library_form(read.model)
    kept = model_of(write_book(value), "Fog")
    assert [entry.uid for entry in kept.entries] == [entry.uid for entry in read.model.entries] == ids
    assert [entry.content for entry in kept.entries] == [entry["content"] for entry in listed]
    assert library_form(kept)[0]["entries"] == value["entries"], "and stays so"


def test_keys_that_can_be_no_address_are_replaced_in_their_place() -> None:
    entries = {key: {"uid": 7, "key": ["fog"], "content": key} for key in ("a/b", "fog", "3")}
    value, renamed = library_form(parse({"entries": entries}))
    assert (list(value["entries"]), renamed) == (["3", "entry-1", "fog"], 1)
