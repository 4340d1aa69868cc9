"""Archives that attack their reader: bombs, overlaps, links, names that want to be paths."""

from __future__ import annotations

import io
import struct
import zipfile
from typing import Any

import pytest

from formats.card import CardError, limits, read_card
from formats.finding import fill
from tests.support.cards import archive as zip_of
from tests.support.cards import charx, icon_asset, jpeg, json_bytes, png, v3

CARD = json_bytes(v3())


def refused(data: bytes) -> CardError:
    with pytest.raises(CardError) as caught:
        read_card(data)
    return caught.value


def shown(error: CardError) -> str:
    """Message and reason as a person reads them."""
    return f"{error} {fill(error.hint, error.values)}"


def member(name: str, data: bytes = b"x", **fields: Any) -> bytes:
    """An archive with the card and one more member whose header fields are set."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr("card.json", CARD)
        info = zipfile.ZipInfo(name)
        for field, value in fields.items():
            setattr(info, field, value)
        opened.writestr(info, data)
    return file.getvalue()


def overlapping(count: int) -> bytes:
    """Central entries that all point at one local member."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr("card.json", CARD)
        first = opened.infolist()[0]
        for index in range(count):
            copy = zipfile.ZipInfo(f"card{index}.json")
            copy.header_offset, copy.CRC = first.header_offset, first.CRC
            copy.compress_type = first.compress_type
            copy.compress_size, copy.file_size = first.compress_size, first.file_size
            opened.filelist.append(copy)
    return file.getvalue()


def flagged_as_encrypted(data: bytes) -> bytes:
    """Set the encryption bit in the local and the central header of the first member."""
    changed = bytearray(data)
    changed[6] |= 1
    at = data.index(b"PK\x01\x02")
    changed[at + 8] |= 1
    return bytes(changed)


def with_asset(name: str, archive_bytes: bytes) -> Any:
    """Read an archive whose card lists one file; gives its bytes and the codes told."""
    read = read_card(archive_bytes)
    return read.assets[0].data, {finding.code for finding in read.findings}


def test_too_many_members() -> None:
    error = refused(zip_of({f"{index}.txt": b"" for index in range(limits.ARCHIVE_MEMBERS + 1)}, stored=True))
    assert error.code == "unsafe-archive"
    assert str(limits.ARCHIVE_MEMBERS) in shown(error)


def test_a_directory_that_hides_its_length_is_refused_before_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = bytearray(zip_of({f"{index}.txt": b"" for index in range(60_000)}, stored=True))
    struct.pack_into("<HH", data, len(data) - 22 + 8, 1, 1)  # the end record lies: one member
    opener = "formats.card.archive.zipfile.ZipFile"
    monkeypatch.setattr(opener, lambda *_: pytest.fail("the directory was read"))
    assert refused(bytes(data)).code == "unsafe-archive"


def test_a_bomb_by_ratio() -> None:
    assert "times its size" in refused(zip_of({"card.json": CARD, "zeros": bytes(3_000_000)})).hint


def test_a_bomb_by_what_it_claims() -> None:
    data = bytearray(member("big", b"x" * 10))
    at = data.rindex(b"PK\x01\x02")
    struct.pack_into("<II", data, at + 20, 10_000_000, 400_000_000)
    assert refused(bytes(data)).code == "unsafe-archive"


def test_overlapping_members() -> None:
    assert "overlap" in refused(overlapping(500)).hint


def test_a_card_that_is_encrypted() -> None:
    error = refused(flagged_as_encrypted(charx(v3())))
    assert (error.code, error.where) == ("archive-card-unusable", "card.json")
    assert "encrypted" in shown(error)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("second", ["card.json", "CARD.JSON"])
def test_a_card_that_is_there_twice(second: str) -> None:
    error = refused(zip_of([("card.json", CARD), (second, b"{}")]))
    assert error.code == "archive-card-unusable"
    assert f"card.json, {second}" in shown(error)


def test_a_card_in_capitals_is_found() -> None:
    assert read_card(zip_of({"CARD.JSON": CARD})).card.name == "Mira Oakes"


def test_a_card_that_is_a_link() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as opened:
        info = zipfile.ZipInfo("card.json")
        info.external_attr = 0o120777 << 16
        opened.writestr(info, "/etc/passwd")
    assert "link" in refused(file.getvalue()).hint


def test_a_card_packed_in_an_unusual_way() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_LZMA) as opened:
        opened.writestr("card.json", CARD)
    assert refused(file.getvalue()).code == "archive-card-unusable"


