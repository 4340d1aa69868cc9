"""A picture cut off at every byte: the card is read where it stands complete, else it is called cut off."""

from __future__ import annotations

from typing import Any

import pytest

from formats.card import CardError, CardRead, read_card
from formats.png_chunks import SIGNATURE, make_chunk
from tests.support.cards import charx, exif, jpeg, json_bytes, packed_chunk, png, text_chunk, v1, webp

CARD = v1(name="Mira", description="Keeps the lamp.", personality="", scenario="", mes_example="")
SHORT = text_chunk("chara", json_bytes(CARD))
CUT_NOTES = {"picture-no-end", "picture-cut-short"}


def read(data: bytes) -> CardRead | CardError:
    try:
        return read_card(data)
    except CardError as error:
        return error


LAYOUTS = {
    "before-the-pixels": (png(SHORT), SHORT),
    "packed": (png(packed_chunk("chara", json_bytes(CARD))), packed_chunk("chara", json_bytes(CARD))),
    "behind-the-pixels": (png(after_pixels=[SHORT]), SHORT),
    "behind-another-text": (png(text_chunk("note", b"for nobody"), SHORT), SHORT),
}


@pytest.mark.req("CARD-1")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_png_cut_off_anywhere_is_read_or_called_cut_off(layout: str) -> None:
    whole, chunk = LAYOUTS[layout]
    card_ends = whole.index(chunk) + len(chunk)
    for length in range(1, len(whole)):
        found = read(whole[:length])
        if length < card_ends:
            assert isinstance(found, CardError), length
            assert found.code == "cut-off", (length, str(found))
        else:
            assert isinstance(found, CardRead), (length, str(found))
            assert found.card.name == "Mira"
            assert CUT_NOTES & {note.code for note in found.findings}, length
    complete = read(whole)
    assert isinstance(complete, CardRead)
    assert not CUT_NOTES & {note.code for note in complete.findings}


def test_the_older_copy_is_used_when_the_newer_one_is_cut_off() -> None:
    newer = text_chunk("ccv3", json_bytes({"spec": "chara_card_v3", "data": {**CARD, "name": "New"}}))
    whole = png(SHORT, newer)
    for length in range(whole.index(newer), whole.index(newer) + len(newer)):
        found = read(whole[:length])
        assert isinstance(found, CardRead), length
        assert found.card.name == "Mira"
    last = read(whole[: whole.index(newer) + len(newer)])
    assert isinstance(last, CardRead)
    assert last.card.name == "New"


@pytest.mark.parametrize("behind", [SHORT, charx(CARD)], ids=["chunk", "zip"])
def test_what_follows_the_end_of_the_picture_is_cut_off_too(behind: bytes) -> None:
    whole = png(after_end=behind)
    picture = len(whole) - len(behind)
    assert code_of(whole[:picture]) == "other-file", "a whole picture, and nothing that begins behind it"
    codes = {length: code_of(whole[:length]) for length in range(picture + 1, len(whole))}
    assert {length: code for length, code in codes.items() if code not in ("cut-off", "")} == {}
    assert codes[picture + len(behind) // 2] == "cut-off"
    assert code_of(whole) == ""


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (png(), "other-file"),
        (png(after_end=b"\r\n"), "other-file"),
        (png(after_end=b"made with care"), "other-file"),
        (png(text_chunk("naidata", b"e30="), end=b""), "cut-off"),
        (SIGNATURE + b"<html>this is an error page</html>", "damaged-picture"),
        (png()[:60] + b"\0" * 40 + png()[60:], "damaged-picture"),
        (png(b"\x7f\xff\xff\xff" + SHORT[4:]), "damaged-picture"),
    ],
)
def test_only_what_is_cut_off_is_called_so(data: bytes, code: str) -> None:
    assert code_of(data) == code


EXIF = exif(json_bytes(CARD))
COMMENT = b"\xff\xfe" + (len(json_bytes(CARD)) + 2).to_bytes(2, "big") + json_bytes(CARD)
OTHERS = {
    "jpeg-exif": (jpeg(EXIF), EXIF, 2),
    "jpeg-comment": (jpeg()[:2] + COMMENT + jpeg()[2:], COMMENT, 2),
    "webp-exif": (webp(EXIF), EXIF, 4),
}


@pytest.mark.req("CARD-1")
@pytest.mark.parametrize("layout", OTHERS)
def test_a_jpeg_or_webp_cut_off_anywhere_is_read_or_called_cut_off(layout: str) -> None:
    whole, card, shortest = OTHERS[layout]
    card_ends = whole.index(card) + len(card)
    for length in range(shortest, len(whole)):
        found = read(whole[:length])
        if length < card_ends:
            assert isinstance(found, CardError), length
            assert found.code == "cut-off", (length, str(found))
        else:
            assert isinstance(found, CardRead), (length, str(found))
            assert "picture-cut-short" in {note.code for note in found.findings}, length
    complete = read(whole)
    assert isinstance(complete, CardRead)
    assert "picture-cut-short" not in {note.code for note in complete.findings}


@pytest.mark.parametrize("picture", [jpeg(), webp()], ids=["jpeg", "webp"])
def test_the_archive_behind_a_jpeg_or_webp_is_cut_off_too(picture: bytes) -> None:
    behind = charx(CARD)
    assert code_of(picture) == "other-file"
    assert {code_of(picture + behind[:length]) for length in range(1, len(behind))} == {"cut-off"}
    whole = read(picture + behind)
    assert isinstance(whole, CardRead)
    assert "picture-cut-short" not in {note.code for note in whole.findings}


@pytest.mark.parametrize(
    "data",
    [
        jpeg() + b"\r\n",
        jpeg() + b"made with care",
        webp() + b"\0",
        jpeg()[:-2] + b"\xff\x00\xff\xd3\xff\xff\xd9",
        jpeg(exif(b"A quiet morning \xff\xd9")),
    ],
)
def test_a_whole_jpeg_or_webp_without_a_card_is_a_picture(data: bytes) -> None:
    assert code_of(data) == "other-file"


def test_a_damaged_picture_says_so_and_its_card_is_read() -> None:
    found = read(png(SHORT, b"\x7f\xff\xff\xff" + make_chunk(b"gAMA", b"\0\0\0\1")[4:]))
    assert isinstance(found, CardRead)
    assert {note.code for note in found.findings} >= {"picture-damaged", "picture-empty"}


def test_the_sentence_says_what_to_do() -> None:
    found: Any = read(png(SHORT)[:80])
    assert "cut off" in str(found)
    assert "Download it again" in found.hint


def code_of(data: bytes) -> str:
    found = read(data)
    return found.code if isinstance(found, CardError) else ""
