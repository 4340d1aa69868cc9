"""Texts in EXIF data, and structures that point nowhere."""

import struct

from hypothesis import given
from hypothesis import strategies as st

from formats.card.exif_text import exif_texts
from tests.support.cards import exif


def directory(tag: int, kind: int, value: bytes, order: str = ">") -> bytes:
    """A TIFF structure with one field."""
    mark = b"MM\0*" if order == ">" else b"II*\0"
    field = struct.pack(order + "HHHII", 1, tag, kind, len(value), 26)
    return mark + struct.pack(order + "I", 8) + field + bytes(4) + value


def test_a_user_comment_in_every_charset() -> None:
    assert exif_texts(exif(b'{"a":1}')) == [b'{"a":1}']
    assert exif_texts(b"Exif\0\0" + exif(b'{"a":1}', bytes(8))) == [b'{"a":1}']
    for encoding in ("utf-16-le", "utf-16-be"):
        assert exif_texts(exif('{"a":"灯"}'.encode(encoding), b"UNICODE\0")) == ['{"a":"灯"}'.encode()]


def test_a_list_of_byte_numbers_becomes_bytes() -> None:
    assert exif_texts(exif(b"123, 34, 97,34")) == [b'{"a"']
    assert exif_texts(exif(b"[123,125]")) == [b"{}"]
    assert exif_texts(exif(b"123,999")) == []


def test_descriptions_and_windows_comments() -> None:
    assert exif_texts(directory(0x010E, 2, b'{"a":1}\0')) == [b'{"a":1}']
    assert exif_texts(directory(0x9C9C, 1, '{"a":1}'.encode("utf-16-le"))) == [b'{"a":1}']


def test_a_directory_that_points_at_itself_ends() -> None:
    loop = b"II*\0" + struct.pack("<I", 8) + struct.pack("<HHHII", 1, 0x8769, 4, 1, 8)
    assert exif_texts(loop) == []


@given(st.binary(max_size=120), st.sampled_from([b"", b"II*\0\x08\0\0\0", b"MM\0*\0\0\0\x08"]))
def test_any_bytes_give_a_list(data: bytes, start: bytes) -> None:
    assert isinstance(exif_texts(start + data), list)
