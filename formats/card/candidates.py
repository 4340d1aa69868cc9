"""Which of several copies of a card in one file is used, and which object in a JSON value is the card."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from formats.card.errors import CardError, other_file
from formats.card.fields import CARD_FIELDS
from formats.card.limits import CANDIDATES, DECODED_BYTES
from formats.card.other_kinds import kind_of_lines, kind_of_value
from formats.card.payload import LAST_RESORT, Contents, Payload, json_bytes, read_json_bytes
from formats.card.reasons import Unusable
from formats.card.sentences import CARD_SENTENCES
from formats.card.spec import Spec, filled
from formats.card.specs import SPECS
from formats.card.wrapped import data_levels
from formats.notes import Notes

JSON_FILE = "json"
CHAT_HEAD = 2_000_000
TOO_LONG = frozenset({"card-too-long", "text-too-large"})
ENVELOPES = ("card", "character", "char", "chara", "data", "characterCard", "definition")
"""Names under which other programs wrap a card, tried before any other name."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A copy that can be read: the card object, its spec, the addresses of the whole copy, its label."""

    value: dict[str, Any]
    spec: Spec
    urls: list[str]
    label: str
    notes: Notes
    size: int


def best_candidate(contents: Contents, notes: Notes) -> Candidate:
    """The first readable rank; inside it the longest copy, and the first among equals.

    Raises:
        CardError: no copy can be used. The reason of the preferred copy is given.
    """
    failures: list[CardError] = []
    decoded = 0
    payloads = sorted(contents.payloads, key=lambda payload: payload.rank)
    for _, group in groupby(payloads, key=lambda payload: payload.rank):
        copies = list(group)
        usable: list[Candidate] = []
        for payload in copies[:CANDIDATES]:
            candidate = _try(payload, failures, notes) if decoded < DECODED_BYTES else None
            if candidate:
                usable.append(candidate)
                decoded += candidate.size
        if usable:
            best = max(usable, key=lambda candidate: candidate.size)
            _say_about_copies(best, len(copies), payloads, notes)
            return best
    if not contents.payloads or _is_mere_picture(payloads, failures[0]):
        raise contents.otherwise or other_file(contents.beside)
    raise failures[0]


def _is_mere_picture(payloads: list[Payload], failure: CardError) -> bool:
    """Cameras and painting programs write texts into EXIF data too."""
    return payloads[0].rank >= LAST_RESORT and failure.code in ("not-a-card", "bad-json", "broken-card")


def _try(payload: Payload, failures: list[CardError], notes: Notes) -> Candidate | None:
    own, stored = Notes(CARD_SENTENCES), b""
    try:
        stored = json_bytes(payload.load())
        found = read_json_bytes(stored, payload.label, own)
        value, spec = find_card(found.value, own)
        return Candidate(value, spec, found.urls, payload.label, own, len(stored))
    except Unusable as error:
        failure = payload.otherwise or _damaged(error, payload.label)
        because, values = error.because, error.values
    except CardError as error:
        failure = _better_known(error, stored)
        because, values = failure.message, failure.values
    failures.append(failure)
    if payload.label != JSON_FILE:
        code = "card-copy-too-long" if failure.code in TOO_LONG else "card-copy-broken"
        hint = because if code == "card-copy-broken" else ""
        notes.add(code, payload.label, because=hint, copy=payload.label, **values)
    return None


def _damaged(error: Unusable, label: str) -> CardError:
    """A copy over the limit says so in its first sentence: it may be a bomb, and is not damaged."""
    if error.code in ("too-long", "all-too-long"):
        return CardError("card-too-long", label, **error.values)
    return CardError("broken-card", label, because=error.because, **error.values)


def _better_known(error: CardError, stored: bytes) -> CardError:
    """A chat is saved as one JSON object a line, which is no JSON as a whole."""
    if error.code == "bad-json" and kind_of_lines(stored[:CHAT_HEAD].decode("utf-8", errors="replace")):
        return other_file("chat")
    return error


def find_card(value: Any, notes: Notes) -> tuple[dict[str, Any], Spec]:
    """The card object in a JSON value: itself, the only item of a list, or one level down in an envelope.

    Raises:
        CardError: `several-cards`, `other-file`, `not-a-card`, `empty-card`.
    """
    if isinstance(value, list):
        value = _only_item(value)
    spec = spec_of(value)
    if spec is None:
        inner = _enveloped(value)
        if inner is None:
            kind = kind_of_value(value)
            raise other_file(kind) if kind else CardError("not-a-card")
        notes.add("envelope", "")
        value, spec = inner, spec_of(inner)
    assert spec is not None
    if _is_empty(value, spec):
        raise CardError("empty-card")
    return value, spec


def _only_item(items: list[Any]) -> Any:
    cards = [item for item in items if spec_of(item)]
    if len(cards) > 1:
        raise CardError("several-cards", count=len(cards))
    if len(cards) == 1:
        return cards[0]
    return items[0] if len(items) == 1 and not kind_of_value(items) else items


def spec_of(value: Any) -> Spec | None:
    """The spec that recognises a JSON value as a card; None for what is no card by itself."""
    if not isinstance(value, dict):
        return None
    return next((spec for spec in SPECS if spec.recognise(value)), None)


def _enveloped(value: Any) -> dict[str, Any] | None:
    if not isinstance(value, dict) or kind_of_value(value):
        return None
    names = [name for name in ENVELOPES if name in value] + [name for name in value if name not in ENVELOPES]
    cards = [value[name] for name in names if spec_of(value[name])]
    return cards[0] if cards else None


def _is_empty(value: dict[str, Any], spec: Spec) -> bool:
    """No field of the card says anything, read as its spec reads it."""
    data = spec.read(value, Notes(CARD_SENTENCES)).data
    telling = CARD_FIELDS - {"extensions", "assets", "creation_date", "modification_date"}
    return not any(_says_something(data.get(name)) for name in telling)


def _says_something(value: Any) -> bool:
    """A text that is not blank or a number, anywhere in the value."""
    if isinstance(value, str):
        return bool(value.strip())
    if isinstance(value, list):
        return any(map(_says_something, value))
    if isinstance(value, dict):
        return any(map(_says_something, value.values()))
    return isinstance(value, int | float) and not isinstance(value, bool)


def _say_about_copies(best: Candidate, copies: int, payloads: list[Payload], notes: Notes) -> None:
    """Several copies of one keyword, and a spare copy under the older keyword that says something else."""
    if copies > 1:
        notes.add("card-copies", best.label, count=copies, copy=best.label)
    spare = next((payload for payload in payloads if payload.rank == 1), None)
    if spare is None or not best.label.endswith(":ccv3"):
        return
    fields = _different_fields(best, spare)
    if fields:
        notes.add("card-copies-differ", spare.label, fields=", ".join(fields))


def _different_fields(best: Candidate, spare: Payload) -> list[str]:
    try:
        older = json.loads(json_bytes(spare.load()))
    except (Unusable, CardError, ValueError, RecursionError):
        return []
    if not isinstance(older, dict):
        return []
    old, new = _data(older), _data(best.value)
    return sorted(name for name in CARD_FIELDS if filled(old.get(name)) and old.get(name) != new.get(name))


def _data(root: dict[str, Any]) -> dict[str, Any]:
    levels = data_levels(root)
    return levels[-1] if levels else root
