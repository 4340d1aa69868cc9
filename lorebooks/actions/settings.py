"""What a book says about itself: its name, how it is scanned, its sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop

from formats.errors import DomainError
from lorebooks.actions.writing import changing, rewrite_item
from lorebooks.models import Lorebook
from lorebooks.pipeline.book_file import BOOK_FILE, head_of, keys_of, with_head
from lorebooks.pipeline.book_settings import HEAD_FIELDS, ITEM_FIELDS, check_settings, settings_of
from lorebooks.pipeline.item_file import ITEM_FILE, Section, read_item
from portal.models import Person


def edit_settings(*, actor: Person, lorebook: Lorebook, fields: Mapping[str, Any], if_match: str) -> str:
    """Save some of `name`, `description`, `language`, `tags`, `scan_depth`, `token_budget`,
    `recursive_scanning`; None means that the book does not say. Gives the new ETag.

    Raises:
        DomainError: `conflict` with the present ETag when they are others than `if_match` names; `invalid`.
    """
    check_settings(fields)
    with changing(actor=actor, lorebook=lorebook, what="settings") as change:
        data = change.read(BOOK_FILE)
        item = read_item(change.read(ITEM_FILE))
        there = settings_of(item, head_of(data))
        wanted = {**there.fields, **fields}
        if wanted != there.fields and there.etag != if_match:
            raise _settings_changed(there.etag)
        head = {name: fields[name] for name in HEAD_FIELDS if name in fields}
        if any(there.fields[name] != value for name, value in head.items()):
            data = with_head(data, {name: None if value == "" else value for name, value in head.items()})
            change.write(BOOK_FILE, data)
        kept = {name: fields[name] for name in ITEM_FIELDS if name in fields}
        if any(there.fields[name] != value for name, value in kept.items()):
            item = rewrite_item(change, **kept)
        return settings_of(item, head_of(data)).etag


def edit_sections(*, actor: Person, lorebook: Lorebook, sections: Sequence[Section]) -> None:
    """Replace the list of sections, with their order and what is in them; an entry is in one at most.

    Raises:
        DomainError: `invalid` for two sections of one id.
    """
    ids = [section.id for section in sections]
    if len(set(ids)) != len(ids):
        raise DomainError(
            "invalid", "lorebook.sections", "sections", gettext_noop("Two sections have the same id.")
        )
    with changing(actor=actor, lorebook=lorebook, what="sections") as change:
        there = set(keys_of(change.read(BOOK_FILE)))
        seen: set[str] = set()
        placed = []
        for section in sections:
            entries = [key for key in dict.fromkeys(section.entries) if key in there - seen]
            seen.update(entries)
            placed.append({**section.model_dump(), "entries": entries})
        rewrite_item(change, sections=placed)


def _settings_changed(etag: str) -> DomainError:
    return DomainError(
        "conflict",
        "lorebook.settings-changed",
        "",
        gettext_noop("These settings were changed by someone else meanwhile. Nothing was overwritten."),
        gettext_noop("Look at what is there now, then save again."),
        {"etag": etag},
    )
