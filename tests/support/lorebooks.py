"""Invented lorebooks: small ones in both languages, very large ones, and hostile ones."""

from __future__ import annotations

import json
from typing import Any

Value = dict[str, Any]


def st_entry(uid: int, keys: list[str], content: str, **more: Any) -> Value:
    """An entry as SillyTavern writes it, complete enough to be edited there."""
    return {
        "uid": uid,
        "key": keys,
        "keysecondary": [],
        "comment": more.pop("comment", keys[0] if keys else ""),
        "content": content,
        "constant": False,
        "vectorized": False,
        "selective": True,
        "selectiveLogic": 0,
        "order": 100,
        "position": 0,
        "disable": False,
        "probability": 100,
        "useProbability": True,
        "depth": 4,
        "group": "",
        **more,
    }


def fog_book() -> Value:
    """A small English book: four entries, one always on, one off, one with a pattern, an unknown field."""
    return {
        "name": "Fog lore",
        "shelf_mark": "kept as it is",
        "entries": {
            "0": st_entry(0, ["fog", "mist"], "The fog of Saltmarsh hides whole fleets.", comment="Fog"),
            "1": st_entry(1, [], "Saltmarsh is a town on stilts.", comment="The town", constant=True),
            "2": st_entry(2, ["/lamp(s|light)?/i"], "Blue lamps keep the drowned away.", comment="Lamps"),
            "3": st_entry(3, ["harbour"], "The harbour silts up.", comment="Harbour", disable=True, myth=7),
        },
    }


def harbour_book() -> Value:
    """A small Chinese book as it stands in a card."""
    return {
        "name": "雾港志",
        "description": "雾港的传说",
        "scan_depth": 6,
        "extensions": {},
        "entries": [
            {
                "id": 1,
                "keys": ["雾港", "旧码头"],
                "comment": "雾港",
                "content": "雾港每夜起雾，灯塔只为归人点亮。",
                "enabled": True,
                "insertion_order": 10,
                "extensions": {"position": 4, "depth": 3},
            },
            {
                "id": 2,
                "keys": ["潮汐"],
                "comment": "潮汐",
                "content": "潮汐每十二年倒流一次。",
                "enabled": False,
                "insertion_order": 20,
                "extensions": {},
            },
        ],
    }


def large_book(entries: int, characters: int = 120) -> Value:
    """A generated book of so many entries with so much text each; every third in Chinese."""
    texts = (
        "The tide remembers every name it took. ",
        "钟声停在第三下，没有人抬头。",
        "Salt, rope and lamp oil. ",
    )
    return {
        "name": f"Annals of {entries}",
        "entries": {
            str(number): st_entry(
                number,
                [f"name{number}", f"雾{number}号"],
                (texts[number % 3] * (characters // 10 + 1))[:characters] + f" {number}",
                comment=f"Chapter {number}",
                order=number % 200,
                constant=number % 50 == 0,
                disable=number % 7 == 0,
            )
            for number in range(entries)
        },
    }


def hostile_books() -> dict[str, bytes]:
    """Files that are a lorebook, but try something: by what they try."""
    name = "../../etc/<script>alert(1)</script>\u202e\u0000{user}"
    deep: Any = "x"
    for _ in range(60):
        deep = [deep]
    books: dict[str, Value] = {
        "names": {"name": name, "entries": {"../x": st_entry(0, [name], name, comment=name)}},
        "keys of the map": {
            "entries": {
                "__proto__": st_entry(0, ["a"], "a"),
                "": st_entry(1, ["b"], "b"),
                "k" * 5000: st_entry(2, ["c"], "c"),
                "line\nbreak\u2028": st_entry(3, ["d"], "d"),
                'quote"\\': st_entry(4, ["e"], "e"),
            }
        },
        "half characters": {"entries": {"0": st_entry(0, ["\ud800"], "\udfff half \ud83d")}},
        "numbers": {"entries": {"0": st_entry(0, ["a"], "b", order=10**30, depth=-5, probability=1e308)}},
        "depth": {"entries": {"0": st_entry(0, ["a"], "b", odd=deep)}},
        "same uid": {"entries": {"0": st_entry(5, ["a"], "a"), "1": st_entry(5, ["b"], "b")}},
    }
    return {what: json.dumps(book).encode() for what, book in books.items()}


def as_file(book: Value) -> bytes:
    """A book as the file of another program."""
    return json.dumps(book, ensure_ascii=False, indent=4).encode()
