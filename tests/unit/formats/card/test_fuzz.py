"""Whatever the bytes, reading ends with a card or a `CardError`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formats.card import Card, CardError, CardRead, read_card
from formats.card.fields import CARD_FIELDS
from formats.lorebook.spellings import BOOK_KINDS, ENTRY_KINDS, ENTRY_SPELLINGS, EXTENSION_KINDS
from tests.support.cards import (
    apng_card,
    byaf,
    byte_list,
    charx,
    chinese_card,
    english_card,
    exif,
    icon_asset,
    jpeg,
    json_bytes,
    packed,
    packed_chunk,
    png,
    png_card,
    v1,
    v2,
    v3,
    webp,
)

SEEDS = [
    png_card(english_card(), "chara", "ccv3"),
    png(packed_chunk("ccv3", packed(v3()))),
    apng_card(v2()),
    charx(v3(assets=[icon_asset()]), {"assets/icon/images/main.png": png()}),
    byaf(),
    jpeg(exif(json_bytes(v1()))),
    jpeg(after_end=charx(v3())),
    webp(exif(byte_list(v1()))),
    json_bytes(chinese_card()),
]
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(st.characters(exclude_categories=())),
    st.sampled_from(["", "true", "4", "a, b", "/a{1,2}/i", "before_char", "memory", "risu", "lorebook_v3"]),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
ENTRY = st.dictionaries(
    st.sampled_from([*ENTRY_KINDS, *ENTRY_SPELLINGS, "position", "id", "disable", "probability", "depth"]),
    VALUES | st.dictionaries(st.sampled_from([*EXTENSION_KINDS, "position"]), LEAVES, max_size=5),
    max_size=8,
)
BOOK_FIELDS = [*BOOK_KINDS, "entries", "kind", "type", "data", "spec", "lorebookVersion", "loreItems"]
BOOK = st.dictionaries(
    st.sampled_from(BOOK_FIELDS),
    VALUES | st.lists(ENTRY | VALUES, max_size=4) | st.dictionaries(st.text(max_size=3), ENTRY, max_size=3),
    max_size=6,
)
FIELD_NAMES = sorted(
    CARD_FIELDS | {"data", "spec", "spec_version", "char_name", "persona", "kind", "backyard", "card"}
)
DATA = st.dictionaries(st.sampled_from(FIELD_NAMES), VALUES | BOOK | st.lists(VALUES, max_size=3), max_size=8)
CARDS = st.one_of(
    VALUES,
    DATA,
    st.builds(lambda data, root: {**root, "spec": "chara_card_v3", "data": data}, DATA, DATA),
    st.builds(lambda book: v3(character_book=book), BOOK | st.lists(ENTRY, max_size=4)),
)


def read_or_refused(data: bytes) -> CardRead | None:
    try:
        return read_card(data, filename="x.png")
    except CardError:
        return None


def check_whole(read: CardRead) -> None:
    """What every card that was read keeps to."""
    stored = json.dumps(read.card.to_v3(), ensure_ascii=False, allow_nan=False)
    stored.encode("utf-8")
    assert "\0" not in stored
    assert "\\u0000" not in stored
    assert Card.from_v3(json.loads(stored)) == read.card
    assert read.card.name.strip()
    json.dumps([finding.to_json() for finding in read.findings], allow_nan=False).encode("utf-8")


@pytest.mark.req("CARD-1")
@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(CARDS)
def test_any_json_is_a_card_or_a_refusal(value: Any) -> None:
    read = read_or_refused(json.dumps(value).encode("utf-8"))
    if read:
        check_whole(read)


@pytest.mark.req("CARD-1")
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.sampled_from(SEEDS), st.data())
def test_any_damage_to_a_file_is_a_card_or_a_refusal(seed: bytes, data: st.DataObject) -> None:
    changed = bytearray(seed)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(changed) - 1))
        how = data.draw(st.sampled_from(["flip", "cut", "insert", "zero", "repeat"]))
        if how == "flip":
            changed[at] ^= data.draw(st.integers(1, 255))
        elif how == "cut":
            del changed[at : at + data.draw(st.integers(1, 40))]
        elif how == "insert":
            changed[at:at] = data.draw(st.binary(min_size=1, max_size=20))
        elif how == "zero":
            changed[at : at + 4] = b"\xff\xff\xff\xff"
        else:
            changed[at:at] = changed[: data.draw(st.integers(1, 200))]
        if not changed:
            break
    read = read_or_refused(bytes(changed))
    if read:
        check_whole(read)
        assert read.picture is None or len(read.picture.data) == read.picture.size


@settings(max_examples=200, deadline=None)
@given(
    st.binary(max_size=300), st.sampled_from([b"", *(seed[:12] for seed in SEEDS), b"PK\x03\x04", b"{", b"["])
)
def test_any_bytes_are_a_card_or_a_refusal(data: bytes, start: bytes) -> None:
    read_or_refused(start + data)


HOSTILE = [
    b"[" * 2000,
    b'{"a":' * 100_000,
    b"9" * 4301,
    b"1e999",
    b"NaN",
    b'{"name":1,"name":2}',
    b'"\\ud800"',
    b'"a\\u0000b"',
    b"{,}",
    b"null",
    b"true",
    b'""',
    b'{"__proto__":{"name":"x"},"constructor":{"prototype":{}}}',
    b'{"name":"x","first_mes":"y","__proto__":{"z":1}}',
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"RIFF\0\0\0\0WEBP",
    b"PK\x05\x06" + bytes(18),
    b"PK\x03\x04",
    b"GIF89a",
]


@pytest.mark.parametrize("data", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_beginnings(data: bytes) -> None:
    read = read_or_refused(data)
    if read:
        check_whole(read)
