"""Invented cards and worlds of a given size; the same call always gives the same bytes."""

from __future__ import annotations

import base64
import json
import random
import struct
import zlib
from collections.abc import Iterator
from itertools import islice
from typing import Any

from formats.png_chunks import SIGNATURE, make_chunk
from worlds.rules.documents import (
    Character,
    Document,
    Exit,
    Item,
    Knowledge,
    Location,
    Lore,
    Source,
    WorldFile,
    kind_of,
)
from worlds.rules.write import document_bytes, document_path

# One paragraph in each language that cards are mostly written in, with the marks that reading has to find.
PARAGRAPHS = (
    "The ferry of {{char}} leaves pier %d at dusk. Nobody asks {{user}} for a name; the rope is wet.\n\n",
    "第%d号码头的灯在雾里亮着。{{char}}把账本合上，抬头看了看{{user}}，说：“今晚不开船。”\n\n",
)


def text_of(characters: int, seed: int = 0) -> str:
    """Prose of at least so many characters, English and Chinese in turn; no two paragraphs are the same."""
    parts: list[str] = []
    size = 0
    while size < characters:
        number = seed + len(parts)
        parts.append(PARAGRAPHS[number % 2] % number)
        size += len(parts[-1])
    return "".join(parts)


def entry(number: int, characters: int) -> dict[str, Any]:
    """A lorebook entry as SillyTavern writes it."""
    return {
        "id": number,
        "keys": [f"pier {number}", f"{number}号码头"],
        "secondary_keys": [],
        "comment": f"Pier {number}",
        "content": text_of(characters, number * 7),
        "constant": number % 10 == 0,
        "selective": False,
        "insertion_order": 100 + number,
        "enabled": number % 20 != 0,
        "position": "before_char",
        "extensions": {"position": 0, "probability": 100, "depth": 4, "role": 0},
    }


def card(description: int = 300, entries: int = 0, characters: int = 0) -> dict[str, Any]:
    """A V3 card: `description` characters of description, and so many entries of so many characters."""
    return {
        "spec": "chara_card_v3",
        "spec_version": "3.0",
        "data": {
            "name": "Mira Oakes",
            "description": text_of(description),
            "personality": "dry, patient",
            "scenario": "A storm keeps {{user}} in the ferry house.",
            "first_mes": "The bell rings twice. “You are late,” says {{char}}.",
            "mes_example": "<START>\n{{user}}: Is it far?\n{{char}}: It is across.",
            "creator_notes": "Made for slow evenings.",
            "system_prompt": "Write as a patient narrator.",
            "post_history_instructions": "",
            "alternate_greetings": ["Fog. A bell. {{char}} waves."],
            "group_only_greetings": [],
            "tags": ["harbour"],
            "creator": "Ines Falk",
            "character_version": "1.0",
            "extensions": {},
            "character_book": {
                "name": "The harbour",
                "extensions": {},
                "entries": [entry(number, characters) for number in range(entries)],
            },
        },
    }


def json_card(size: int) -> bytes:
    """A card of about `size` bytes as a JSON file: a twentieth in the description."""
    if size < 4096:
        value = card(60)
        return json.dumps(value, ensure_ascii=False).encode()
    entries = max(1, size * 9 // 10 // 2800)
    return json.dumps(card(size // 20, entries, 1300), ensure_ascii=False).encode()


def png_card(size: int, entries: int = 50) -> bytes:
    """A true PNG of about `size` bytes of noise, with a card in `ccv3` behind the pixels."""
    width = 4096
    height = max(1, size // (width * 3 + 1))
    noise = random.Random(1)
    rows = b"".join(b"\0" + noise.randbytes(width * 3) for _ in range(height))
    text = base64.b64encode(json.dumps(card(2000, entries, 600), ensure_ascii=False).encode())
    return b"".join(
        (
            SIGNATURE,
            make_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
            make_chunk(b"IDAT", zlib.compress(rows, 0)),
            make_chunk(b"tEXt", b"ccv3\0" + text),
            make_chunk(b"IEND", b""),
        )
    )


def world(documents: int) -> dict[str, bytes]:
    """The files of a world in which a story can start: places joined by ways, people, things and lore."""
    first = WorldFile(
        name="The ferries",
        language="en",
        opening="The bell rings twice. [PLAYER] is late.",
        starting_location="isle-0",
        source=Source(kind="blank"),
    )
    return {
        document_path(kind_of(one).name, str(getattr(one, "id", ""))): document_bytes(one)
        for one in (first, *islice(_documents(), documents - 1))
    }


def _documents() -> Iterator[Document]:
    number = 0
    while True:
        text, before = text_of(900, number * 11), max(0, number - 1)
        isle, sailor = f"isle-{number}", f"sailor-{number}"
        ways = [Exit(id=f"boat-{number}", to=f"isle-{before}", name="boat")] if number else []
        yield Location(id=isle, name=f"Isle {number}", description=text, exits=ways)
        yield Character(
            id=sailor,
            name=f"Sailor {number}",
            playable=number == 0,
            description=text,
            starting_location=isle,
            knowledge=Knowledge(locations=[f"isle-{before}"]),
        )
        yield Item(id=f"rope-{number}", name=f"Rope {number}", held_by=sailor)
        yield Lore(id=f"tale-{number}", title=f"Tale {number}", text=text, about=[isle])
        yield Lore(
            id=f"secret-{number}", title=f"Secret {number}", text=text, scope="listed", known_by=[sailor]
        )
        number += 1
