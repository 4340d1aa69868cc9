"""The child process that reads one upload: `python -m importer.pipeline.read_upload FOLDER` (D42).

It maps `original` into memory, reads the card, and writes `card.json`, `preview.json`, `read.json`, the
picture and the assets beside it.
Whatever the file does to this process (memory, time, a crash), the parent lives and says so.
"""

from __future__ import annotations

import mmap
import resource
import sys
from pathlib import Path

from formats.card import CardError, CardRead, read_card
from formats.card.several import cards_in
from formats.stable_json import write_json
from importer.pipeline.preview import preview_of
from importer.pipeline.record import (
    CARDS,
    Reading,
    StoredAsset,
    StoredError,
    UploadInfo,
    read_record,
    record_bytes,
)
from worlds.store.atomic import atomic_write, make_folders

MEMORY_LIMIT = 1 << 30  # bytes of address space, D42
CPU_LIMIT = 30  # seconds


def limit_this_process() -> None:
    """Take from this process what a hostile file could use up; never gives anything back."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT, CPU_LIMIT + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def read_upload(folder: Path) -> Reading:
    """Read `original` in this folder and write what it holds; the reading is stored last.

    Raises:
        OSError, MemoryError: the parent turns these into a sentence.
    """
    upload = read_record(UploadInfo, (folder / "upload.json").read_bytes(), "upload.json")
    original = folder / "original"
    try:
        with original.open("rb") as file:
            if original.stat().st_size == 0:
                reading = store_card(folder, read_card(b"", filename=upload.filename))
            else:
                with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                    reading = read_mapped(folder, data, upload.filename)
    except CardError as error:
        reading = refused(error)
    atomic_write(folder / "read.json", record_bytes(reading))
    return reading


def read_mapped(folder: Path, data: mmap.mmap, filename: str) -> Reading:
    """Read one card; of a list of cards store each beside the file, to be taken in as an upload of its
    own.
    """
    try:
        return store_card(folder, read_card(data, filename=filename))
    except CardError as error:
        if error.code == "several-cards":
            make_folders(folder / CARDS)
            for number, card in enumerate(cards_in(data, filename)):
                atomic_write(folder / CARDS / f"{number}.json", card)
        raise


def refused(error: CardError) -> Reading:
    """The verdict on a file that is not one card."""
    verdict = {"other-file": "other", "several-cards": "several"}.get(error.code, "unreadable")
    return Reading.model_validate(
        {
            "verdict": verdict,
            "error": StoredError.of(error),
            "kind": error.kind if verdict == "other" else "",
            "count": error.count if verdict == "several" else 0,
        }
    )


def store_card(folder: Path, read: CardRead) -> Reading:
    """Write the normalised card, its picture and its assets under names of ours; tell what was found."""
    atomic_write(folder / "card.json", write_json(read.card.to_v3()).encode("utf-8"))
    picture = None
    if read.picture is not None:
        picture = f"picture.{read.picture.extension}"
        atomic_write(folder / picture, read.picture.parts())
    reading = Reading(
        verdict="card",
        container=read.source.container,
        spec=read.source.spec,
        findings=[finding.to_json() for finding in read.findings],
        regex_scripts=read.ignored.regex_scripts,
        helper_scripts=read.ignored.helper_scripts,
        urls=list(read.urls),
        assets=stored_assets(folder, read),
        picture=picture,
    )
    preview = preview_of(read.card, reading).model_dump(mode="json", by_alias=False)
    atomic_write(folder / "preview.json", record_bytes(preview))
    return reading


def stored_assets(folder: Path, read: CardRead) -> list[StoredAsset]:
    """Write the bytes of carried assets as `assets/<n>`: their own names never become paths."""
    stored = []
    for number, asset in enumerate(read.assets):
        file = None
        if asset.data is not None:
            file = f"assets/{number}"
            make_folders(folder / "assets")
            atomic_write(folder / file, bytes(asset.data))
        stored.append(
            StoredAsset(name=asset.name, type=asset.type, ext=asset.ext, uri=asset.uri[:2000], file=file)
        )
    return stored


def main() -> int:
    limit_this_process()
    read_upload(Path(sys.argv[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
