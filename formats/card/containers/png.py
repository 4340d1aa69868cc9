"""PNG and animated PNG: the card in text chunks, its files in asset chunks, EXIF as the last resort."""

from __future__ import annotations

from functools import partial

from formats.card.archive import begins_zip, has_end_record
from formats.card.charx import behind_picture
from formats.card.container import Container, Upload
from formats.card.cut_off import rest_of
from formats.card.errors import CardError
from formats.card.exif_text import exif_texts
from formats.card.limits import ASSET_BYTES, CARD_BYTES, DECODED_BYTES, STORED_CARD_BYTES, TEXT_CHUNKS
from formats.card.payload import LAST_RESORT, Contents, Payload, from_base64, may_be_card, ready
from formats.card.picture import Asset, Picture
from formats.card.reasons import Unusable
from formats.notes import Notes
from formats.png_chunks import (
    SIGNATURE,
    TEXT_KINDS,
    Chunk,
    PngChunks,
    TextChunkError,
    begins_text,
    checksum_is_right,
    keyword_of,
    make_chunk,
    read_chunks,
    read_text,
    still_picture_spans,
)

RANKS = {"ccv3": 0, "chara": 1}
LOREBOOK_KEYWORD = "naidata"
ASSET_PREFIX = "chara-ext-asset_"
TROUBLES = {
    "no-end": "picture-no-end",
    "cut-short": "picture-cut-short",
    "damaged": "picture-damaged",
    "too-many-chunks": "too-many-chunks",
    "data-after-end": "data-after-end",
}


def recognise(upload: Upload) -> bool:
    """A PNG, or the first bytes of one: too few to be anything else."""
    head = upload.head(len(SIGNATURE))
    return len(head) > 0 and SIGNATURE.startswith(head)


def open_png(upload: Upload, notes: Notes) -> Contents:
    """Text chunks wherever they stand, in any case of the keyword, packed or not (card-format facts 3c)."""
    found = read_chunks(upload.view)
    for trouble in found.troubles:
        notes.add(TROUBLES[trouble], "png")
    texts = _text_chunks(upload, found, notes)
    packed = _PackedText()
    payloads = [
        Payload(
            f"png:{chunk.kind.decode()}:{keyword}", RANKS[keyword], partial(packed.load, upload, chunk, notes)
        )
        for keyword, chunk in texts
        if keyword in RANKS
    ]
    payloads += _exif_payloads(upload, found)
    chunks = {_asset_path(keyword_of(upload.view, chunk)): chunk for _, chunk in texts}
    chunks.pop("", None)
    contents = Contents(
        payloads,
        _picture(upload, found, notes),
        partial(_asset, upload, chunks),
        [Asset(path, "other", path.rpartition(".")[2], f"embeded://{path}") for path in chunks],
        "lorebook" if any(keyword == LOREBOOK_KEYWORD for keyword, _ in texts) else "picture",
        _nothing_found(upload, found),
    )
    return contents if payloads else behind_picture(upload, "png", contents, notes)


def _nothing_found(upload: Upload, found: PngChunks) -> CardError | None:
    """Why it cannot be said that the file holds no card, where none was found in it."""
    if "damaged" in found.troubles:
        return CardError("damaged-picture")
    rest = rest_of(upload, found.end)
    begun = bool(rest) and (begins_zip(rest) or begins_text(rest)) and not has_end_record(upload.view)
    return CardError("cut-off") if begun or {"cut-short", "no-end"} & set(found.troubles) else None


def _text_chunks(upload: Upload, found: PngChunks, notes: Notes) -> list[tuple[str, Chunk]]:
    chunks = [chunk for chunk in found.chunks if chunk.kind in TEXT_KINDS]
    if len(chunks) > TEXT_CHUNKS:
        notes.add("too-many-chunks", "png")
    return [(keyword_of(upload.view, chunk).lower(), chunk) for chunk in chunks[:TEXT_CHUNKS]]


class _PackedText:
    """Loads the text of card chunks and counts what has been unpacked, over all chunks of the file."""

    def __init__(self) -> None:
        self.unpacked = 0

    def load(self, upload: Upload, chunk: Chunk, notes: Notes) -> bytes:
        if self.unpacked > DECODED_BYTES:
            raise Unusable("all-too-long", limit=DECODED_BYTES)
        try:
            text = read_text(upload.view, chunk, STORED_CARD_BYTES).text
        except TextChunkError as error:
            self.unpacked += STORED_CARD_BYTES if error.too_long else 0
            raise _unusable(error, CARD_BYTES) from None
        self.unpacked += len(text)
        if not checksum_is_right(upload.view, chunk):
            notes.add("checksum-wrong", f"png:{chunk.kind.decode()}")
        return text


def _unusable(error: TextChunkError, limit: int) -> Unusable:
    return Unusable("too-long", limit=limit) if error.too_long else Unusable("damaged")


def _exif_payloads(upload: Upload, found: PngChunks) -> list[Payload]:
    """EXIF of a PNG stands in an eXIf chunk."""
    texts = [
        text
        for chunk in found.chunks
        if chunk.kind == b"eXIf" and chunk.length <= STORED_CARD_BYTES
        for text in exif_texts(upload.view[chunk.start : chunk.start + chunk.length])
        if may_be_card(text)
    ]
    return [Payload("png:exif", LAST_RESORT, ready(text)) for text in texts]


def _picture(upload: Upload, found: PngChunks, notes: Notes) -> Picture | None:
    spans = still_picture_spans(found)
    if not any(chunk.kind == b"IDAT" for chunk in found.chunks):
        notes.add("picture-empty", "png")
        return None
    ended = any(chunk.kind == b"IEND" for chunk in found.chunks)
    return Picture(
        "image/png", "png", tuple(spans), upload.source, b"" if ended else make_chunk(b"IEND", b"")
    )


def _asset_path(keyword: str) -> str:
    """`chara-ext-asset_:path`, also met without the colon; empty for every other keyword."""
    if not keyword.lower().startswith(ASSET_PREFIX):
        return ""
    return keyword[len(ASSET_PREFIX) :].removeprefix(":")


def _asset(upload: Upload, chunks: dict[str, Chunk], path: str) -> bytes | None:
    chunk = chunks.get(path)
    if chunk is None:
        return None
    try:
        stored = read_text(upload.view, chunk, ASSET_BYTES * 3 // 2).text
    except TextChunkError as error:
        raise _unusable(error, ASSET_BYTES) from None
    return from_base64(stored)


CONTAINER = Container("png", recognise, open_png)
