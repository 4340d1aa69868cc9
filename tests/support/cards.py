"""The one place where the tests get their cards from (CARD-12). Everything here is invented.

`english_card()` and `chinese_card()` are whole cards with every part filled; `v1`, `v2`, `v3` are small ones
to change field by field. The functions below them put a card into every container.
"""

from __future__ import annotations

import base64
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

from PIL import Image

from formats.png_chunks import SIGNATURE, make_chunk

Json = dict[str, Any]


# --- card objects -------------------------------------------------------------------------------


def entry(number: int = 0, **fields: Any) -> Json:
    """A V3 lorebook entry."""
    return {
        "id": number,
        "keys": [f"harbour {number}", f"pier {number}"],
        "secondary_keys": [],
        "comment": f"Harbour {number}",
        "content": f"Pier {number} of the harbour is closed at night.",
        "constant": False,
        "selective": False,
        "insertion_order": 100,
        "enabled": True,
        "position": "before_char",
        "use_regex": False,
        "extensions": {"position": 0, "probability": 100, "useProbability": True, "depth": 4},
        **fields,
    }


def book(*entries: Any, **fields: Any) -> Json:
    """A V3 lorebook; two entries where none are given."""
    listed = list(entries) or [entry(0), entry(1)]
    return {"name": "The harbour", "extensions": {}, "entries": listed, **fields}


def v1(**fields: Any) -> Json:
    """A V1 card: six texts at the root."""
    return {
        "name": "Mira Oakes",
        "description": "{{char}} keeps the lighthouse of a small harbour town.",
        "personality": "dry, patient",
        "scenario": "A storm keeps {{user}} in the lighthouse.",
        "first_mes": 'The door slams. "You are late," says {{char}}.',
        "mes_example": "<START>\n{{user}}: Is it far?\n{{char}}: It is up.",
        **fields,
    }


def data_v2(**fields: Any) -> Json:
    """The `data` of a V2 card."""
    return (
        v1(
            creator_notes="Best with long answers.",
            system_prompt="",
            post_history_instructions="",
            alternate_greetings=["The lamp is out."],
            tags=["sea", "calm"],
            creator="Ines Falk",
            character_version="1.0",
            extensions={},
        )
        | fields
    )


def v2(**fields: Any) -> Json:
    """A V2 card; `fields` change its data."""
    return {"spec": "chara_card_v2", "spec_version": "2.0", "data": data_v2(**fields)}


def v3(**fields: Any) -> Json:
    """A V3 card; `fields` change its data."""
    return {"spec": "chara_card_v3", "spec_version": "3.0", "data": data_v2(group_only_greetings=[]) | fields}


def english_card() -> Json:
    """A plain English V3 card: three greetings, a book of four entries, a picture, a character's note."""
    return v3(
        creator_notes="Made for slow evenings.\n\n![cover](https://pictures.example/cover.png)",
        system_prompt="{{original}} Write as a patient narrator.",
        alternate_greetings=[
            "The lamp is out, and {{char}} is not on the stairs.",
            "Fog. A bell. {{char}} waves.",
        ],
        character_book=book(
            entry(
                0,
                keys=["lamp"],
                comment="The lamp",
                content="The lamp burns whale oil and must be fed at dusk.",
            ),
            entry(
                1, keys=["bell", "fog"], comment="The bell", content="The bell rings by itself before fog."
            ),
            entry(
                2,
                keys=[],
                constant=True,
                comment="The town",
                content="The town has nine houses and no priest.",
            ),
            entry(3, enabled=False, comment="Cut", content="An idea that was switched off."),
        ),
        extensions={
            "talkativeness": "0.5",
            "fav": False,
            "world": "The harbour",
            "depth_prompt": {"prompt": "Mira never says sorry.", "depth": 4, "role": "system"},
        },
    )


CHINESE_STATE = """{
  // 初始状态
  "天气": "小雨",
  "潮位": [3, "0 到 9，越高越危险"],
  "灯塔": { "灯油": 40, "点亮": false },
}"""


def regex_script(name: str = "状态栏") -> Json:
    """A regex script as SillyTavern stores it in a card."""
    return {
        "id": "0f0e",
        "scriptName": name,
        "findRegex": "/<StatusPlaceHolderImpl\\/>/g",
        "replaceString": '<div><img src="https://pictures.example/status.webp"></div>',
        "placement": [2],
        "disabled": False,
    }


def helper_script(name: str = "变量结构", content: str = "registerMvuSchema(z.object({}))") -> Json:
    """A helper script as the Tavern Helper stores it."""
    return {"type": "script", "enabled": True, "name": name, "id": "7a", "content": content, "button": {}}


