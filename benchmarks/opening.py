"""Opening a world of 2,000 documents, and saving in it."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.invented import world
from benchmarks.measure import Measurement, Run, once, percentile, timed
from portal.models import Person
from worlds.queries import shelf_of
from worlds.rules import check_world, load_world
from worlds.store.folder import ItemFolder
from worlds.store.paths import new_item_id

DOCUMENTS = 2000
SAVES = 300


def measure(owner: Person, runs: int) -> Iterator[Measurement]:
    """Reading and judging the whole world, then one save after the other, each of them durable."""
    folder = shelf_of(owner).create(new_item_id("The ferries"), world(DOCUMENTS))
    yield Measurement(
        f"open a world of {DOCUMENTS:,} documents: load and check",
        timed(lambda: opened(folder), runs),
    )
    saves = [save(folder, number) for number in range(SAVES)]
    clock = [run.clock for run in saves]
    yield Measurement(
        f"save a document durably, in a world of {DOCUMENTS:,} documents",
        saves,
        extra={
            "p95Ms": round(percentile(clock, 95), 3),
            "savesPerSecond": round(1000 * SAVES / sum(clock), 1),
        },
    )


def opened(folder: ItemFolder) -> None:
    loaded = folder.consistently(lambda: load_world(folder.path))
    findings = check_world(loaded)
    if any(finding.severity == "error" for finding in findings):
        raise AssertionError(f"the invented world is broken: {findings[:3]}")


def save(folder: ItemFolder, number: int) -> Run:
    """One save: lock, former bytes kept, the new ones on the disk, history written."""
    path = f"characters/sailor-{number % 100}.json"
    data, etag = folder.read(path), folder.etag(path)
    changed = data.replace(b'"Sailor', b'"Old sailor') if number < 100 else data + b" "

    def work() -> None:
        with folder.change(by="bench", what="edit") as change:
            change.write(path, changed, if_match=etag)

    return once(work)
