"""The pictures of a world: added, described, replaced, removed, and shown as cover, portrait or view."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from portal.models import Person
from worlds.actions.elements import no_such_element
from worlds.actions.writing import Refused, changing
from worlds.models import World
from worlds.queries import folder_of, quota_left
from worlds.rules.documents import KINDS
from worlds.rules.kind_rules import image_references
from worlds.rules.paths import document_path, is_image_path
from worlds.rules.reader import read_document
from worlds.rules.write import document_bytes
from worlds.store import pictures
from worlds.store.change import Change
from worlds.store.picture_list import Origin
from worlds.store.pictures import Added, Kept, NewPicture, PictureLibrary


def add_picture(*, actor: Person, world: World, uploads: Iterable[tuple[str, bytes]]) -> list[Added]:
    """Add pictures that a person uploads (name and bytes); one result for each: kept, a copy, or refused.

    `uploads` is gone through once, so that no more than one needs to be in memory.
    """
    new = (NewPicture(data, Origin("user", "", name[:200])) for name, data in uploads)
    others = PictureLibrary(folder_of(world)).other_pictures()
    left = quota_left(world.owner)
    with changing(actor=actor, world=world, what="add-pictures", note="images/library") as change:
        return pictures.add_pictures(change, new, now=timezone.now(), bytes_left=left, also_known=others)


def describe_picture(*, actor: Person, world: World, file: str, alt: str) -> None:
    """Set the words that stand for a picture. Raises DomainError `not-found` outside of the library."""
    with changing(actor=actor, world=world, what="describe-picture", note=file) as change:
        pictures.describe_picture(change, file, " ".join(alt.split())[:500])


def replace_picture(*, actor: Person, world: World, file: str, name: str, data: bytes) -> Added:
    """Put another picture in the place of one; whatever showed the old one shows the new one."""
    new = NewPicture(data, Origin("user", "", name[:200]))
    left = quota_left(world.owner)
    with changing(actor=actor, world=world, what="replace-picture", note=file) as change:
        added = pictures.replace_picture(change, file, new, now=timezone.now(), bytes_left=left)
        if isinstance(added, Kept):
            _point(change, world, file, added.picture.file)
    return added


def remove_picture(*, actor: Person, world: World, file: str) -> str:
    """Move a picture to the trash, and take it from where it is shown; gives the id for `undo_change`."""
    with changing(actor=actor, world=world, what="remove-picture", note=file) as change:
        if file.startswith(f"{pictures.FOLDER}/"):
            pictures.remove_picture(change, file)
        elif is_image_path(file):
            change.remove(file)
        else:
            raise not_a_picture()
        _point(change, world, file, None)
    return change.id


def use_picture(*, actor: Person, world: World, file: str, kind: str, key: str = "") -> None:
    """Show a picture as the cover (`world`), a portrait (`character`) or a place's view (`location`).

    Raises:
        DomainError: `not-found` for a picture or element that is not there; as `changing`.
    """
    with changing(actor=actor, world=world, what="use-picture", note=file) as change:
        if not is_image_path(file) or not change.has(file):
            raise not_a_picture()
        _show(change, kind, key, file)


def not_a_picture() -> DomainError:
    """The picture went away, or the path never was one."""
    return DomainError(
        "not-found",
        "no-such-picture",
        message=gettext_noop("This picture is not in the world any more. Nothing was changed."),
        hint=gettext_noop("Load the page again to see the pictures that are there."),
    )


def _point(change: Change, world: World, file: str, other: str | None) -> None:
    """Let what shows `file` show another picture, or none.

    Who shows it is looked up in the index, then seen in the document itself: an old row does no harm.
    """
    for slug, key, _title in world.picture_uses.get(file, ()):
        name = next((kind.name for kind in KINDS.values() if slug and kind.folder == slug), "world")
        path = document_path(name, key)
        if change.has(path):
            read = read_document(name, change.read(path), path)
            if read.document and file in image_references(read.document).values():
                _show(change, name, key, other)


def _show(change: Change, kind: str, key: str, file: str | None) -> None:
    """Write the field of a document that names a picture."""
    if kind not in ("world", "character", "location"):
        raise no_such_element(key)
    path = document_path(kind, key)
    if not change.has(path):
        raise no_such_element(key)
    stored = change.read_json(path)
    before = read_document(kind, stored, path)
    if before.document is None:
        raise Refused(before.findings)
    after = read_document(kind, {**stored, **_field(kind, file)}, path)
    if after.document is None:
        raise Refused(after.findings)
    change.write(path, document_bytes(after.document))


def _field(kind: str, file: str | None) -> dict[str, Any]:
    if kind == "character":
        return {"portrait": {"file": file, "source": "uploaded"} if file else None}
    return {"cover" if kind == "world" else "picture": file}