def chinese_card() -> Json:
    """A Chinese V3 card: `[InitVar]`, update rules, EJS, regex and helper scripts, four greetings."""
    return v3(
        name="潮汐镇",
        description="",
        personality="",
        scenario="{{user}}在雨夜来到潮汐镇。",
        first_mes="<StatusPlaceHolderImpl/>\n\n雨落在石板路上。阿岚抬起头：“你迟到了，{{user}}。”",
        mes_example="",
        alternate_greetings=["灯塔没有亮。", "雾里传来钟声。", "<div style='color:red'>潮水退了。</div>"],
        tags=["海边", "悬疑"],
        creator="虚构作者",
        creator_notes="仅供测试。",
        character_book=book(
            entry(0, keys=[], comment="[InitVar]初始变量", content=CHINESE_STATE, enabled=False),
            entry(
                1,
                keys=["阿岚"],
                comment="阿岚",
                content="阿岚，看守人的女儿。\n<% if (getvar('天气') === '小雨') { %>她带着伞。<% } %>",
            ),
            entry(2, keys=["灯塔", "塔"], comment="灯塔", content="灯塔建于百年前，守塔人从不离开。"),
            entry(
                3,
                keys=[],
                constant=True,
                comment="[mvu_update]变量更新规则",
                content="<UpdateVariable>每次回复后更新潮位。</UpdateVariable>",
                extensions={"position": 4, "depth": 0, "role": 0},
            ),
            name="潮汐镇世界书",
        ),
        extensions={
            "regex_scripts": [regex_script(), regex_script("隐藏变量")],
            "tavern_helper": {"scripts": [helper_script()], "variables": {}},
            "world": "潮汐镇世界书",
        },
    )


def pygmalion(**fields: Any) -> Json:
    """The older form of Pygmalion and the text generation web interface."""
    return {
        "char_name": "Mira Oakes",
        "char_persona": "A keeper of lighthouses.",
        "world_scenario": "A storm.",
        "char_greeting": "You are late.",
        "example_dialogue": "{{char}}: It is up.",
        **fields,
    }


def agnai(**fields: Any) -> Json:
    """A character as Agnai exports it."""
    return {
        "kind": "character",
        "name": "Mira Oakes",
        "description": "For slow evenings.",
        "persona": {"kind": "boostyle", "attributes": {"species": ["human"], "mind": ["dry", "patient"]}},
        "greeting": "You are late.",
        "scenario": "A storm.",
        "sampleChat": "{{char}}: It is up.",
        "alternateGreetings": ["The lamp is out."],
        "characterBook": agnai_book(),
        **fields,
    }


# --- lorebooks of other programs ----------------------------------------------------------------


def sillytavern_book(**fields: Any) -> Json:
    """A world file as SillyTavern stores it."""
    first = {
        "uid": 0,
        "key": ["lamp"],
        "keysecondary": ["oil"],
        "comment": "The lamp",
        "content": "It burns whale oil.",
        "constant": False,
        "selective": True,
        "selectiveLogic": 3,
        "order": 90,
        "position": 4,
        "depth": 2,
        "disable": True,
        "excludeRecursion": True,
        "probability": 50,
    }
    return {"entries": {"10": first | {"uid": 10, "comment": "Later"}, "2": first | {"uid": 2}}, **fields}


def novelai_book() -> Json:
    """A NovelAI lorebook."""
    return {
        "lorebookVersion": 4,
        "entries": [
            {
                "text": "It burns whale oil.",
                "displayName": "The lamp",
                "keys": ["lamp"],
                "enabled": False,
                "forceActivation": True,
                "contextConfig": {"budgetPriority": 400},
            }
        ],
    }


def agnai_book() -> Json:
    """A memory book of Agnai."""
    return {
        "kind": "memory",
        "name": "The harbour",
        "entries": [
            {
                "name": "The lamp",
                "entry": "It burns whale oil.",
                "keywords": ["lamp"],
                "weight": 7,
                "enabled": True,
            }
        ],
    }


def risu_book() -> Json:
    """A lorebook of Risu."""
    lamp = {
        "key": "lamp, light",
        "secondkey": "oil",
        "comment": "The lamp",
        "content": "It burns whale oil.",
        "insertorder": 7,
        "alwaysActive": True,
        "selective": True,
    }
    return {"type": "risu", "ver": 1, "data": [lamp]}


# --- text, pictures and chunks ------------------------------------------------------------------


def packed(card: Any) -> bytes:
    """Base64 of the card's JSON, as it stands in a chunk."""
    return base64.b64encode(json_bytes(card))


def json_bytes(card: Any) -> bytes:
    """The card as a JSON file."""
    return json.dumps(card, ensure_ascii=False).encode("utf-8")


def text_chunk(keyword: str, text: bytes) -> bytes:
    """A tEXt chunk."""
    return make_chunk(b"tEXt", keyword.encode("latin-1") + b"\0" + text)


def packed_chunk(keyword: str, text: bytes) -> bytes:
    """A zTXt chunk."""
    return make_chunk(b"zTXt", keyword.encode("latin-1") + b"\0\0" + zlib.compress(text))


def international_chunk(keyword: str, text: bytes, *, compressed: bool = False) -> bytes:
    """An iTXt chunk."""
    head = keyword.encode("latin-1") + b"\0" + (b"\1\0" if compressed else b"\0\0") + b"zh\0" + b"card\0"
    return make_chunk(b"iTXt", head + (zlib.compress(text) if compressed else text))


