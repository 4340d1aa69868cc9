"""Writes of the importer. Keyword-only, the actor named; every one can be called again after a crash.

stage_upload(actor=, chunks=, filename=) -> Upload        streamed to staging, read by a job
settle_reading(upload_id=, reading=) -> Upload            what the job found becomes the row's state
choose(actor=, upload=, name=, off=, …, way=, endpoint=) -> Choices
start_structure(actor=, upload=) -> World                 the world exists and its import runs
discard_upload(actor=, upload=)
resume(actor=, world=) -> Job                             refused when nothing waits (RUN-11, D35)
keep_draft(actor=, world=), discard_draft(actor=, world=) -> trash entry
mend_draft(actor=, world=, code=, where=, value=)         the smallest fix, then settled if it can start
retry_pictures(actor=, world=) -> Job
retry_failed(actor=, world=) -> Job                       questions without a usable answer are asked again
change_endpoint(actor=, world=, endpoint_id=) -> Job      go on with another model
take_lorebook(actor=, found=) -> lorebooks.Upload         of a card its book, of a lorebook the file
take_preset(actor=, upload=) -> presets.Upload            of a file that is a preset
"""

from importer.actions.drafts import discard_draft, keep_draft, mend_draft, settle
from importer.actions.lorebook import take_lorebook
from importer.actions.preset import take_preset
from importer.actions.start import (
    change_endpoint,
    continue_start,
    resume,
    retry_failed,
    retry_pictures,
    start_structure,
)
from importer.actions.uploads import choose, discard_upload, settle_reading, stage_upload

__all__ = [
    "change_endpoint",
    "choose",
    "continue_start",
    "discard_draft",
    "discard_upload",
    "keep_draft",
    "mend_draft",
    "resume",
    "retry_failed",
    "retry_pictures",
    "settle",
    "settle_reading",
    "stage_upload",
    "start_structure",
    "take_lorebook",
    "take_preset",
]
