"""What a zip archive holds for us: a CharX card with its files, or a Backyard archive."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any

from formats.card.archive import Archive, has_end_record, open_archive
from formats.card.container import Upload
from formats.card.errors import CardError, other_file
from formats.card.limits import ASSET_BYTES, CARD_BYTES
from formats.card.payload import Contents, Payload, ready
from formats.card.picture import Picture, whole_picture
from formats.card.reasons import REASONS, Unusable
from formats.notes import Notes

CARD_FILE = "card.json"
MANIFEST = "manifest.json"
WORLD_FILE = "world.json"
EMBEDDED = ("embeded://", "embedded://", "__asset:")
"""`embeded` is the spelling of the specification."""


def open_zip(upload: Upload, label: str, picture: Picture | None, notes: Notes) -> Contents:
    """The card of an archive, at its top or in its one top folder.

    Raises:
        CardError: `other-file` (world, archive), `bad-archive`, `unsafe-archive`, `archive-card-unusable`,
            `several-cards` for a Backyard archive of several characters.
    """
    archive = open_archive(upload.view)
    if picture and picture.spans[-1][1] > archive.start:
        picture = replace(picture, spans=((0, archive.start),))
    for name in archive.unsafe:
        notes.add("member-unsafe", "archive", name=name)
    place = _card_place(archive)
    if place is None and archive.has(MANIFEST):
        return _backyard(archive, label, picture)
    if place is None:
        raise other_file("world" if archive.has(WORLD_FILE) else "archive", CARD_FILE)
    folder = place[: -len(CARD_FILE)]
    if folder:
        notes.add("top-folder", place, folder=folder.rstrip("/"))
    data = _read_card_file(archive, place)
    return Contents(
        [Payload(label, 0, ready(data))], picture, partial(_asset, archive, folder), beside="archive"
    )


def behind_picture(upload: Upload, kind: str, contents: Contents, notes: Notes) -> Contents:
    """A zip appended to a picture; the given contents where there is none, or none with a card."""
    if not has_end_record(upload.view):
        return contents
    try:
        return open_zip(upload, f"{kind}+zip", contents.picture, notes)
    except CardError as error:
        if error.code in ("other-file", "bad-archive"):
            return contents
        raise


def _card_place(archive: Archive) -> str | None:
    if archive.has(CARD_FILE):
        return CARD_FILE
    places = [
        name for name in archive.names() if name.count("/") == 1 and name.lower().endswith("/" + CARD_FILE)
    ]
    return places[0] if len(places) == 1 else None


def _read_card_file(archive: Archive, name: str) -> bytes:
    try:
        return archive.read(name, CARD_BYTES)
    except Unusable as error:
        raise CardError("archive-card-unusable", name, because=error.because, **error.values) from None


def _asset(archive: Archive, folder: str, path: str) -> bytes | None:
    name = folder + path
    return archive.read(name, ASSET_BYTES) if archive.has(name) else None


def _backyard(archive: Archive, label: str, picture: Picture | None) -> Contents:
    """A Backyard archive becomes one JSON object that the `backyard` spec reads: character and scenarios."""
    manifest = _json_member(archive, MANIFEST)
    characters = _names(manifest, "characters")
    if not characters:
        raise other_file("archive", MANIFEST)
    if len(characters) > 1:
        raise CardError("several-cards", MANIFEST, count=len(characters))
    character = _json_member(archive, characters[0])
    scenarios = [_json_member(archive, name) for name in _names(manifest, "scenarios") if archive.has(name)]
    joined = {"manifest": manifest, "character": character, "scenarios": scenarios}
    data = json.dumps({"backyard": joined}).encode("ascii")
    folder = characters[0].rpartition("/")[0]
    contents = Contents([Payload(f"{label}:byaf", 0, ready(data))], picture, partial(_asset, archive, ""))
    return replace(contents, picture=picture or _first_image(archive, folder, character))


def _json_member(archive: Archive, name: str) -> Any:
    if not archive.has(name):
        raise CardError("archive-card-unusable", name, because=REASONS["missing"])
    try:
        return json.loads(_read_card_file(archive, name))
    except (ValueError, RecursionError):
        raise CardError("archive-card-unusable", name, because=REASONS["damaged-json"]) from None


def _names(manifest: Any, field: str) -> list[str]:
    listed = manifest.get(field) if isinstance(manifest, dict) else None
    return [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []


def _first_image(archive: Archive, folder: str, character: Any) -> Picture | None:
    images = character.get("images") if isinstance(character, dict) else None
    for image in images if isinstance(images, list) else []:
        path = image.get("path") if isinstance(image, dict) else None
        name = f"{folder}/{path}"
        if archive.has(name):
            try:
                return whole_picture(archive.read(name, ASSET_BYTES))
            except Unusable:
                return None
    return None
