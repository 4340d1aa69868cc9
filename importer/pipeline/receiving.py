"""Taking a file in: its bytes as `original`, what is known of them as `upload.json`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from importer.pipeline.record import UploadInfo, record_bytes
from worlds.store.staging import Staging

LONGEST_NAME = 300


class Place(NamedTuple):
    """Where a card was taken from: the upload that lists several, and its number in the list, from 1."""

    taken_from: str = ""
    number: int = 0


ALONE = Place()


def receive(
    staging: Staging,
    upload_id: str,
    chunks: Iterable[bytes],
    filename: str,
    *,
    limit: int,
    place: Place = ALONE,
) -> UploadInfo:
    """Store a file chunk by chunk in a staging folder begun before; never whole in memory (CARD-3).

    Args:
        staging: where.
        upload_id: of `Staging.begin`.
        chunks: the bytes; what they raise ends it.
        filename: as it came, for people only.
        limit: the most bytes the file may have.
        place: of a card that was taken out of a list.

    Raises:
        DomainError: `too-large` as soon as the limit is passed, `full`; there is no `original` then.
    """
    with staging.receive(upload_id, "original", limit) as receiving:
        for chunk in chunks:
            receiving.write(chunk)
    info = UploadInfo(
        upload=upload_id,
        filename=shown_name(filename),
        size=receiving.size,
        sha256=receiving.sha256,
        **place._asdict(),
    )
    staging.write(upload_id, "upload.json", record_bytes(info))
    return info


def shown_name(filename: str) -> str:
    """The name a file came with, for people only: never a path, no control characters, at most 300
    characters.
    """
    last = filename.replace("\\", "/").rpartition("/")[2]
    return "".join(c for c in last if c.isprintable())[:LONGEST_NAME] or "card"
