"""Encodings of card text, and characters that no store accepts."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.card.errors import CardError
from formats.card.sentences import CARD_SENTENCES
from formats.card.text import clean_text, decode_text
from formats.notes import Notes

CHINESE = '{"name":"潮汐镇","first_mes":"雨落在石板路上。阿岚抬起头。"}'


def decoded(data: bytes) -> tuple[str, list[str]]:
    notes = Notes(CARD_SENTENCES)
    text = decode_text(data, "json", notes)
    return text, [finding.code for finding in notes.findings()]


@pytest.mark.parametrize(
    ("data", "codes"),
    [
        (CHINESE.encode(), []),
        (codecs.BOM_UTF8 + CHINESE.encode(), ["byte-order-mark"]),
        (codecs.BOM_UTF16_BE + CHINESE.encode("utf-16-be"), ["byte-order-mark", "not-utf8"]),
        (codecs.BOM_UTF32_LE + CHINESE.encode("utf-32-le"), ["byte-order-mark", "not-utf8"]),
        (CHINESE.encode("utf-16-le"), ["not-utf8"]),
        (CHINESE.encode("utf-32-be"), ["not-utf8"]),
        (CHINESE.encode("gbk"), ["not-utf8"]),
    ],
    ids=["utf-8", "utf-8-mark", "utf-16", "utf-32", "utf-16-bare", "utf-32-bare", "gbk"],
)
def test_every_encoding_gives_the_same_text(data: bytes, codes: list[str]) -> None:
    assert decoded(data) == (CHINESE, codes)


def test_one_bad_byte_never_turns_utf8_into_another_language() -> None:
    damaged = CHINESE.encode().replace("雨".encode(), b"\xe9\x9b", 1)
    text, codes = decoded(damaged)
    assert text == CHINESE.replace("雨", "\ufffd")
    assert codes == ["characters-lost"]


def test_text_of_western_europe_is_latin_1() -> None:
    text = '{"name":"Zoé","first_mes":"Le café est fermé à midi."}'
    assert decoded(text.encode("latin-1")) == (text, ["not-utf8"])


def test_noise_in_a_wide_encoding_is_refused() -> None:
    with pytest.raises(CardError) as caught:
        decoded(codecs.BOM_UTF16_LE + b"\x00\xd8" * 50)
    assert caught.value.code == "unreadable-text"


@given(st.text(st.characters(exclude_categories=())))
def test_clean_text_is_accepted_everywhere(text: str) -> None:
    cleaned = clean_text(text)
    cleaned.text.encode("utf-8")
    assert "\0" not in cleaned.text
    assert len(cleaned.text) == len(text) - cleaned.nuls
    assert cleaned.nuls == text.count("\0")


def test_lone_surrogates_are_counted() -> None:
    assert clean_text("a\ud83db\udc00") == ("a\ufffdb\ufffd", 0, 2)
