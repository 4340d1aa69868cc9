import io
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from formats.image import ImageInfo, picture_hash, sniff, without_metadata
from formats.png_chunks import make_chunk


def a_picture(kind: str, size: tuple[int, int] = (37, 21), **options: object) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, "teal").save(file, kind, **options)
    return file.getvalue()


def with_chunks(png: bytes, *chunks: bytes, before: bytes = b"IDAT") -> bytes:
    place = png.index(before) - 4
    return png[:place] + b"".join(chunks) + png[place:]


@pytest.mark.req("PIC-5")
@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (a_picture("PNG"), ImageInfo("png", 37, 21)),
        (a_picture("JPEG"), ImageInfo("jpeg", 37, 21)),
        (a_picture("JPEG", progressive=True, comment=b"x" * 5000), ImageInfo("jpeg", 37, 21)),
        (a_picture("GIF"), ImageInfo("gif", 37, 21)),
        (a_picture("WEBP"), ImageInfo("webp", 37, 21)),
        (a_picture("WEBP", lossless=True), ImageInfo("webp", 37, 21)),
        (a_picture("WEBP", exif=b"Exif\0\0II*\0\x08\0\0\0\0\0"), ImageInfo("webp", 37, 21)),
    ],
)
def test_kind_and_size_are_read_from_the_head(data: bytes, expected: ImageInfo) -> None:
    assert sniff(data) == expected
    assert sniff(memoryview(data)) == expected
    assert sniff(data[: max(32, len(data) - 10)]) == expected


@pytest.mark.req("PIC-5")
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<html>",
        b"BM" + b"\0" * 60,
        b"%PDF-1.7",
        b"RIFF\0\0\0\0WAVEfmt " + b"\0" * 40,
        b"RIFF\0\0\0\0WEBPXXXX" + b"\0" * 40,
        b"\x89PNG\r\n\x1a\n",
        b"\x89PNG\r\n\x1a\n" + make_chunk(b"IHDR", b"\0" * 13),
        b"\x89PNG\r\n\x1a\n" + make_chunk(b"tEXt", b"a\0b" * 10),
        b"GIF89a",
        b"\xff\xd8\xff\xd9",
        b"\xff\xd8" + b"\xff" * 100_000,
        b"\xff\xd8" + b"\xff\xe0\0\0" * 10_000,
    ],
)
def test_what_is_no_picture_we_keep(data: bytes) -> None:
    assert sniff(data) is None


@given(
    st.binary(max_size=80),
    st.sampled_from([b"", b"\xff\xd8\xff", b"RIFF0000WEBPVP8X", b"GIF89a", b"\x89PNG\r\n\x1a\n"]),
)
def test_any_bytes_are_looked_at_without_error(data: bytes, head: bytes) -> None:
    info = sniff(head + data)
    assert info is None or (info.width > 0 and info.height > 0)
    assert len(picture_hash(head + data)) == 64


def test_names_of_the_kinds() -> None:
    assert (ImageInfo("jpeg", 1, 1).ending, ImageInfo("jpeg", 1, 1).media_type) == ("jpg", "image/jpeg")
    assert ImageInfo("webp", 1, 1).ending == "webp"


@pytest.mark.req("PIC-5")
@pytest.mark.parametrize("place", [b"IDAT", b"IEND"])
@pytest.mark.parametrize(
    "chunk",
    [
        make_chunk(b"tEXt", b"chara\0abc"),
        make_chunk(b"zTXt", b"a\0\0" + zlib.compress(b"b")),
        make_chunk(b"iTXt", b"a\0\0\0\0\0b"),
        make_chunk(b"tIME", b"\x07\xea\x0b\x1e\0\0\0"),
        make_chunk(b"eXIf", b"II*\0"),
    ],
)
def test_metadata_does_not_make_another_picture(chunk: bytes, place: bytes) -> None:
    png = a_picture("PNG")
    marked = with_chunks(png, chunk, before=place)
    assert marked != png
    assert picture_hash(marked) == picture_hash(png)
    assert without_metadata(marked) == png


@pytest.mark.req("PIC-5")
def test_other_pixels_or_colours_make_another_picture() -> None:
    png = a_picture("PNG")
    assert picture_hash(with_chunks(png, make_chunk(b"gAMA", struct.pack(">I", 1)))) != picture_hash(png)
    assert picture_hash(a_picture("PNG", (37, 22))) != picture_hash(png)
    jpeg = a_picture("JPEG")
    assert picture_hash(jpeg) != picture_hash(jpeg + b"x")


def test_what_follows_the_end_goes_and_a_broken_picture_keeps_its_bytes() -> None:
    png = a_picture("PNG")
    assert without_metadata(png + b"PK\x03\x04 a whole archive") == png
    assert without_metadata(png + make_chunk(b"tEXt", b"chara\0abc")) == png
    assert without_metadata(png[:-8]) == png[:-8]
    assert without_metadata(b"not a png") == b"not a png"
