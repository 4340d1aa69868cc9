"""The last step of an import: mended, checked as before a story, written as one change (FIN-1, DRAFT-1,
DRAFT-2).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from formats.card.dialect import dialect_of
from formats.finding import Finding
from importer.pipeline.building import Built
from importer.pipeline.origins import Origins
from importer.pipeline.record import (
    FOLDER,
    STATE,
    ImportRecord,
    Stage,
    record_bytes,
    refuse_out_of_order,
    refuse_stale,
    with_line,
)
from worlds.rules.check import can_start, check_world
from worlds.rules.load import LoadedWorld, load_files
from worlds.rules.mend import mend
from worlds.rules.write import document_bytes, moment

PROVENANCE = f"{FOLDER}/provenance.json"
FILES_SCHEMA = "roleplay-import-files/v1"
REPORT_SCHEMA = "roleplay-import-report/v1"


@dataclass(frozen=True, slots=True)
class Ready:
    """Everything an import is about to write, already judged: documents and prompts as `files`, and the paths
    at which the card's picture will lie.
    """

    files: Mapping[str, bytes]
    pictures: list[str]
    loaded: LoadedWorld
    notes: list[Finding]
    problems: list[Finding]

    @property
    def stage(self) -> Stage:
        """A world that cannot start yet is written all the same (DRAFT-2, DRAFT-6)."""
        return "done" if can_start(self.problems) else "repair"


def finish_import(
    record: ImportRecord,
    built: Built,
    *,
    fence: int,
    now: datetime,
    by: str,
    told: Mapping[str, Any] | None = None,
) -> Stage:
    """Write the world: documents, prompts, pictures and the import's records in one change of the store.

    `told` is what the report says besides: how the survey went, what it cost.

    Raises:
        DomainError: `conflict` for a stale worker, out of order, or a provenance file of another schema;
            what the store raises. Nothing is written then, and the import can go on from `built`.
    """
    picture = record.picture()
    ready = make_ready(built, built.pictures if picture else [])
    upload, choices, card = record.upload(), record.choices(), record.card()
    with record.folder.change(by=by, what="import", note=upload.filename) as change:
        state = record.state_in(change)
        refuse_stale(state, fence)
        refuse_out_of_order(state.stage, "built")
        for path, data in ready.files.items():
            change.write(path, data)
        if picture is not None:
            for path in ready.pictures:
                change.copy(f"{FOLDER}/{picture.name}", path)
        counts = counts_of(ready.loaded)
        line = {
            "at": moment(now),
            "card": card.name,
            "sha256": upload.sha256,
            "language": choices.language,
            "way": choices.way,
            "counts": counts,
            "notes": len(ready.notes),
        }
        earlier = change.read(PROVENANCE) if change.has(PROVENANCE) else None
        change.write(PROVENANCE, with_line(earlier, line))
        change.write(f"{FOLDER}/pieces.json", record_bytes(built.pieces))
        change.write(f"{FOLDER}/origins.json", record_bytes(Origins.of(built)))
        report = {
            "schema": REPORT_SCHEMA,
            "way": choices.way,
            "language": choices.language,
            "counts": counts,
            "pieces": built.pieces.totals(),
            "notes": [note.to_json() for note in ready.notes],
            "problems": [problem.to_json() for problem in ready.problems],
            "leftOut": {"dialect": dialect_of(card).to_json()},
            **(told or {}),
        }
        change.write(f"{FOLDER}/report.json", record_bytes(report))
        change.write(f"{FOLDER}/files.json", record_bytes(snapshot_of(ready.files)))
        change.write(STATE, record_bytes(state.model_copy(update={"stage": ready.stage, "error": None})))
    return ready.stage


def make_ready(built: Built, pictures: list[str]) -> Ready:
    """Mend what code can decide, and judge the world that comes of it with pictures at these paths. Nothing
    is written.
    """
    loaded = load_files(built.files, pictures)
    mended = mend(loaded)
    loaded = loaded.changed(mended.documents)
    documents = {path: document_bytes(document) for path, document in mended.documents.items()}
    return Ready(
        {**built.files, **documents},
        pictures,
        loaded,
        [*built.notes, *mended.notes],
        check_world(loaded),
    )


def snapshot_of(files: Mapping[str, bytes]) -> dict[str, Any]:
    """`files.json` (UPD-1): SHA-256 of every document as it is written now; pictures are none."""
    digests = {path: hashlib.sha256(data).hexdigest() for path, data in sorted(files.items())}
    return {"schema": FILES_SCHEMA, "files": digests}


def counts_of(loaded: LoadedWorld) -> dict[str, int]:
    """How many of each kind the world has, openings included."""
    counts = {
        kind: len(documents) for kind, documents in loaded.documents.items() if documents and kind != "world"
    }
    variables = loaded.variables
    counts["variables"] = len(variables.variables) if variables else 0
    world = loaded.world
    counts["openings"] = (bool(world.opening) + len(world.alternate_openings)) if world else 0
    return counts
