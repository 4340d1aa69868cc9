"""From a preset's folder to its row: the one way by which the index is written.

The numbers are counted on the version in force. A save of the draft changes none of them: then only the files
that they were counted on are hashed, and nothing is read in full.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from formats.preset.model import PresetPackage
from formats.preset.report import report_of
from formats.text.names import compared
from formats.text.tokens import count_tokens
from portal import bell
from portal.models import Person
from presets.models import Preset
from presets.pipeline.import_report import counted
from presets.pipeline.item_file import Item
from presets.pipeline.state_file import DRAFT_FILE, RAW_FILE, content_hash
from presets.stored import Stored
from worlds.index import Standing, standing_of
from worlds.library.shelves import folder_at
from worlds.store.folder import ItemFolder
from worlds.store.space import bytes_below

RULES = 3
"""Which rules the numbers are counted by; rows counted by others are counted again at a reindex."""
MODEL_FIELDS = ("openai_model", "claude_model", "google_model", "openrouter_model", "custom_model")


@dataclass(frozen=True, slots=True)
class Seen:
    """A folder at one moment; `numbers` is None where those of the row still hold."""

    standing: Standing
    item: Item
    has_draft: bool
    counted_etag: str
    numbers: dict[str, Any] | None


def index_preset(owner: Person, preset_id: str) -> Preset | None:
    """Read a preset's folder and write its row; `None`, and no row, when the folder is gone.

    Raises:
        DomainError: `invalid`, a file of it cannot be read; the row stays as it was.
    """
    folder = folder_at(Preset, owner, preset_id)
    preset = None
    for last in (False, False, True):
        known = Preset.objects.filter(pk=preset_id).values_list("counted_etag", flat=True).first() or ""
        seen = folder.consistently(partial(_look, folder, known)) if folder.exists() else None
        with transaction.atomic():
            # The row is the lock: of two that index at once, the second sees that the first was later.
            Preset.objects.select_for_update().filter(pk=preset_id).first()
            if seen is None:
                Preset.objects.filter(pk=preset_id, owner=owner).delete()
                return None
            if not last and standing_of(folder.path).fingerprint != seen.standing.fingerprint:
                continue
            fields = {"owner": owner, **_fields(folder, seen)}
            preset, _made = Preset.objects.update_or_create(
                pk=preset_id, defaults=fields, create_defaults={"used_at": timezone.now(), **fields}
            )
            break
    bell.ring(f"item:{preset_id}")
    return preset


def _look(folder: ItemFolder, known: str) -> Seen:
    stored = Stored(folder, folder.id)
    item = stored.item()
    of_files = (folder.etag(RAW_FILE), folder.etag(item.version(0).path))
    counted_etag = f"{RULES}:{item.head}:{'|'.join(of_files)}"
    numbers = None if counted_etag == known else _numbers(stored)
    return Seen(standing_of(folder.path), item, folder.has(DRAFT_FILE), counted_etag, numbers)


def _numbers(stored: Stored) -> dict[str, Any]:
    package = stored.version()
    report = report_of(package, stored.reading())
    fates = [line.fate for line in report.prompts if not line.added]
    numbers, texts = counted(package), [one for one in package.enabled_prompts() if not one.is_hole]
    return {
        "form": package.source,
        "model_hint": _model_hint(package),
        "prompts_total": numbers["prompts"],
        "prompts_on": numbers["on"],
        "tokens_fixed": sum(count_tokens(prompt.content) for prompt in texts),
        "lines_sent": fates.count("sent"),
        "lines_elsewhere": fates.count("sent-elsewhere"),
        "lines_not_sent": fates.count("not-sent"),
        "departures": len(report.fidelity),
        "content_hash": content_hash(package),
    }


def _model_hint(package: PresetPackage) -> str:
    """The model a preset was saved with: that of its own service, else the first it names."""
    raw = package.raw or {}
    own = f"{raw.get('chat_completion_source')}_model"
    named = (raw.get(field) for field in (own, *MODEL_FIELDS))
    return storable(next((name for name in named if isinstance(name, str) and name.strip()), ""))[:120]


def _fields(folder: ItemFolder, seen: Seen) -> dict[str, Any]:
    item = seen.item
    name = storable(item.name.strip()) or folder.id
    return {
        "name": name[:300],
        "name_key": compared(name)[:300],
        "tags": [storable(tag) for tag in item.tags],
        "source_kind": item.source.kind,
        "versions_count": len(item.versions),
        "has_draft": seen.has_draft,
        "counted_etag": seen.counted_etag,
        "size": bytes_below(folder.path),
        "fingerprint": seen.standing.fingerprint,
        "created_at": _time(item.created_at) or seen.standing.changed_at,
        "updated_at": seen.standing.changed_at,
        **(seen.numbers or {}),
    }


def storable(text: str) -> str:
    """A text as every database takes it: no half characters, no NUL."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")


def _time(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
