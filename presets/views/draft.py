"""What waits in the draft, as the bar above the prompts and the parameters says it."""

from __future__ import annotations

from typing import Any

from presets import queries
from presets.models import Preset


def draft_context(preset: Preset, had: bool = False) -> dict[str, Any]:
    """What the bar says: `changes` since the version `base`; `base` is None without a draft.

    `had` says that a page shows a draft already: then an answer changes the sentence alone, and a note that
    is being written there stays.
    """
    base = queries.draft_base(preset) if preset.has_draft else None
    if base is None:
        return {"base": None, "changes": 0, "had": False}
    found = queries.compare(preset, base, queries.DRAFT)
    parts = (found.added, found.removed, found.moved, found.changed, found.parameters)
    return {"base": base, "changes": sum(map(len, parts)), "had": had}
