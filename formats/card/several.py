"""A JSON file that is a list of cards: each card as bytes of its own, so that they can be read one by one."""

from __future__ import annotations

import json
import re
from typing import Any

from formats.card.candidates import spec_of
from formats.card.container import Upload
from formats.card.containers import CONTAINERS, json_file
from formats.card.errors import CardError
from formats.card.json_text import parse_json
from formats.card.limits import CARD_BYTES
from formats.card.payload import json_bytes
from formats.card.picture import Source
from formats.card.reasons import Unusable
from formats.card.sentences import CARD_SENTENCES
from formats.card.text import decode_text
from formats.notes import Notes

SPACE = re.compile(r"[ \t\r\n\ufeff]*")


def cards_in(data: Source, filename: str | None = None) -> list[bytes]:
    """The JSON (UTF-8) of every card in a file whose root is a list, in order (card-formats 3d).

    As many as the `count` of the error `several-cards` that `read_card` raises for such a file; what in the
    list is no card is passed over. Each is as it was written where the file is sound JSON, else written anew.
    Empty for every other file, which `read_card` reads or refuses with its reason. The name decides nothing.
    """
    with memoryview(data) as view:
        upload = Upload(view, data)
        container = next(container for container in CONTAINERS if container.recognise(upload))
        if container is not json_file.CONTAINER or len(view) > CARD_BYTES:
            return []
        stored = bytes(view)
    notes = Notes(CARD_SENTENCES)
    try:
        text = decode_text(json_bytes(stored), "", notes)
        items = _items_as_written(text) or _items_anew(text, notes)
    except (Unusable, CardError):
        return []
    return [written.encode("utf-8") for value, written in items if spec_of(value)]


def _items_as_written(text: str) -> list[tuple[Any, str]]:
    """The items of a list with their own text; empty where the text is no sound JSON list."""
    decoder = json.JSONDecoder()
    items: list[tuple[Any, str]] = []
    at = _after_space(text, 0)
    separator = text[at : at + 1]
    if separator != "[":
        return []
    try:
        while separator in ("[", ","):
            start = _after_space(text, at + 1)
            value, end = decoder.raw_decode(text, start)
            items.append((value, text[start:end]))
            at = _after_space(text, end)
            separator = text[at : at + 1]
    except (ValueError, RecursionError):
        return []
    return items if separator == "]" and _after_space(text, at + 1) == len(text) else []


def _items_anew(text: str, notes: Notes) -> list[tuple[Any, str]]:
    value = parse_json(text, "", notes).value
    return [(item, json.dumps(item)) for item in value] if isinstance(value, list) else []


def _after_space(text: str, at: int) -> int:
    found = SPACE.match(text, at)
    return found.end() if found else at
