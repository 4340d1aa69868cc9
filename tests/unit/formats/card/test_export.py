import base64
import copy
import io
import json
from typing import Any

import pytest
from PIL import Image

from formats.card import read_card
from formats.card.export import export_json, export_png, put_back_book
from formats.card.model import Card
from formats.errors import DomainError
from formats.image import picture_hash
from formats.png_chunks import TEXT_KINDS, keyword_of, make_chunk, read_chunks, read_text
from tests.support.plain_cards import a_card, full_card


def a_png() -> bytes:
    file = io.BytesIO()
    Image.effect_noise((40, 30), 50).save(file, "PNG")
    return file.getvalue()


def rich_card() -> Card:
    return a_card(
        entries=[
            {"content": "@@depth 4\n@@@role user\nThe guard.", "keys": ["guard"], "own_field": {"a": 1}}
        ],
        first_mes="你好，{{user}} 😀",
        nickname="Lin",
        assets=[{"type": "icon", "uri": "embeded://a.png", "name": "main", "ext": "png"}],
        group_only_greetings=["Hi all."],
        creator_notes_multilingual={"en": "x"},
        source=["https://cards.example/1"],
        creation_date=5,
        modification_date=6,
        unknown_field=[1, {"b": None}],
        extensions={"maker/own": {"deep": [1, 2]}},
    )


def cards_in(png: bytes) -> dict[str, Any]:
    chunks = [chunk for chunk in read_chunks(png).chunks if chunk.kind in TEXT_KINDS]
    texts = [read_text(png, chunk, 10_000_000) for chunk in chunks]
    return {
        text.keyword: json.loads(base64.b64decode(text.text))
        for text in texts
        if text.keyword in ("chara", "ccv3")
    }


@pytest.mark.req("CARD-13")
def test_a_book_is_put_back_and_nothing_else_changes() -> None:
    value = rich_card().to_v3() | {"own": 1}
    before = copy.deepcopy(value)
    book = {"entries": [], "name": "new"}
    changed = put_back_book(value, book)
    assert value == before
    assert changed["data"].pop("character_book") == book
    before["data"].pop("character_book")
    assert changed == before
    assert put_back_book(value, None) == before
    with pytest.raises(DomainError, match="no data object"):
        put_back_book({"name": "flat"}, book)


def test_v3_json_holds_everything_and_comes_back() -> None:
    exported = export_json(rich_card())
    value = json.loads(exported.data)
    assert value["spec"] == "chara_card_v3"
    assert Card.from_v3(value) == rich_card()
    assert exported.data.endswith(b"}\n")
    assert "你好".encode() in exported.data
    assert [loss.code for loss in exported.losses] == ["files-not-inside"]
    assert exported.media_type == "application/json"


def test_v2_json_tells_what_it_lost() -> None:
    exported = export_json(rich_card(), "v2")
    value = json.loads(exported.data)
    assert (value["spec"], value["spec_version"]) == ("chara_card_v2", "2.0")
    lost = {"assets", "nickname", "group_only_greetings", "creator_notes_multilingual", "source"}
    assert not lost & set(value["data"])
    assert value["data"]["unknown_field"] == [1, {"b": None}]
    assert value["data"]["extensions"] == {"maker/own": {"deep": [1, 2]}}
    (entry,) = value["data"]["character_book"]["entries"]
    assert (entry["content"], entry["own_field"]) == ("The guard.", {"a": 1})
    assert [loss.code for loss in exported.losses] == [
        "files-not-inside", "assets-lost", "nickname-lost", "group-greetings-lost", "notes-lost",
        "source-lost", "dates-lost", "dates-lost", "decorators-lost",
    ]  # fmt: skip
    assert all("{" not in loss.text for loss in exported.losses)


def test_a_card_without_anything_of_v3_loses_nothing() -> None:
    assert export_json(full_card(), "v3").losses == ()
    assert [loss.code for loss in export_json(full_card(), "v2").losses] == ["group-greetings-lost"]


def test_both_forms_go_into_the_picture_and_the_former_card_goes_out() -> None:
    png = a_png()
    end = png.index(b"IEND") - 4
    former = b"".join(make_chunk(b"tEXt", word + b"\0b2xk") for word in (b"chara", b"CCV3", b"Comment"))
    exported = export_png(
        rich_card(), png[:end] + former + png[end:] + make_chunk(b"tEXt", b"chara\0b2xk") + b"PK"
    )
    cards = cards_in(exported.data)
    assert cards["ccv3"] == rich_card().to_v3()
    assert cards["chara"]["spec"] == "chara_card_v2"
    assert picture_hash(exported.data) == picture_hash(png)
    keywords = [
        keyword_of(exported.data, c) for c in read_chunks(exported.data).chunks if c.kind in TEXT_KINDS
    ]
    assert sorted(keywords) == ["Comment", "ccv3", "chara"]
    assert read_chunks(exported.data).troubles == []
    Image.open(io.BytesIO(exported.data)).verify()


def test_an_exported_card_is_read_again_as_it_was() -> None:
    assert read_card(export_png(full_card(), a_png()).data).card.greetings == full_card().greetings
    assert read_card(export_json(rich_card()).data).card.data["unknown_field"] == [1, {"b": None}]


@pytest.mark.parametrize(
    "picture", [b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", a_png()[:-12], a_png()[:200]]
)
def test_only_a_whole_png_takes_a_card(picture: bytes) -> None:
    with pytest.raises(DomainError) as refused:
        export_png(full_card(), picture)
    assert refused.value.code == "picture-not-png"
