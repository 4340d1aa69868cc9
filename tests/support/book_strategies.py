"""Lorebooks for property tests: sound ones, and ones in which every field may hold anything."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from formats.lorebook.spellings import EXTENSION_KINDS, EXTENSION_SPELLINGS

Json = dict[str, Any]

words = st.text(alphabet="ab 港口İß😀/,@=\n", max_size=8)
numbers = st.one_of(st.integers(-3, 120), st.sampled_from([3.5, 1e21, 2**53, -0.0]))
odd = st.one_of(
    st.none(), st.booleans(), numbers, words, st.sampled_from(["", " 7 ", "0x10", "1e3", "4", "before_char"]),
    st.lists(words, max_size=2), st.dictionaries(words, st.integers(0, 3), max_size=2),
)  # fmt: skip
unknown = st.dictionaries(st.sampled_from(["x_note", "vendor", "2"]), odd, max_size=2)
key_lists = st.lists(words, max_size=3)
character_filters = st.one_of(
    st.none(),
    st.fixed_dictionaries(
        {"isExclude": st.booleans(), "names": st.lists(words, max_size=2), "tags": st.just(["t"])},
        optional={"other": st.just(1)},
    ),
)

FIELDS = {
    **dict.fromkeys(EXTENSION_SPELLINGS, odd),
    "exclude_recursion": odd,
    "group_weight": odd,
    "position": st.one_of(st.integers(0, 7), odd),
    "selectiveLogic": st.one_of(st.integers(0, 3), odd),
    "role": st.one_of(st.integers(0, 2), odd),
}
CARD_FIELDS = {
    **dict.fromkeys(EXTENSION_KINDS, odd),
    **dict.fromkeys(EXTENSION_SPELLINGS.values(), odd),
}
extensions = st.one_of(
    st.fixed_dictionaries({}, optional={**CARD_FIELDS, "position": st.one_of(st.integers(0, 7), odd)}),
    unknown,
    odd,
)

sillytavern_entries = st.fixed_dictionaries(
    {},
    optional={
        "uid": st.one_of(st.integers(0, 3), odd),
        "key": st.one_of(key_lists, odd),
        "keysecondary": st.one_of(key_lists, odd),
        "comment": st.one_of(words, odd),
        "content": st.one_of(words, odd),
        "disable": st.one_of(st.booleans(), odd),
        "constant": st.one_of(st.booleans(), odd),
        "selective": st.one_of(st.booleans(), odd),
        "order": st.one_of(numbers, odd),
        "characterFilter": st.one_of(character_filters, odd),
        "extensions": extensions,
        "x_unknown": odd,
        **FIELDS,
    },
)
card_entries = st.fixed_dictionaries(
    {},
    optional={
        "id": st.one_of(st.integers(0, 3), odd),
        "keys": st.one_of(key_lists, odd),
        "secondary_keys": st.one_of(key_lists, odd),
        "comment": st.one_of(words, odd),
        "name": st.one_of(words, odd),
        "content": st.one_of(words, odd),
        "enabled": st.one_of(st.booleans(), odd),
        "constant": st.one_of(st.booleans(), odd),
        "selective": st.one_of(st.booleans(), odd),
        "insertion_order": st.one_of(numbers, odd),
        "case_sensitive": st.one_of(st.booleans(), odd),
        "character_filter": character_filters,
        "position": odd,
        "extensions": extensions,
        "use_regex": odd,
        "x_unknown": odd,
        "prevent_recursion": odd,
        "scan_depth": odd,
    },
)
settings = {
    "name": odd,
    "description": odd,
    "scan_depth": odd,
    "token_budget": odd,
    "recursive_scanning": odd,
    "extensions": st.one_of(unknown, odd),
    "originalData": odd,
    "x_book": odd,
}
map_keys = st.sampled_from(["0", "1", "2", "10", "007", "abc", "1.5", "4294967295", "-1", ""])


def books() -> st.SearchStrategy[Json]:
    """Books of either format that `parse` takes, however wrong their fields are."""
    maps = st.dictionaries(map_keys, sillytavern_entries, max_size=4)
    lists = st.lists(card_entries, max_size=4)
    return st.fixed_dictionaries({"entries": st.one_of(maps, lists)}, optional=settings)
