"""What the long fuzz is about: for each target a stream of damaged inputs, and what must hold for each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from formats.card import (
    Card,
    CardError,
    CardRead,
    check_choices,
    chosen,
    default_choices,
    pieces_of,
    read_card,
)
from formats.card.dialect import dialect_of
from formats.card.diff import diff_cards
from formats.card.export import export_json, export_png
from formats.errors import DomainError
from formats.lorebook import (
    LorebookError,
    book_table,
    download_character_book,
    download_sillytavern,
    parse,
    read_book,
)
from net.address import RefusedAddress, checked_url
from tests.support import cards
from tests.support.fuzz_presets import damaged_presets, try_preset
from tests.support.mutations import Mutator
from tests.support.worlds import rich_world, small_world
from worlds.rules import check_world
from worlds.rules.fixes import apply_fix, smallest_fixes
from worlds.rules.load import LoadedWorld, load_files
from worlds.rules.mend import mend
from worlds.rules.write import document_bytes


@dataclass(frozen=True)
class Target:
    """`inputs(seed)` gives damaged inputs without end; `try_one` raises when the code breaks its promise."""

    inputs: Callable[[int], Iterator[bytes]]
    try_one: Callable[[bytes], None]


BOOKS: list[Any] = [
    cards.book(cards.entry(0), cards.entry(1)),
    cards.sillytavern_book(),
    cards.novelai_book(),
    cards.agnai_book(),
    cards.risu_book(),
]
VALUES: list[Any] = [
    cards.english_card(),
    cards.chinese_card(),
    cards.v1(),
    cards.v2(),
    cards.v3(assets=[cards.icon_asset()]),
    cards.pygmalion(),
    cards.agnai(),
    cards.v3(character_book=cards.sillytavern_book()),
    cards.v3(character_book=cards.novelai_book()),
    cards.v3(character_book=cards.agnai_book()),
    cards.v3(character_book=cards.risu_book()),
    cards.sillytavern_book(),
]
FILES = [
    *(cards.json_bytes(value) for value in VALUES),
    cards.png_card(cards.english_card(), "chara", "ccv3"),
    cards.png(cards.packed_chunk("ccv3", cards.packed(cards.v3()))),
    cards.png(cards.international_chunk("chara", cards.packed(cards.v2()), compressed=True)),
    cards.apng_card(cards.v2()),
    cards.charx(cards.v3(assets=[cards.icon_asset()]), {"assets/icon/images/main.png": cards.png()}),
    cards.byaf(),
    cards.jpeg(cards.exif(cards.json_bytes(cards.v1()))),
    cards.jpeg(after_end=cards.charx(cards.v3())),
    cards.webp(cards.exif(cards.byte_list(cards.v1()))),
]
WRAPPERS: list[Callable[[Any], bytes]] = [cards.json_bytes, cards.json_bytes, cards.png_card, cards.charx]


def damaged_cards(seed: int) -> Iterator[bytes]:
    """Half of them files with changed bytes, half cards with changed values in a whole container."""
    for number in count(seed * 1_000_000):
        mutator = Mutator(number, FILES)
        if number % 2:
            yield mutator.changed_bytes(mutator.random.choice(FILES))
        else:
            value = mutator.changed_json(mutator.random.choice(VALUES))
            yield mutator.random.choice(WRAPPERS)(value)


def read(data: bytes) -> CardRead | None:
    try:
        return read_card(data, filename="雾港.png")
    except CardError as refusal:
        has_sentence(refusal)
        return None


def has_sentence(refusal: DomainError) -> None:
    """A refusal is something a person can read."""
    assert refusal.message.strip().endswith("."), refusal.code


def stored(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")


def try_card(data: bytes) -> None:
    """A card or a refusal; a card can be stored, read back, cut up, counted, compared and exported."""
    found = read(data)
    if found is None:
        return
    card = found.card
    assert Card.from_v3(json.loads(stored(card.to_v3()))) == card
    stored([finding.to_json() for finding in found.findings])
    assert found.picture is None or len(found.picture.data) == found.picture.size
    for url in found.urls:
        try:
            checked_url(url)
        except RefusedAddress:
            continue
    ids = [piece.id for piece in pieces_of(card)]
    assert len(ids) == len(set(ids))
    stored(dialect_of(card).to_json())
    same = diff_cards(card, card)
    assert same.fields == ()
    assert {pair.state for pair in same.pairs} <= {"same"}
    for exported in (export_json(card), export_json(card, "v2"), export_png(card, cards.png())):
        again = read(exported.data)
        assert again is not None
        assert again.card.name == card.name


def try_import(data: bytes) -> None:
    """A card becomes a world on paper, whatever its author wrote: every piece is accounted for, and every
    document reads back without an error of shape."""
    from importer.pipeline.finish import make_ready
    from importer.pipeline.structure import build_world

    found = read(data)
    if found is None:
        return
    for language in ("en", "zh-hans"):
        choices = check_choices(found.card, default_choices(found.card, language=language))
        chosen(found.card, choices)
        built = build_world(
            found.card, choices, picture="picture.png", sha256="0" * 64, started_at="2026-11-30"
        )
        assert {piece.id for piece in built.pieces.pieces} == {piece.id for piece in pieces_of(found.card)}
        assert "awaiting" not in {piece.outcome for piece in built.pieces.pieces}
        ready = make_ready(built, built.pictures)
        shapes = [finding for finding in ready.loaded.findings if finding.severity == "error"]
        assert shapes == [], shapes[0].text


WORLDS = [small_world(), rich_world()]


def damaged_worlds(seed: int) -> Iterator[bytes]:
    """Worlds in which one to three files are damaged, as one JSON object of path and latin-1 text."""
    for number in count(seed * 1_000_000):
        mutator = Mutator(number, [data for files in WORLDS for data in files.values()])
        files = dict(mutator.random.choice(WORLDS))
        for _ in range(mutator.random.randint(1, 3)):
            path = mutator.random.choice(list(files))
            files[path] = _damaged(mutator, path, files[path])
        yield json.dumps({path: data.decode("latin-1") for path, data in files.items()}).encode()


def _damaged(mutator: Mutator, path: str, data: bytes) -> bytes:
    if mutator.random.random() < 0.7 and path.endswith(".json"):
        try:
            value = json.loads(data)
        except ValueError:
            return mutator.changed_bytes(data)
        text = json.dumps(mutator.changed_json(value), ensure_ascii=mutator.random.random() < 0.5)
        return text.encode("utf-8", "surrogatepass")  # a damaged file may well hold half a character
    return mutator.changed_bytes(data)


def try_world(data: bytes) -> None:
    """Any files load; what is wrong is said; mending leaves nothing dangling; every offered fix applies."""
    try:
        files = {path: text.encode("latin-1") for path, text in json.loads(data).items()}
    except (ValueError, AttributeError):
        return  # an input that was made smaller and is no longer one of ours
    loaded = load_files(files)
    problems = check_world(loaded)
    stored([finding.to_json() for finding in problems])
    mended = mend(loaded)
    for path, document in mended.documents.items():
        files[path] = document_bytes(document)
    again = load_files(files)
    assert not mend(again).documents, "mended once is mended"
    _apply_every_fix(again)


def _apply_every_fix(loaded: LoadedWorld) -> None:
    for problem in check_world(loaded):
        for fix in smallest_fixes(loaded, problem):
            value = fix.choices[0].value if fix.choices else "A letter lies on the table."
            try:
                apply_fix(loaded, fix, value)
            except DomainError as refusal:
                has_sentence(refusal)


def damaged_books(seed: int) -> Iterator[bytes]:
    """Half of them lorebook files with changed bytes, half lorebooks with changed values."""
    files = [cards.json_bytes(value) for value in BOOKS]
    for number in count(seed * 1_000_000):
        mutator = Mutator(number, files)
        if number % 2:
            yield mutator.changed_bytes(mutator.random.choice(files))
        else:
            yield cards.json_bytes(mutator.changed_json(mutator.random.choice(BOOKS)))


def try_book(data: bytes) -> None:
    """A lorebook or a refusal; a lorebook comes back from every download, and its report can be stored."""
    try:
        found = read_book(data, "雾港.json")
    except LorebookError as refusal:
        has_sentence(refusal)
        return
    stored([finding.to_json() for finding in found.findings])
    for download in (download_sillytavern, download_character_book):
        written = download(found.model)
        stored([finding.to_json() for finding in written.findings])
        again = parse(json.loads(stored(written.value)))
        assert sorted(entry.content for entry in again.entries) == sorted(
            entry.content for entry in found.model.entries
        )
        assert download(again).value == written.value
    stored(book_table(found.model))


TARGETS = {
    "lorebook": Target(damaged_books, try_book),
    "card": Target(damaged_cards, try_card),
    "import": Target(damaged_cards, try_import),
    "world": Target(damaged_worlds, try_world),
    "preset": Target(damaged_presets, try_preset),
}
