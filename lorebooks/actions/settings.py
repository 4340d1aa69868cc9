"""What a book says about itself: its name, how it is scanned, its sections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_noop

from formats.errors import DomainError
from formats.text.names import compared
from lorebooks.actions.writing import changing, rewrite_item
from lorebooks.models import Lorebook
from lorebooks.pipeline.book_file import BOOK_FILE, head_of, with_head
from lorebooks.pipeline.book_settings import HEAD_FIELDS, ITEM_FIELDS, check_settings, settings_of
from lorebooks.pipeline.item_file import MOST_SECTIONS, Section, read_item
from portal.models import Person
from worlds.library.files.item import ITEM_FILE
from worlds.store.paths import new_token


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


@dataclass(frozen=True, slots=True)
class SectionEdits:
    """What somebody wants other about the sections, by their ids: its place (a number in the list), its
    name, those that go; and the names of new ones. What is in a section is no part of it."""

    places: Mapping[str, float] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    removed: Collection[str] = ()
    added: Sequence[str] = ()


def edit_sections(*, actor: Person, lorebook: Lorebook, edits: SectionEdits) -> None:
    """Order, rename, add and take away sections as they stand now; what moved into one meanwhile stays there.

    Raises:
        DomainError: `full`, more than a book may have; `invalid`, a name that is new is that of another one
            (as names are compared here); nothing is changed.
    """
    with changing(actor=actor, lorebook=lorebook, what="sections") as change:
        there = read_item(change.read(ITEM_FILE)).sections
        kept = [
            (number, section) for number, section in enumerate(there, 1) if section.id not in edits.removed
        ]
        kept.sort(key=lambda pair: edits.places.get(pair[1].id, pair[0]))
        sections = [
            section.model_copy(update={"name": edits.names.get(section.id) or section.name})
            for _place, section in kept
        ]
        sections += [Section(id=new_token(), name=name) for name in edits.added]
        if len(sections) > MOST_SECTIONS:
            raise _too_many_sections(len(sections))
        _refuse_same_names(there, sections)
        rewrite_item(change, sections=[section.model_dump() for section in sections])


def _refuse_same_names(before: Sequence[Section], after: Sequence[Section]) -> None:
    """Names that were the same already stay: whoever orders such a book is not in their way."""
    known = {section.id: compared(section.name) for section in before}
    names = Counter(compared(section.name) for section in after)
    for section in after:
        name = compared(section.name)
        if names[name] > 1 and known.get(section.id) != name:
            raise DomainError(
                "invalid",
                "lorebook.section-name-taken",
                "sections",
                gettext_noop("Two sections would be called “{name}”. Nothing was changed."),
                gettext_noop("Give one of them another name."),
                {"name": section.name},
            )


def _too_many_sections(count: int) -> DomainError:
    return DomainError(
        "full",
        "lorebook.too-many-sections",
        "sections",
        gettext_noop("These would be {count} sections; a lorebook has at most {limit}. Nothing was changed."),
        gettext_noop("Take some away, then add the new ones."),
        {"count": count, "limit": MOST_SECTIONS},
    )


def _settings_changed(etag: str) -> DomainError:
    return DomainError(
        "conflict",
        "lorebook.settings-changed",
        "",
        gettext_noop("These settings were changed by someone else meanwhile. Nothing was overwritten."),
        gettext_noop("Look at what is there now, then save again."),
        {"etag": etag},
    )
