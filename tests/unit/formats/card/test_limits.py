"""Files made to exhaust a reader: size, depth, packed text, thousands of parts."""

from __future__ import annotations

import base64
import mmap
import time
import tracemalloc
import zlib
from pathlib import Path

import pytest

from formats.card import CardError, limits, read_card
from formats.finding import fill
from formats.png_chunks import make_chunk
from tests.support.cards import (
    book,
    byaf,
    charx,
    entry,
    exif,
    icon_asset,
    jpeg,
    json_bytes,
    packed,
    png,
    png_card,
    text_chunk,
    v2,
    v3,
    webp,
)


def refused(data: bytes) -> CardError:
    with pytest.raises(CardError) as caught:
        read_card(data)
    return caught.value


def bomb(keyword: str, size: int) -> bytes:
    """A zTXt chunk that inflates to `size` bytes."""
    return make_chunk(b"zTXt", keyword.encode() + b"\0\0" + zlib.compress(b"A" * size))


@pytest.mark.req("CARD-3")
def test_a_file_over_the_limit_is_refused_with_both_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("formats.card.read.FILE_BYTES", 500)
    error = refused(png_card(v3()))
    assert (error.code, error.error_kind) == ("too-large", "too-large")
    assert error.values == {"size": len(png_card(v3())), "limit": 500}


def test_card_json_over_the_limit_is_refused_with_its_size() -> None:
    text = b'{"name":"x","first_mes":"' + b"y" * limits.CARD_BYTES + b'"}'
    error = refused(text)
    assert (error.code, error.values["size"]) == ("text-too-large", len(text))
    error = refused(png(text_chunk("chara", base64.b64encode(text))))
    assert error.code == "text-too-large"


def test_a_packed_bomb_is_not_inflated_and_the_other_copy_is_used() -> None:
    data = png(bomb("ccv3", 200_000_000), text_chunk("chara", packed(v2())))
    tracemalloc.start()
    read = read_card(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert read.source.container == "png:tEXt:chara"
    told = next(finding for finding in read.findings if finding.code == "card-copy-too-long")
    assert told.args["limit"] == limits.CARD_BYTES
    assert "{limit}" in told.message
    assert peak < 3 * limits.STORED_CARD_BYTES


def test_a_packed_bomb_alone_is_refused_with_its_limit_in_the_first_sentence() -> None:
    error = refused(png(bomb("ccv3", 60_000_000)))
    assert (error.code, error.where) == ("card-too-long", "png:zTXt:ccv3")
    assert str(limits.CARD_BYTES) in fill(error.message, error.values)


def test_many_bombs_take_no_longer_than_a_few() -> None:
    chunk = bomb("chara", 60_000_000)
    start = time.process_time()
    refused(png(*[chunk] * 500))
    assert time.process_time() - start < 10


def test_text_chunks_over_the_limit_are_left_out() -> None:
    many = b"".join([make_chunk(b"tEXt", b"k\0v")] * 100_000)
    read = read_card(png(text_chunk("ccv3", packed(v3())), many))
    assert "too-many-chunks" in {finding.code for finding in read.findings}


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b"[[[[[{'a':"])
@pytest.mark.parametrize("times", [150, 400, 2_000, 100_000])
def test_deep_nesting_is_refused(opening: bytes, times: int) -> None:
    assert refused(opening * times).code in ("too-deep", "bad-json", "not-a-card")
    card = b'{"name":"x","first_mes":"y","z":' + b"[" * times + b"]" * times + b"}"
    if times < limits.DEPTH:
        assert read_card(card).card.data["z"]
    else:
        assert refused(card).code == "too-deep"


def test_deep_nesting_in_lenient_json_is_refused() -> None:
    assert refused(b"{name:'x',z:" + b"[" * 5000 + b"]" * 5000 + b"}").code == "too-deep"


def test_a_million_keys_are_read_in_time() -> None:
    keys = ",".join(f'"k{index}":{index}' for index in range(300_000))
    start = time.process_time()
    read = read_card(f'{{"name":"x","first_mes":"y",{keys}}}'.encode())
    assert time.process_time() - start < 10
    assert read.card.data["k299999"] == 299_999


def test_a_book_of_twenty_thousand_entries_is_read() -> None:
    read = read_card(json_bytes(v3(character_book=book(*(entry(number) for number in range(20_000))))))
    assert len(read.card.entries) == 20_000


def test_a_name_of_a_megabyte_is_only_a_long_name() -> None:
    read = read_card(json_bytes(v3(name="x" * 1_000_000, tags=[])))
    assert len(read.card.name) == 1_000_000


def large_png(path: Path, megabytes: int) -> None:
    noise = make_chunk(b"IDAT", bytes(range(256)) * 4096)
    with path.open("wb") as file:
        head, _, tail = png_card(v3()).partition(make_chunk(b"IEND", b""))
        file.write(head)
        for _ in range(megabytes):
            file.write(noise)
        file.write(make_chunk(b"IEND", b"") + tail)


def test_a_large_picture_is_read_from_a_memory_map_without_copying_it(tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    large_png(path, 40)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        tracemalloc.start()
        read = read_card(data)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert read.picture is not None
        assert sum(map(len, read.picture.parts())) == read.picture.size > 40_000_000
    assert peak < 2_000_000


def test_a_memory_map_can_be_closed_after_a_refusal(tmp_path: Path) -> None:
    path = tmp_path / "broken.png"
    path.write_bytes(png(text_chunk("chara", b"!!!")))
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        with pytest.raises(CardError) as caught:
            read_card(data)
        kept = caught.value
    assert kept.code == "broken-card"


CONTAINERS = {
    "png": png_card(v3(), "chara", "ccv3"),
    "charx": charx(v3(assets=[icon_asset("a.png")]), {"a.png": png()}),
    "jpeg+zip": jpeg(after_end=charx(v3())),
    "webp": webp(exif(json_bytes(v3()))),
    "json": json_bytes(v3()),
    "byaf": byaf(),
}


@pytest.mark.parametrize("name", sorted(CONTAINERS))
def test_a_memory_map_can_be_closed_after_a_card(name: str, tmp_path: Path) -> None:
    path = tmp_path / "card"
    path.write_bytes(CONTAINERS[name])
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        read = read_card(data)
        portrait = read.picture.data if read.picture else b""
    assert read.card.name
    assert bool(portrait) is (name != "json")


def test_every_kind_of_buffer_gives_the_same_card() -> None:
    data = png_card(v3())
    reads = [read_card(source) for source in (data, bytearray(data), memoryview(data))]
    assert len({read.source for read in reads}) == 1
    assert {read.picture.data for read in reads if read.picture} == {
        reads[0].picture.data if reads[0].picture else b""
    }
