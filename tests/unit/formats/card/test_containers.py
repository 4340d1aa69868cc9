"""Every kind of file that can hold a card: the rows of the PNG and file-level table."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from formats.card import CardError, CardRead, read_card
from formats.png_chunks import SIGNATURE, make_chunk, read_chunks
from tests.support.cards import (
    END,
    HEADER,
    PIXELS,
    apng_card,
    archive,
    byaf,
    byte_list,
    charx,
    chinese_card,
    english_card,
    exif,
    icon_asset,
    international_chunk,
    jpeg,
    json_bytes,
    novelai_book,
    packed,
    packed_chunk,
    png,
    png_card,
    pygmalion,
    text_chunk,
    v1,
    v2,
    v3,
    webp,
)

Card = dict[str, Any]
RICH = v2(description="long " * 200)
POOR = v2(description="short")
BROKEN = text_chunk("ccv3", b"!!! no base64 !!!")


def codes(read: CardRead) -> set[str]:
    return {finding.code for finding in read.findings}


class Row(NamedTuple):
    """A file, the container it must be read from, codes that must be told, and a look at the card."""

    file: bytes
    container: str
    told: set[str] = set()
    check: Callable[[CardRead], bool] = lambda read: read.card.name == "Mira Oakes"


def described(text: str) -> Callable[[CardRead], bool]:
    return lambda read: read.card.data["description"].startswith(text)


def chunk_of(keyword: str, text: bytes) -> bytes:
    return png(text_chunk(keyword, text))


def wrong_checksum(chunk: bytes) -> bytes:
    return chunk[:-4] + struct.pack(">I", struct.unpack(">I", chunk[-4:])[0] ^ 1)


def disabled_entry_stays_off(read: CardRead) -> bool:
    return [entry["enabled"] for entry in read.card.entries] == [True, True, True, False]


V2_ON = v2(character_book=english_card()["data"]["character_book"])
LINES = base64.encodebytes(json_bytes(english_card()))
URL_SAFE = base64.urlsafe_b64encode(json_bytes(v2(description="ÿþ>?ÿÿ" * 20)))
UNPADDED = next(
    data.rstrip(b"=") for data in (packed(v2(description="x" * n)) for n in range(3)) if data.endswith(b"=")
)
GBK = base64.b64encode(json.dumps(v2(name="潮汐镇"), ensure_ascii=False).encode("gbk"))
SURROGATE = base64.b64encode(json.dumps(v2(description="half \\ud83d here")).replace("\\\\u", "\\u").encode())

PNG_ROWS = {
    "plain-chara-v2": Row(
        png_card(V2_ON, "chara"), "png:tEXt:chara", {"old-format"}, disabled_entry_stays_off
    ),
    "only-ccv3": Row(png_card(v3()), "png:tEXt:ccv3"),
    "both-differ-ccv3-wins": Row(
        png(text_chunk("chara", packed(POOR)), text_chunk("ccv3", packed(v3(description="newer")))),
        "png:tEXt:ccv3",
        {"card-copies-differ"},
        described("newer"),
    ),
    "ccv3-broken-falls-back": Row(
        png(BROKEN, text_chunk("chara", packed(RICH))),
        "png:tEXt:chara",
        {"card-copy-broken"},
        described("long"),
    ),
    "ccv3-bad-json-falls-back": Row(
        png(text_chunk("ccv3", base64.b64encode(b'{"name": ')), text_chunk("chara", packed(RICH))),
        "png:tEXt:chara",
        {"card-copy-broken"},
        described("long"),
    ),
    "two-chara-first-richer": Row(
        png_card(RICH, "chara").replace(END, text_chunk("chara", packed(POOR)) + END),
        "png:tEXt:chara",
        {"card-copies"},
        described("long"),
    ),
    "two-chara-second-richer": Row(
        png(text_chunk("chara", packed(POOR)), text_chunk("chara", packed(RICH))),
        "png:tEXt:chara",
        {"card-copies"},
        described("long"),
    ),
    "two-chara-first-garbage": Row(
        png(text_chunk("chara", b"garbage!"), text_chunk("chara", packed(POOR))),
        "png:tEXt:chara",
        {"card-copy-broken"},
        described("short"),
    ),
    "keyword-capitalised": Row(png_card(v2(), "Chara"), "png:tEXt:chara"),
    "text-after-pixels": Row(png(after_pixels=[text_chunk("ccv3", packed(v3()))]), "png:tEXt:ccv3"),
    "text-after-end": Row(
        png(after_end=text_chunk("ccv3", packed(v3()))), "png:tEXt:ccv3", {"data-after-end"}
    ),
    "ztxt": Row(png(packed_chunk("ccv3", packed(v3()))), "png:zTXt:ccv3"),
    "itxt-plain": Row(png(international_chunk("ccv3", packed(v3()))), "png:iTXt:ccv3"),
    "itxt-compressed": Row(png(international_chunk("ccv3", packed(v3()), compressed=True)), "png:iTXt:ccv3"),
    "raw-json-in-chunk": Row(chunk_of("chara", json_bytes(v2())), "png:tEXt:chara"),
    "base64-line-breaks": Row(chunk_of("ccv3", LINES), "png:tEXt:ccv3"),
    "base64-url-safe": Row(chunk_of("chara", URL_SAFE), "png:tEXt:chara", set(), described("ÿþ>?")),
    "base64-no-padding": Row(chunk_of("chara", UNPADDED), "png:tEXt:chara"),
    "base64-as-data-address": Row(
        chunk_of("chara", b"data:application/json;base64," + packed(v2())), "png:tEXt:chara"
    ),
    "bad-checksum": Row(
        png(wrong_checksum(text_chunk("ccv3", packed(v3())))), "png:tEXt:ccv3", {"checksum-wrong"}
    ),
    "no-end-chunk": Row(png(text_chunk("ccv3", packed(v3())), end=b""), "png:tEXt:ccv3", {"picture-no-end"}),
    "cut-inside-pixels": Row(
        png(text_chunk("ccv3", packed(v3())))[: -len(END) - 10], "png:tEXt:ccv3", {"picture-cut-short"}
    ),
    "length-2-to-31": Row(
        png(text_chunk("ccv3", packed(v3())), end=b"\x7f\xff\xff\xffIDAT"),
        "png:tEXt:ccv3",
        {"picture-cut-short"},
    ),
    "mark-inside-base64": Row(
        chunk_of("chara", base64.b64encode(b"\xef\xbb\xbf" + json_bytes(v2()))),
        "png:tEXt:chara",
        {"byte-order-mark"},
    ),
    "gbk-bytes": Row(
        chunk_of("chara", GBK), "png:tEXt:chara", {"not-utf8"}, lambda read: read.card.name == "潮汐镇"
    ),
    "chinese-and-emoji": Row(
        png_card(v3(name="阿岚🌊")), "png:tEXt:ccv3", set(), lambda read: read.card.name == "阿岚🌊"
    ),
    "apng": Row(apng_card(v2()), "png:tEXt:chara"),
    "v1-inside-chara": Row(
        png_card(v1(), "chara"),
        "png:tEXt:chara",
        {"old-format"},
        lambda read: read.source.spec == "chara_card_v1",
    ),
    "pygmalion-inside-chara": Row(
        png_card(pygmalion(), "chara"),
        "png:tEXt:chara",
        {"foreign-format"},
        lambda read: read.card.greetings == ["You are late."],
    ),
    "trailing-nul": Row(chunk_of("ccv3", packed(v3()) + b"\0\0"), "png:tEXt:ccv3"),
    "exif-user-comment": Row(png(make_chunk(b"eXIf", exif(json_bytes(v1())))), "png:exif"),
    "lone-surrogate": Row(
        chunk_of("chara", SURROGATE), "png:tEXt:chara", {"half-characters"}, described("half \ufffd here")
    ),
    "three-megabytes-of-extensions": Row(
        png_card(v3(extensions={"maker": {"blob": "x" * 3_000_000}})),
        "png:tEXt:ccv3",
        set(),
        lambda read: len(read.card.data["extensions"]["maker"]["blob"]) == 3_000_000,
    ),
    "ccv3-empty-falls-back": Row(
        png(
            text_chunk("ccv3", packed({"spec": "chara_card_v3", "data": {}})),
            text_chunk("chara", packed(POOR)),
        ),
        "png:tEXt:chara",
        {"card-copy-broken"},
        described("short"),
    ),
    "archive-behind-png": Row(png(after_end=charx(v3())), "png+zip"),
}

OTHER_ROWS = {
    "charx": Row(charx(v3()), "charx"),
    "charx-with-v2": Row(charx(v2()), "charx", {"old-format"}),
    "charx-in-top-folder": Row(charx(v3(), folder="Mira/"), "charx", {"top-folder"}),
    "charx-stored": Row(archive({"card.json": json_bytes(v3())}, stored=True), "charx"),
    "jpeg-and-zip": Row(jpeg(after_end=charx(v3())), "jpeg+zip"),
    "jpeg-exif": Row(jpeg(exif(json_bytes(v1()))), "jpeg:exif"),
    "webp-exif-json": Row(webp(exif(json_bytes(v1()))), "webp:exif"),
    "webp-exif-byte-list": Row(webp(exif(byte_list(v1()))), "webp:exif"),
    "webp-exif-utf16": Row(
        webp(exif(json_bytes(v1()).decode().encode("utf-16-le"), b"UNICODE\0")), "webp:exif"
    ),
    "json-v2": Row(json_bytes(v2()), "json", {"old-format"}),
    "json-v3": Row(json_bytes(v3()), "json"),
    "json-in-base64": Row(packed(v3()), "json"),
    "byaf": Row(byaf(), "charx:byaf", {"foreign-format"}),
}


@pytest.mark.req("CARD-1", "CARD-2", "CARD-11")
@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in (PNG_ROWS | OTHER_ROWS).items()])
def test_every_container_is_read(row: Row) -> None:
    read = read_card(row.file)
    assert read.source.container == row.container
    assert row.told <= codes(read)
    assert row.check(read)
    assert read.source.size == len(row.file)


@pytest.mark.req("CARD-1")
def test_a_healthy_card_is_told_nothing_about() -> None:
    assert read_card(png_card(english_card(), "chara", "ccv3")).findings == []


def test_exif_of_a_png_is_read_from_a_chunk_built_by_hand() -> None:
    data = exif(json_bytes(v1(name="Ada")))
    chunk = struct.pack(">I", len(data)) + b"eXIf" + data + struct.pack(">I", zlib.crc32(b"eXIf" + data))
    read = read_card(png(chunk))
    assert (read.source.container, read.card.name) == ("png:exif", "Ada")


@pytest.mark.parametrize("name", sorted(PNG_ROWS.keys() - {"cut-inside-pixels"}))
def test_the_portrait_of_a_png_holds_no_text_and_one_frame(name: str) -> None:
    picture = read_card(PNG_ROWS[name].file).picture
    assert picture is not None
    kinds = [chunk.kind for chunk in read_chunks(picture.data).chunks]
    assert set(kinds) <= {b"IHDR", b"IDAT", b"IEND"}
    assert kinds[-1] == b"IEND"
    assert len(picture.data) == picture.size == sum(map(len, picture.parts(7)))
    assert (picture.media_type, picture.extension) == ("image/png", "png")


def test_the_first_frame_of_an_animation_stays_byte_for_byte() -> None:
    picture = read_card(apng_card(v2())).picture
    assert picture is not None
    assert picture.data == SIGNATURE + HEADER + PIXELS + END


def test_the_main_icon_of_an_archive_is_its_portrait() -> None:
    icon = png(text_chunk("note", b"small"))
    other = icon_asset("assets/icon/images/2.png") | {"name": "second"}
    files = {"assets/icon/images/main.png": icon, "assets/icon/images/2.png": png()}
    read = read_card(charx(v3(assets=[other, icon_asset()]), files))
    assert read.picture is not None
    assert read.picture.data == icon
    assert [asset.data for asset in read.assets] == [png(), icon]


AVIF = b"\0\0\0\x20ftypavif\0\0\0\0avifmif1miafMA1B" + b"\0" * 200
HUGE = SIGNATURE + make_chunk(b"IHDR", struct.pack(">IIBBBBB", 8_000, 5_001, 8, 2, 0, 0, 0)) + PIXELS + END


@pytest.mark.req("CARD-11")
@pytest.mark.parametrize(
    ("icon", "code"),
    [
        (AVIF, "picture-unknown"),
        (b"not a picture at all", "picture-unknown"),
        (jpeg()[:20], "picture-unknown"),
        (HUGE, "picture-too-large"),
    ],
)
def test_what_no_browser_should_show_is_no_portrait_but_stays_a_file(icon: bytes, code: str) -> None:
    read = read_card(charx(v3(assets=[icon_asset("i.png")]), {"i.png": icon}))
    assert read.picture is None
    assert code in codes(read)
    assert [asset.data for asset in read.assets] == [icon]
    second = icon_asset("b.png") | {"name": "other"}
    read = read_card(charx(v3(assets=[icon_asset("i.png"), second]), {"i.png": icon, "b.png": png()}))
    assert read.picture is not None
    assert read.picture.data == png()
    assert code in codes(read)


@pytest.mark.req("CARD-11")
@pytest.mark.parametrize(
    ("file", "code"),
    [
        (AVIF + charx(v3()), "picture-unknown"),
        (png_card(v3()).replace(HEADER, HUGE[8:33]), "picture-too-large"),
        (png_card(v3()).replace(HEADER, b""), "picture-unknown"),
        (png_card(v3()).replace(PIXELS, b""), "picture-empty"),
    ],
)
def test_a_container_that_is_no_picture_we_keep_gives_its_card_without_one(file: bytes, code: str) -> None:
    read = read_card(file)
    assert read.card.name == "Mira Oakes"
    assert read.picture is None
    assert code in codes(read)


def test_a_picture_of_exactly_the_most_pixels_is_kept() -> None:
    header = make_chunk(b"IHDR", struct.pack(">IIBBBBB", 8_000, 5_000, 8, 2, 0, 0, 0))
    read = read_card(png_card(v3()).replace(HEADER, header))
    assert read.picture is not None
    assert read.findings == []


def test_the_picture_before_an_archive_ends_where_the_archive_begins() -> None:
    read = read_card(jpeg(after_end=charx(v3())))
    assert read.picture is not None
    assert read.picture.data == jpeg()
    assert read.picture.media_type == "image/jpeg"


@pytest.mark.parametrize("uri", ["embeded://a/i.png", "embedded://a/i.png", "__asset:a/i.png"])
def test_every_spelling_of_an_embedded_address_is_read(uri: str) -> None:
    asset = {"type": "background", "name": "sea", "uri": uri, "ext": "png"}
    read = read_card(charx(v3(assets=[asset]), {"a/i.png": png()}))
    assert [(asset.name, asset.type, asset.data) for asset in read.assets] == [("sea", "background", png())]


def test_asset_chunks_are_listed_whether_the_card_names_them_or_not() -> None:
    chunks = [
        text_chunk("ccv3", packed(v3(assets=[icon_asset("A.png") | {"name": "smile", "type": "emotion"}]))),
        text_chunk("chara-ext-asset_:A.png", base64.b64encode(png())),
        text_chunk("chara-ext-asset_B.png", base64.b64encode(jpeg())),
    ]
    read = read_card(png(*chunks))
    assert [(asset.name, asset.type, asset.data) for asset in read.assets] == [
        ("smile", "emotion", png()),
        ("B.png", "other", jpeg()),
    ]


def test_a_missing_or_broken_file_never_costs_the_card() -> None:
    assets = [
        icon_asset("gone.png"),
        icon_asset("assets/bad.png"),
        {"uri": "data:image/png;base64,%%", "name": "d"},
    ]
    chunk = text_chunk("chara-ext-asset_:assets/bad.png", b"%%%")
    read = read_card(png(text_chunk("ccv3", packed(v3(assets=assets))), chunk))
    assert [asset.data for asset in read.assets] == [None, None, None]
    assert {"asset-missing", "asset-unreadable"} <= codes(read)


def test_a_data_address_is_read_and_an_address_outside_is_not() -> None:
    data = "data:image/png;base64," + base64.b64encode(png()).decode()
    assets = [{"uri": data, "type": "icon"}, {"uri": "https://pictures.example/a.png", "type": "icon"}]
    read = read_card(json_bytes(v3(assets=assets)))
    assert [asset.data for asset in read.assets] == [png(), None]
    assert read.picture is not None
    assert read.picture.data == png()
    assert read.urls == ["https://pictures.example/a.png"]


def test_a_backyard_archive_becomes_a_card() -> None:
    read = read_card(byaf())
    card = read.card
    assert card.data["description"] == "{{char}} keeps the light for {{user}}."
    assert card.data["scenario"] == "A storm keeps {{user}} here."
    assert card.greetings == ["You are late, {{user}}.", "The lamp is out."]
    assert card.data["mes_example"] == "{{char}}: It is up."
    assert card.data["system_prompt"] == "Write calmly."
    assert card.data["creator"] == "Ines Falk"
    assert [(entry["keys"], entry["content"]) for entry in card.entries] == [
        (["lamp", "oil"], "{{char}} feeds it.")
    ]
    assert read.picture is not None
    assert read.picture.data == png()


@pytest.mark.parametrize("cut", [0, 1, 7])
def test_the_name_of_a_file_decides_nothing(cut: int) -> None:
    read = read_card(charx(chinese_card()), filename=("card.png", "card.json", "card.webp.card")[cut % 3])
    assert read.source.container == "charx"
    assert read.card.name == "潮汐镇"


KINDS = {
    "picture": png(),
    "picture-jpeg": jpeg(),
    "picture-camera": jpeg(exif(b"A quiet morning")),
    "picture-workflow": webp(exif(json_bytes({"workflow": {"nodes": []}}))),
    "picture-png-exif": png(make_chunk(b"eXIf", exif(b"{broken"))),
    "picture-webp": webp(),
    "lorebook-in-png": png(text_chunk("naidata", packed(novelai_book()))),
    "archive": archive({"notes.txt": b"nothing"}),
    "world": archive({"world.json": b"{}"}),
    "archive-card-is-a-folder": archive({"card.json/": b""}),
    "archive-two-top-folders": archive({"a/card.json": b"{}", "b/card.json": b"{}"}),
}


@pytest.mark.parametrize("name", sorted(KINDS))
def test_a_file_without_a_card_is_named(name: str) -> None:
    with pytest.raises(CardError) as caught:
        read_card(KINDS[name])
    assert caught.value.code == "other-file"
    assert caught.value.kind == name.split("-")[0]
    assert caught.value.error_kind == "unsupported"


def test_a_damaged_only_copy_is_refused_with_its_place() -> None:
    with pytest.raises(CardError) as caught:
        read_card(png(text_chunk("chara", b"!!!")))
    assert (caught.value.code, caught.value.where) == ("broken-card", "png:tEXt:chara")


def test_a_backyard_archive_of_two_people_says_so() -> None:
    manifest = json_bytes({"characters": ["a.json", "b.json"]})
    with pytest.raises(CardError) as caught:
        read_card(archive({"manifest.json": manifest}))
    assert (caught.value.code, caught.value.count) == ("several-cards", 2)