def test_a_card_over_the_limit() -> None:
    big = b'{"a":"' + b"0123456789abcdef" * 2_200_000 + b'"}'
    assert refused(zip_of({"card.json": big}, stored=True)).code == "archive-card-unusable"


@pytest.mark.parametrize("name", ["../../x", "/etc/passwd", "C:\\x", "a\\b", "x" * 300, "a:b"])
def test_names_that_are_odd_cost_nothing(name: str) -> None:
    card = v3(assets=[icon_asset("other.png")])
    read = read_card(zip_of({"card.json": json_bytes(card), name: png(), "other.png": png()}))
    assert [asset.data for asset in read.assets] == [png()]


@pytest.mark.req("CARD-11")
@pytest.mark.parametrize(
    "name", ["../x.png", "a/../../x.png", "/x.png", "C:\\x.png", "c:/x.png", "a\\x.png", "..", "x.png\0.txt"]
)
def test_a_name_that_leads_out_of_the_archive_is_ignored_and_told(name: str) -> None:
    card = v3(assets=[icon_asset(name), icon_asset("x.png")])
    stored = zip_of({"card.json": json_bytes(card), "N" * len(name): png()})
    read = read_card(stored.replace(b"N" * len(name), name.encode()))
    assert [asset.data for asset in read.assets] == [None, None]
    told = [finding for finding in read.findings if finding.code == "member-unsafe"]
    assert [finding.args["name"] for finding in told] == [name.replace("\0", "\ufffd")]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_file_that_is_there_twice_is_named() -> None:
    files = [("card.json", json_bytes(v3(assets=[icon_asset("i.png")]))), ("i.png", png()), ("I.png", png())]
    read = read_card(zip_of(files))
    told = next(finding for finding in read.findings if finding.code == "asset-unreadable")
    assert fill(told.hint, told.args) == "Several files in the archive have one name: i.png, I.png."


def test_an_address_that_climbs_finds_nothing_outside_the_archive() -> None:
    read = read_card(charx(v3(assets=[icon_asset("../../etc/passwd")])))
    assert read.assets[0].data is None
    assert "asset-missing" in {finding.code for finding in read.findings}


def test_names_are_compared_without_case_and_by_composed_form() -> None:
    read = read_card(charx(v3(assets=[icon_asset("Assets/é.PNG")]), {"assets/e\u0301.png": png()}))
    assert read.assets[0].data == png()


def test_a_file_with_a_wrong_checksum_never_costs_the_card() -> None:
    data = bytearray(
        zip_of({"card.json": json_bytes(v3(assets=[icon_asset("a.png")])), "a.png": png()}, stored=True)
    )
    at = bytes(data).rindex(b"PK\x01\x02")
    data[at + 16] ^= 0xFF
    read = read_card(bytes(data))
    assert read.assets[0].data is None
    assert "asset-unreadable" in {finding.code for finding in read.findings}


def test_files_over_the_limit_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("formats.card.assets.ALL_ASSETS_BYTES", len(png()) + 5)
    assets = [icon_asset("a.png"), icon_asset("b.png")]
    read = read_card(charx(v3(assets=assets), {"a.png": png(), "b.png": png()}))
    assert [asset.data for asset in read.assets] == [png(), None]
    assert "asset-too-large" in {finding.code for finding in read.findings}


def test_a_comment_and_bytes_after_the_end_are_no_obstacle() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as opened:
        opened.writestr("card.json", CARD)
        opened.comment = b"c" * 65_000
    assert read_card(file.getvalue()).source.container == "charx"


def test_zip64_is_read() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as opened, opened.open("card.json", "w", force_zip64=True) as inside:
        inside.write(CARD)
    assert read_card(file.getvalue()).card.name == "Mira Oakes"


@pytest.mark.parametrize("length", [4, 30, 60, -30, -5])
def test_a_cut_archive_is_refused(length: int) -> None:
    assert refused(charx(v3())[:length]).code in ("bad-archive", "unsafe-archive")


def test_a_dangerous_archive_behind_a_picture_is_refused_too() -> None:
    assert refused(jpeg(after_end=overlapping(500))).code == "unsafe-archive"


def test_a_zip_without_a_card_behind_a_picture_leaves_a_picture() -> None:
    assert refused(jpeg(after_end=zip_of({"notes.txt": b"x"}))).kind == "picture"