HEADER = make_chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0))
PIXELS = make_chunk(b"IDAT", zlib.compress((b"\0" + bytes(range(24))) * 8))
END = make_chunk(b"IEND", b"")


def png(
    *chunks: bytes, after_pixels: Iterable[bytes] = (), end: bytes = END, after_end: bytes = b""
) -> bytes:
    """An 8×8 PNG with chunks before its pixels, after them, and bytes after its end."""
    return b"".join([SIGNATURE, HEADER, *chunks, PIXELS, *after_pixels, end, after_end])


def png_card(card: Any, *keywords: str) -> bytes:
    """A PNG that holds the card under these keywords (`ccv3` where none is given)."""
    return png(*(text_chunk(keyword, packed(card)) for keyword in keywords or ("ccv3",)))


def apng_card(card: Any) -> bytes:
    """An animated PNG of two frames."""
    control = struct.pack(">IIIIIHHBB", 0, 8, 8, 0, 0, 1, 10, 0, 0)
    second = struct.pack(">I", 2) + zlib.compress((b"\0" + bytes(24)) * 8)
    return png(
        make_chunk(b"acTL", struct.pack(">II", 2, 0)),
        make_chunk(b"fcTL", control),
        text_chunk("chara", packed(card)),
        after_pixels=[make_chunk(b"fcTL", b"\0\0\0\1" + control[4:]), make_chunk(b"fdAT", second)],
    )


def exif(comment: bytes, charset: bytes = b"ASCII\0\0\0") -> bytes:
    """EXIF data with a user comment in its EXIF directory (little-endian TIFF)."""
    value = charset + comment
    pointer = struct.pack("<HHHIII", 1, 0x8769, 4, 1, 26, 0)
    directory = struct.pack("<HHHIII", 1, 0x9286, 7, len(value), 44, 0)
    return b"II*\0" + struct.pack("<I", 8) + pointer + directory + value


def byte_list(card: Any) -> bytes:
    """The card's JSON as a list of byte numbers between commas, as some WebP files hold it."""
    return ",".join(map(str, json_bytes(card))).encode("ascii")


def _saved(kind: str, **options: Any) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (8, 8), (90, 120, 160)).save(file, kind, **options)
    return file.getvalue()


def jpeg(exif_data: bytes = b"", after_end: bytes = b"") -> bytes:
    """A JPEG, with EXIF data and bytes after its end where given."""
    return _saved("JPEG", **({"exif": b"Exif\0\0" + exif_data} if exif_data else {})) + after_end


def webp(exif_data: bytes = b"") -> bytes:
    """A WebP, with EXIF data where given."""
    return _saved("WEBP", **({"exif": exif_data} if exif_data else {}))


def archive(files: Mapping[str, bytes] | Iterable[tuple[str, bytes]], *, stored: bool = False) -> bytes:
    """A zip; a list of pairs may name a member twice."""
    file = io.BytesIO()
    pairs = files.items() if isinstance(files, Mapping) else files
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED) as opened:
        for name, data in pairs:
            opened.writestr(
                zipfile.ZipInfo(name), data, zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            )
    return file.getvalue()


def charx(card: Any, files: Mapping[str, bytes] | None = None, *, folder: str = "") -> bytes:
    """A CharX archive: `card.json` and files, all in a top folder where given."""
    inside = {"card.json": json_bytes(card), **(files or {})}
    return archive({folder + name: data for name, data in inside.items()})


def icon_asset(path: str = "assets/icon/images/main.png") -> Json:
    """A main icon that lies inside the archive."""
    return {"type": "icon", "name": "main", "uri": f"embeded://{path}", "ext": "png"}


def byaf() -> bytes:
    """A Backyard archive with two scenarios and one lore item."""
    character = {
        "schemaVersion": 1,
        "id": "mira",
        "name": "Mira",
        "displayName": "Mira Oakes",
        "persona": "{character} keeps the light for {user}.",
        "loreItems": [{"id": "l1", "order": "a", "key": "lamp, oil", "value": "{character} feeds it."}],
        "images": [{"path": "images/mira.png", "label": ""}],
    }

    def scenario(narrative: str, greeting: str) -> bytes:
        return json_bytes(
            {
                "title": "Storm",
                "narrative": narrative,
                "formattingInstructions": "Write calmly.",
                "firstMessages": [{"characterID": "mira", "text": greeting}],
                "exampleMessages": [{"characterID": "mira", "text": "#{character}: It is up."}],
            }
        )

    manifest = {
        "schemaVersion": 1,
        "characters": ["characters/mira/character.json"],
        "scenarios": ["scenarios/1.json", "scenarios/2.json"],
        "author": {"name": "Ines Falk"},
    }
    return archive(
        {
            "manifest.json": json_bytes(manifest),
            "characters/mira/character.json": json_bytes(character),
            "characters/mira/images/mira.png": png(),
            "scenarios/1.json": scenario("A storm keeps {user} here.", "You are late, {user}."),
            "scenarios/2.json": scenario("Fog.", "The lamp is out."),
        }
    )
