"""PNG chunks walked by hand."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from formats.png_chunks import (
    Chunk,
    TextChunkError,
    checksum_is_right,
    keyword_of,
    make_chunk,
    read_chunks,
    read_text,
    still_picture_spans,
)
from tests.support.cards import END, apng_card, international_chunk, packed_chunk, png, text_chunk, v2


def text_of(data: bytes) -> Chunk:
    return next(chunk for chunk in read_chunks(data).chunks if chunk.kind in (b"tEXt", b"zTXt", b"iTXt"))


@pytest.mark.parametrize(
    "chunk",
    [
        text_chunk("note", b"hello"),
        packed_chunk("note", b"hello"),
        international_chunk("note", b"hello"),
        international_chunk("note", b"hello", compressed=True),
    ],
    ids=["tEXt", "zTXt", "iTXt", "iTXt-packed"],
)
def test_text_is_read_from_every_kind_of_chunk(chunk: bytes) -> None:
    data = png(chunk)
    found = text_of(data)
    assert read_text(data, found, 5) == ("note", b"hello")
    assert keyword_of(data, found) == "note"
    assert checksum_is_right(data, found)
    with pytest.raises(TextChunkError) as caught:
        read_text(data, found, 4)
    assert caught.value.too_long


@pytest.mark.parametrize(
    "chunk",
    [
        make_chunk(b"tEXt", b"no separator"),
        make_chunk(b"zTXt", b"note\0\x01x"),
        make_chunk(b"zTXt", b"note\0\0not zlib"),
        make_chunk(b"zTXt", b"note\0"),
        packed_chunk("note", b"hello" * 100)[:-20] + b"\0" * 8,
        make_chunk(b"iTXt", b"note\0\0\0zh"),
        make_chunk(b"iTXt", b"note\0"),
    ],
    ids=["no-keyword", "method", "not-zlib", "empty", "cut", "no-language-end", "bare"],
)
def test_a_malformed_text_chunk_is_an_error_of_its_own(chunk: bytes) -> None:
    data = png(make_chunk(chunk[4:8], chunk[8:-4]))
    with pytest.raises(TextChunkError) as caught:
        read_text(data, text_of(data), 100_000)
    assert not caught.value.too_long


@pytest.mark.parametrize(
    ("data", "troubles"),
    [
        (png(), []),
        (png(end=b""), ["no-end"]),
        (png(end=b"")[:-9], ["cut-short"]),
        (png(after_end=b"junk"), ["data-after-end"]),
        (png(after_end=text_chunk("a", b"b")), ["data-after-end"]),
        (png(end=b"\xff\xff\xff\xffIDAT"), ["cut-short"]),
        (png(end=b"\xff\xff\xff\xffIDATxxxx"), ["cut-short"]),
    ],
)
def test_troubles_of_a_file(data: bytes, troubles: list[str]) -> None:
    found = read_chunks(data)
    assert found.troubles == troubles
    assert found.chunks[0].kind == b"IHDR"


def test_the_still_picture_opens_and_has_one_frame() -> None:
    data = apng_card(v2())
    still = b"".join(data[start:end] for start, end in still_picture_spans(read_chunks(data)))
    with Image.open(io.BytesIO(still)) as image:
        image.load()
        assert (image.size, getattr(image, "n_frames", 1), image.info.get("chara")) == ((8, 8), 1, None)
    assert still.endswith(END)


def test_neighbouring_chunks_are_one_span() -> None:
    many = [make_chunk(b"IDAT", b"x")] * 1000
    assert len(still_picture_spans(read_chunks(png(text_chunk("a", b"b"), after_pixels=many)))) == 2
