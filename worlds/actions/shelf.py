"""Whole worlds: made, copied, indexed, moved to the trash and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from portal import bell, slots
from portal.models import Person, Share
from worlds import index
from worlds.access import KIND as SHARE_KIND
from worlds.access import refuse_unless_reader
from worlds.actions.writing import no_longer_there
from worlds.data import data_folder
from worlds.models import World
from worlds.queries import folder_of, shelf_of
from worlds.rules.documents import WorldFile
from worlds.rules.reader import read_document
from worlds.rules.write import blank_world, document_bytes, moment
from worlds.store.folder import ItemFolder
from worlds.store.paths import new_item_id
from worlds.store.space import bytes_below
from worlds.store.staging import Staging
from worlds.store.thumbnails import ThumbnailCache

WORLD_FILE = "world.json"
# How long a person's list keeps its order while they click about in one world.
TOUCH_AFTER = timedelta(minutes=1)


def index_world(*, owner: Person, world_id: str) -> World | None:
    """Rebuild the rows of one world from its folder; rows without a folder are removed (then `None`)."""
    return index.index_world(owner, world_id)


def create_world(
    *, actor: Person, name: str, language: str, description: str = "", opening: str = ""
) -> World:
    """A world from nothing. It is a draft until it has an opening."""
    now = timezone.now()
    files = blank_world(name, language, now)
    world = read_document("world", files[WORLD_FILE], WORLD_FILE).document
    assert isinstance(world, WorldFile)
    filled = world.model_copy(update={"description": description, "opening": opening})
    world_id = new_item_id(name)
    shelf_of(actor).create(world_id, {**files, WORLD_FILE: document_bytes(filled)})
    return _indexed(actor, world_id)


def copy_world(*, actor: Person, world: World, name: str, world_id: str = "") -> World:
    """A copy on the actor's own shelf, without the import's records (D37) and without history.

    The source of the copy says where it is from. Pictures are read one by one, not all at once. With a
    `world_id` chosen before, a second call after a crash gives the copy that is there.

    Raises:
        DomainError: `not-found` for a stranger; `invalid`, the world's own file cannot be read.
    """
    refuse_unless_reader(actor, world)
    source = folder_of(world)
    if world_id and world_id in shelf_of(actor).ids():
        return _indexed(actor, world_id)
    now = moment(timezone.now())
    copied = source.read_json(WORLD_FILE)
    if not isinstance(copied, dict):
        raise DomainError(
            "invalid",
            "world-file-unreadable",
            WORLD_FILE,
            gettext_noop(
                "This world's own file cannot be read, so it was not duplicated. It was left as it is."
            ),
            gettext_noop("Correct world.json in its source, or bring back a former version."),
        )
    copied |= {
        "name": name,
        "source": {"kind": "copy", "world": world.id, "name": world.name},
        "created_at": now,
        "updated_at": now,
    }
    read = read_document("world", copied, WORLD_FILE)
    changed = {WORLD_FILE: document_bytes(read.document)} if read.document else {}
    made = world_id or new_item_id(name)
    shelf_of(actor).create(made, FolderFiles(source, changed))
    return _indexed(actor, made)


class FolderFiles(Mapping[str, bytes]):
    """The published files of an item, read when they are asked for; some replaced."""

    def __init__(self, folder: ItemFolder, replaced: Mapping[str, bytes]) -> None:
        self._folder, self._replaced = folder, replaced
        self._paths = folder.published_paths()

    def __getitem__(self, path: str) -> bytes:
        return self._replaced[path] if path in self._replaced else self._folder.read(path)

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def touch_world(*, actor: Person, world: World) -> None:
    """Note that its owner looked at a world, for the order of their list."""
    now = timezone.now()
    if world.owner_id == actor.pk and now - world.used_at > TOUCH_AFTER:
        World.objects.filter(pk=world.pk).update(used_at=now)


def trash_world(*, actor: Person, world: World) -> str:
    """Move a world to its owner's trash; gives the entry id that `restore_world` takes.

    Raises:
        DomainError: `forbidden` unless the actor owns it; `busy` while somebody writes it.
    """
    if world.owner_id != actor.pk:
        raise DomainError(
            "forbidden",
            "world.not-yours",
            world.id,
            gettext_noop("Only {owner}, who owns this world, may move it to the trash. Nothing was changed."),
            args={"owner": str(world.owner)},
        )
    entry = shelf_of(actor).to_trash(world.id)
    World.objects.filter(pk=world.pk).delete()
    bell.ring(f"item:{world.id}")
    return entry


def restore_world(*, actor: Person, entry_id: str) -> World:
    """Bring a world back from the actor's own trash. It is shared with whom it was shared before.

    Raises:
        DomainError: `not-found` when the entry is gone; `conflict` when the place is taken.
    """
    return _indexed(actor, shelf_of(actor).restore(entry_id).id)


def empty_trash(*, actor: Person, entry_ids: list[str]) -> int:
    """Remove worlds from the actor's trash for good, with their shares; gives how many."""
    shelf = shelf_of(actor)
    gone = 0
    for entry_id in entry_ids:
        try:
            shelf.empty(entry_id)
        except DomainError as error:
            if error.kind != "not-found":
                raise
            continue  # restored or removed meanwhile: that is what was asked for, or better
        gone += 1
        Share.objects.filter(kind=SHARE_KIND, item_id=entry_id.partition("-")[2]).delete()
    return gone


def reindex(*, owner: Person) -> tuple[int, int]:
    """Rebuild the rows of everything on one shelf; gives how many worlds were read and how many rows went."""
    ids = shelf_of(owner).ids()
    for world_id in ids:
        index.index_world(owner, world_id)
    gone, _by_model = World.objects.filter(owner=owner).exclude(pk__in=ids).delete()
    for rebuild in slots.filled("worlds.reindexed"):
        rebuild(owner)
    return len(ids), gone


def sweep(*, now: datetime) -> dict[str, int]:
    """Remove for good what is older than its time: trash, former versions, uploads, small pictures.

    Worlds and versions are kept `TRASH_DAYS` days, uploads seven. A world that is being written is passed
    over; the next sweep finds it again.
    """
    data = data_folder()
    count = {"worlds": 0, "versions": 0, "busy": 0}
    for owner in Person.objects.all():
        shelf = shelf_of(owner)
        for entry_id in shelf.sweep(now, settings.TRASH_DAYS):
            Share.objects.filter(kind=SHARE_KIND, item_id=entry_id.partition("-")[2]).delete()
            count["worlds"] += 1
        for world_id in shelf.ids():
            try:
                folder = shelf.folder(world_id)
                forgotten = folder.forget_history(now - timedelta(days=settings.TRASH_DAYS))
                if forgotten:  # the room they took is free again
                    World.objects.filter(pk=world_id).update(size=bytes_below(folder.path))
                count["versions"] += forgotten
            except DomainError as error:
                if error.kind not in ("busy", "not-found"):
                    raise
                count["busy"] += error.kind == "busy"
    count["uploads"] = len(Staging(data).sweep(now))
    for forget in slots.filled("worlds.swept"):
        forget()
    count["thumbnails"] = ThumbnailCache(data.root).sweep(now.timestamp())
    return count


def _indexed(owner: Person, world_id: str) -> World:
    world = index.index_world(owner, world_id)
    if world is None:  # moved away by somebody between two steps of ours
        raise no_longer_there(World(id=world_id, name=world_id))
    bell.ring(f"person:{owner.pk}")
    return world
